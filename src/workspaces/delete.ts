// Floor 3. Deleting a workspace: gone for every caller at once; the purge takes its data afterwards.
import { type Outcome, ok, refuse } from '../base/outcome.ts'
import { type Origin, writeAudit } from '../store/audit.ts'
import type { Database } from '../store/database.ts'
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
    await tx.run('workspaces/bury', [workspaceId])
    await tx.run('workspaces/revoke-keys', [workspaceId])
    const line = { from, userId: who.userId, orgId: locked.org_id, workspaceId, target: workspaceId }
    await writeAudit(tx, { action: 'workspace.delete', ...line })
    return ok(undefined)
  })
  if (outcome.ok) deps.publishDeleted(workspaceId)
  return outcome
}
