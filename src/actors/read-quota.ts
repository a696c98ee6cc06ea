// Reads the quota facts from which an actor starts the month of a workspace.
import type { Runner } from '../store/database.ts'
import type { QuotaFacts } from './quota-view.ts'

export type ReadQuotaDeps = {
  readonly db: Pick<Runner, 'row'>
  /** Returns the event quota of a plan by its name; null: unlimited. */
  readonly quotaOf: (plan: string) => number | null
}

type Row = { plan: string; accepted: number; month_ends_in_ms: number }

/** Returns null if the workspace does not exist any more. One indexed query. Throws Outage. */
export async function readQuota(deps: ReadQuotaDeps, workspaceId: string): Promise<QuotaFacts | null> {
  const row = await deps.db.row<Row>('actors/read-quota', [workspaceId])
  if (row === null) return null
  return { quota: deps.quotaOf(row.plan), accepted: row.accepted, monthEndsInMs: row.month_ends_in_ms }
}
