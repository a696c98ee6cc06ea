// Floor 3. The largest agents, models, tools or kinds of a window.
import type { Database } from '../../store/database.ts'
import type { Window } from '../window.ts'
import { type BreakdownRow, type Sums, showSums } from './stats-shapes.ts'

export const breakdownGroupings = ['agent', 'model', 'tool', 'kind'] as const
export const breakdownOrders = ['cost_usd', 'events', 'errors', 'p95_duration_ms'] as const

export type BreakdownQuery = {
  readonly workspaceId: string
  readonly window: Window
  readonly groupBy: (typeof breakdownGroupings)[number]
  readonly orderBy: (typeof breakdownOrders)[number]
  readonly agentId: string | undefined
  readonly limit: number
}

type Row = Sums & {
  key: string | null
  agent_name: string | null
  distinct_inputs: number
  unpriced_calls: number
}

/** The largest, and all others as one row (exact, percentiles too), or null where there are none. */
export async function breakDown(
  { db }: { readonly db: Database },
  { workspaceId, window, agentId, groupBy, limit, orderBy }: BreakdownQuery,
): Promise<{ items: BreakdownRow[]; other: BreakdownRow | null }> {
  const values = [workspaceId, window.from, window.to, agentId ?? null, groupBy, limit, orderBy]
  const rows = await db.rows<Row>('observe/break-down', values)
  const rest = rows.find(({ key }) => key === null)
  return {
    items: rows.filter(({ key }) => key !== null).map(showRow),
    other: rest === undefined ? null : showRow(rest),
  }
}

const showRow = (row: Row): BreakdownRow => ({
  key: row.key ?? 'other',
  label: row.agent_name ?? row.key ?? 'other',
  ...showSums(row),
  distinct_inputs: row.distinct_inputs,
  unpriced_calls: row.unpriced_calls,
})
