// Changes the status of a finding on behalf of a user.
import { type Outcome, ok, refuse } from '../base/outcome.ts'
import type { Database } from '../store/database.ts'
import { readSqlstate, sqlstate } from '../store/sqlstate.ts'
import type { Session } from '../web/route.ts'
import { readWorkspaceRole } from '../workspaces/workspace-role.ts'
import type { SetStatusCode } from './codes.ts'
import type { FindingRow } from './finding-shape.ts'

export type StatusChange = {
  readonly who: Session
  readonly workspaceId: string
  readonly findingId: string
  readonly status: FindingRow['status']
}

/** Requires the role member or above. One transaction. Refuses to reopen a resolved finding if its subject has another live one. */
export async function setStatus(
  { db }: { readonly db: Database },
  change: StatusChange,
): Promise<Outcome<FindingRow, SetStatusCode>> {
  return await set(db, change).catch((error: unknown) => {
    if (readSqlstate(error) === sqlstate.uniqueViolation) return refuse('taken')
    throw error
  })
}

async function set(db: Database, change: StatusChange): Promise<Outcome<FindingRow, SetStatusCode>> {
  const { who, workspaceId, findingId, status } = change
  return await db.tx(async (tx): Promise<Outcome<FindingRow, SetStatusCode>> => {
    // All that write findings of the workspace hold this lock, so nothing below waits for another transaction.
    await tx.row('findings/lock', [workspaceId])
    // Read again: the check of the route does not see a logout nor, for some seconds, a role that was revoked through another process.
    // After the lock: the caller may lose the role while this call waits.
    const callerRole = await readWorkspaceRole(tx, who, workspaceId, 'member')
    if (!callerRole.ok) return callerRole
    const row = await tx.row<FindingRow>('findings/set-status', [workspaceId, findingId, status])
    return row === null ? refuse('unknown') : ok(row)
  })
}
