// Checks that a user may export the data of a workspace, and records the export in the audit log.
import { type Outcome, ok, refuse } from '../base/outcome.ts'
import { type Origin, writeAudit } from '../store/audit.ts'
import type { Database } from '../store/database.ts'
import type { Session } from '../web/route.ts'
import type { WorkspaceRoleCode } from './codes.ts'
import { readWorkspaceRole } from './workspace-role.ts'

type Input = {
  readonly who: Session
  readonly workspaceId: string
  readonly from: Origin
  readonly detail: Readonly<Record<string, string | number | boolean>>
}

/** Requires admin or above. One transaction. */
export async function allowExport(db: Database, input: Input): Promise<Outcome<undefined, WorkspaceRoleCode>> {
  const { who, workspaceId, from, detail } = input
  return await db.tx(async (tx): Promise<Outcome<undefined, WorkspaceRoleCode>> => {
    const locked = await tx.row<{ org_id: string }>('workspaces/lock', [workspaceId])
    const callerRole = await readWorkspaceRole(tx, who, workspaceId, 'admin')
    if (!callerRole.ok) return callerRole
    if (locked === null) return refuse('not_found')
    const line = { from, userId: who.userId, orgId: locked.org_id, workspaceId, target: workspaceId, detail }
    await writeAudit(tx, { action: 'workspace.export', ...line })
    return ok(undefined)
  })
}
