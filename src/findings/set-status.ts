// What a human says of a finding.
import { type Outcome, ok, refuse } from '../base/outcome.ts'
import type { Database } from '../store/database.ts'
import { readSqlstate, sqlstate } from '../store/sqlstate.ts'
import type { Session } from '../web/route.ts'
import { readStanding } from '../workspaces/standing.ts'
import type { SetStatusCode } from './codes.ts'
import type { FindingRow } from './finding-shape.ts'

export type StatusChange = {
  readonly who: Session
  readonly workspaceId: string
  readonly findingId: string
  readonly status: FindingRow['status']
}

/** Member or above. One transaction. Refuses to bring a resolved one back to life where another one lives of the same subject. */
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
    // Not from the route's check, which knows neither a logout nor, for some seconds, a role that was taken away elsewhere.
    const standing = await readStanding(tx, who, workspaceId, 'member')
    if (!standing.ok) return standing
    const row = await tx.row<FindingRow>('findings/set-status', [workspaceId, findingId, status])
    return row === null ? refuse('unknown') : ok(row)
  })
}
