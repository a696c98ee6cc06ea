// Floor 3. The stored rows of one tier in some spans of time, page by page.
import type { Tx } from '../store/database.ts'
import { readCopied } from './read-copied.ts'
import type { Span } from './spans.ts'
import { lengthMs, type Tier } from './tiers.ts'

/** What of the rows is read: the first bytes of their totals, in which heads mostly end; totals; totals and cells. */
export type Columns = 'heads' | 'totals' | 'cells'

export type TierRow = { readonly start_s: number; readonly total: Buffer; readonly cells?: Buffer }

// Some megabytes each.
const pageRows: Readonly<Record<Columns, number>> = { heads: 1_000, totals: 500, cells: 64 }

type PageReader = (tx: Tx, values: readonly unknown[]) => Promise<TierRow[]>
const readPage: Readonly<Record<Columns, PageReader>> = {
  heads: async (tx, values) => await tx.rows<TierRow>('rollups/read-heads', values),
  totals: async (tx, values) => await tx.rows<TierRow>('rollups/read-totals', values),
  cells: readCopied,
}

/** Gives the starts of what it found. One query where all of it fits a page, and a page is full at most twice. */
export async function readTier(
  tx: Tx,
  { workspaceId, columns, tier }: { readonly workspaceId: string; readonly columns: Columns; readonly tier: Tier },
  spans: readonly Span[],
  take: (rows: readonly TierRow[]) => void,
): Promise<number[]> {
  const found: number[] = []
  const limit = pageRows[columns]
  const queue: (readonly Span[])[] = spans.length === 0 ? [] : [spans]
  for (let some = queue.shift(); some !== undefined; some = queue.shift()) {
    const values = [
      workspaceId,
      tier,
      some.map(({ fromMs }) => fromMs / 1_000),
      some.map(({ toMs }) => toMs / 1_000),
      limit,
    ]
    const page = await readPage[columns](tx, values)
    if (page.length === limit && some.length > 1) {
      // Which of them are complete nobody knows.
      const middle = some.length >> 1
      queue.unshift(some.slice(0, middle), some.slice(middle))
      continue
    }
    take(page)
    let lastMs = Number.NEGATIVE_INFINITY
    for (const { start_s } of page) {
      found.push(start_s * 1_000)
      lastMs = Math.max(lastMs, start_s * 1_000)
    }
    const [only] = some
    if (page.length === limit && only !== undefined) {
      const fromMs = lastMs + lengthMs[tier]
      if (fromMs < only.toMs) queue.unshift([{ fromMs, toMs: only.toMs }])
    }
  }
  return found
}
