// Deletes a workspace: it is gone for every caller at once, and the purge removes its data afterwards.
import { type Outcome, ok, refuse } from '../base/outcome.ts'
import { type Origin, writeAudit } from '../store/audit.ts'
import type { Database, Tx } from '../store/database.ts'
import type { Session } from '../web/route.ts'
import type { WorkspaceRoleCode } from './codes.ts'
import { readWorkspaceRole } from './workspace-role.ts'

type Deps = { readonly db: Database; readonly publishDeleted: (workspaceId: string) => void }
type Input = { readonly who: Session; readonly workspaceId: string; readonly from: Origin }

/** Requires admin or above. One transaction; `publishDeleted` is called after the commit. */
export async function deleteWorkspace(deps: Deps, input: Input): Promise<Outcome<undefined, WorkspaceRoleCode>> {
  const { who, workspaceId, from } = input
  const outcome = await deps.db.tx(async (tx): Promise<Outcome<undefined, WorkspaceRoleCode>> => {
    const locked = await tx.row<{ org_id: string }>('workspaces/lock', [workspaceId])
    const callerRole = await readWorkspaceRole(tx, who, workspaceId, 'admin')
    if (!callerRole.ok) return callerRole
    if (locked === null) return refuse('not_found')
    await softDelete(tx, { workspaceId, orgId: locked.org_id, userId: who.userId, from })
    return ok(undefined)
  })
  if (outcome.ok) deps.publishDeleted(workspaceId)
  return outcome
}

type By = { readonly userId: string; readonly from: Origin }

/**
 * Deletes all workspaces of orgs that the caller has locked, so that none is created in the meantime. Returns their ids, which the caller
 * publishes after the commit.
 */
export async function deleteWorkspacesOf(
  tx: Tx,
  orgIds: readonly string[],
  { userId, from }: By,
): Promise<readonly string[]> {
  // All are locked before the first is deleted: key revocations wait for each other until their commits, and each of them locks its
  // workspace.
  const locked = await tx.rows<{ id: string; org_id: string }>('workspaces/lock-of-orgs', [orgIds])
  for (const { id: workspaceId, org_id: orgId } of locked) await softDelete(tx, { workspaceId, orgId, userId, from })
  return locked.map(({ id }) => id)
}

type Buried = By & { readonly workspaceId: string; readonly orgId: string }

async function softDelete(tx: Tx, { workspaceId, orgId, userId, from }: Buried): Promise<void> {
  await tx.run('workspaces/soft-delete', [workspaceId])
  await tx.run('workspaces/revoke-keys', [workspaceId])
  await writeAudit(tx, { action: 'workspace.delete', from, userId, orgId, workspaceId, target: workspaceId })
}
