// The facts that an actor starts a workspace's month from.
import type { Runner } from '../store/database.ts'
import type { QuotaFacts } from './quota-view.ts'

export type ReadQuotaDeps = {
  readonly db: Pick<Runner, 'row'>
  /** The event quota of a plan by its name; null: none. */
  readonly quotaOf: (plan: string) => number | null
}

type Row = { plan: string; accepted: number; month_ends_in_ms: number }

/** Null where the workspace is gone. One indexed query. Throws Outage. */
export async function readQuota(deps: ReadQuotaDeps, workspaceId: string): Promise<QuotaFacts | null> {
  const row = await deps.db.row<Row>('actors/read-quota', [workspaceId])
  if (row === null) return null
  return { quota: deps.quotaOf(row.plan), accepted: row.accepted, monthEndsInMs: row.month_ends_in_ms }
}
