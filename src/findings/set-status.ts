// Floor 3. What a human says of a finding.
import { type Outcome, ok, refuse } from '../base/outcome.ts'
import type { Database } from '../store/database.ts'
import { readSqlstate, sqlstate } from '../store/sqlstate.ts'
import type { SetStatusCode } from './codes.ts'
import type { FindingRow } from './finding-shape.ts'

export type StatusChange = {
  readonly workspaceId: string
  readonly findingId: string
  readonly status: FindingRow['status']
}

/** One statement. Refuses to bring a resolved one back to life where another one lives of the same subject. */
export async function setStatus(
  { db }: { readonly db: Database },
  { workspaceId, findingId, status }: StatusChange,
): Promise<Outcome<FindingRow, SetStatusCode>> {
  try {
    const row = await db.row<FindingRow>('findings/set-status', [workspaceId, findingId, status])
    return row === null ? refuse('unknown') : ok(row)
  } catch (error) {
    if (readSqlstate(error) === sqlstate.uniqueViolation) return refuse('taken')
    throw error
  }
}
