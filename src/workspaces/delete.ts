// Floor 3. Deleting a workspace: gone for every caller at once; the purge takes its data afterwards.
import { type Outcome, ok, refuse } from '../base/outcome.ts'
import { type Origin, writeAudit } from '../store/audit.ts'
import type { Database, Tx } from '../store/database.ts'
import type { Session } from '../web/route.ts'
import type { StandingCode } from './codes.ts'
import { readStanding } from './standing.ts'

type Deps = { readonly db: Database; readonly publishDeleted: (workspaceId: string) => void }
type Input = { readonly who: Session; readonly workspaceId: string; readonly from: Origin }

/** Admin or above. One transaction; `publishDeleted` is called after its commit. */
export async function deleteWorkspace(deps: Deps, input: Input): Promise<Outcome<undefined, StandingCode>> {
  const { who, workspaceId, from } = input
  const outcome = await deps.db.tx(async (tx): Promise<Outcome<undefined, StandingCode>> => {
    const locked = await tx.row<{ org_id: string }>('workspaces/lock', [workspaceId])
    const standing = await readStanding(tx, who, workspaceId, 'admin')
    if (!standing.ok) return standing
    if (locked === null) return refuse('not_found')
    await bury(tx, { workspaceId, orgId: locked.org_id, userId: who.userId, from })
    return ok(undefined)
  })
  if (outcome.ok) deps.publishDeleted(workspaceId)
  return outcome
}

type OfOrg = { readonly orgId: string; readonly userId: string; readonly from: Origin }

/** Deletes every workspace of an org that the caller has locked, so that none is made meanwhile. Gives their ids, to be published after the commit. */
export async function deleteWorkspacesOfOrg(tx: Tx, org: OfOrg): Promise<readonly string[]> {
  const deleted: string[] = []
  for (const { id } of await tx.rows<{ id: string }>('workspaces/list-of-org', [org.orgId])) {
    // Null: somebody else has deleted it while this waited for it.
    if ((await tx.row('workspaces/lock', [id])) === null) continue
    await bury(tx, { ...org, workspaceId: id })
    deleted.push(id)
  }
  return deleted
}

async function bury(tx: Tx, { workspaceId, orgId, userId, from }: OfOrg & { readonly workspaceId: string }) {
  await tx.run('workspaces/bury', [workspaceId])
  await tx.run('workspaces/revoke-keys', [workspaceId])
  await writeAudit(tx, { action: 'workspace.delete', from, userId, orgId, workspaceId, target: workspaceId })
}
