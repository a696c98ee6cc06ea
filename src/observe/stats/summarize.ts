// Floor 3. The totals of a window.
import type { z } from 'zod'
import type { Database } from '../../store/database.ts'
import type { Window } from '../window.ts'
import type { summaryOut } from './stats-shapes.ts'
import { roundUsd } from './usd.ts'

type Summary = z.input<typeof summaryOut>
type Row = Omit<Summary, 'from_time' | 'to_time'>

/** Totals and models of a window, read in one snapshot, of one agent where told. */
export async function summarize(
  { db }: { readonly db: Database },
  workspaceId: string,
  { from, to }: Window,
  agentId: string | undefined,
): Promise<Summary> {
  const row = await db.row<Row>('observe/summarize', [workspaceId, from, to, agentId ?? null])
  if (row === null) throw new Error('a sum without a row')
  return {
    from_time: from.toISOString(),
    to_time: to.toISOString(),
    ...row,
    cost_usd: roundUsd(row.cost_usd),
    estimated_cache_savings_usd: roundUsd(row.estimated_cache_savings_usd),
    models: row.models.map((model) => ({ ...model, cost_usd: roundUsd(model.cost_usd) })),
  }
}
