// Floor 3. The rollups of a window, from one snapshot: days, hours and minutes as far as each goes, what is not folded yet, and
// events where the window cuts a minute.
import { addFact, type Bucket, makeBucket } from '../measure/bucket.ts'
import { type Delta, mergeEncodedDelta } from '../measure/delta.ts'
import { makeFact } from '../measure/fact.ts'
import type { Database, Tx } from '../store/database.ts'
import { eachFact } from './each-fact.ts'
import { sortEdges } from './edges.ts'
import { fillFact } from './read-facts.ts'
import { cutUp, listEdges, listWhole, type Span, subtract } from './spans.ts'
import { lengthMs, minuteMs, type Tier, tiers } from './tiers.ts'

/** One stretch of time, whole: a stored row as its bytes, or a bucket (what is not folded, edges). */
export type Part = { readonly startMs: number; readonly lengthMs: number } & (
  | { readonly total: Uint8Array; readonly cells: Uint8Array | null }
  | { readonly bucket: Bucket }
)

export type ReadOptions = {
  /** Whether parts come with their cells. */
  readonly cells: boolean
  /** Ascending times that no part may reach across. One that is no whole minute costs a look at events. */
  readonly cutsMs: readonly number[]
  /** Events that are counted one by one where the window cuts a minute. With more, its ends are rounded to the minute. */
  readonly maxEdgeEvents?: number
}

type Take = (parts: readonly Part[]) => void

/**
 * Gives the parts page by page, in no order; several may be of the same stretch, to be added up. An unaligned window of 30 days is
 * about 200 rows. Times of the window are whole milliseconds. Exact, but that a minute which it cuts and which has too many events
 * is rounded, and that distinct counts lag behind settling by about a minute. Throws Outage.
 */
export async function readRollups(
  db: Database,
  workspaceId: string,
  window: { readonly from: Date; readonly to: Date },
  { cells, cutsMs, maxEdgeEvents = 50_000 }: ReadOptions,
  take: Take,
): Promise<void> {
  const pieces = cutUp({ fromMs: window.from.getTime(), toMs: window.to.getTime() }, cutsMs)
  const minutes = listWhole(pieces, tiers.minute)
  await db.tx(
    async (tx) => {
      const edges = await sortEdges(tx, workspaceId, listEdges(pieces), maxEdgeEvents)
      const rows: Rows = { workspaceId, cells, edges: edges.whole }
      const read = async (tier: Tier, spans: readonly Span[]): Promise<number[]> =>
        await readTier(tx, rows, tier, spans, take)
      const days = await read(tiers.day, listWhole(pieces, tiers.day))
      const hours = await read(tiers.hour, subtract(listWhole(pieces, tiers.hour), days, tiers.day))
      const wholes = [...edges.whole.keys()].map((fromMs) => ({ fromMs, toMs: fromMs + minuteMs }))
      const left = subtract(subtract(minutes, days, tiers.day), hours, tiers.hour)
      await read(tiers.minute, [...left, ...wholes])
      await readUnfolded(tx, rows, [...minutes, ...wholes], take)
      for (const edge of edges.exact) take([await countEdge(tx, workspaceId, edge)])
    },
    { snapshot: true },
  )
}

type Rows = {
  readonly workspaceId: string
  readonly cells: boolean
  /** The piece of the window that a minute stands for. */
  readonly edges: ReadonlyMap<number, Span>
}
type Row = { readonly start_s: number; readonly total: Buffer; readonly cells?: Buffer }

const pageRows = 500
const pageRowsWithCells = 64

/** Gives the starts of what it found. One query where all of it fits a page, and a page is full at most twice. */
async function readTier(tx: Tx, rows: Rows, tier: Tier, spans: readonly Span[], take: Take): Promise<number[]> {
  const found: number[] = []
  const limit = rows.cells ? pageRowsWithCells : pageRows
  const queue: (readonly Span[])[] = spans.length === 0 ? [] : [spans]
  for (let some = queue.shift(); some !== undefined; some = queue.shift()) {
    const page = await readPage(tx, rows, tier, some, limit)
    if (page.length === limit && some.length > 1) {
      // Which of them are complete nobody knows.
      const middle = some.length >> 1
      queue.unshift(some.slice(0, middle), some.slice(middle))
      continue
    }
    take(page.map((row) => ({ ...place(rows, tier, row.start_s * 1_000), total: row.total, cells: row.cells ?? null })))
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

async function readPage(tx: Tx, rows: Rows, tier: Tier, spans: readonly Span[], limit: number): Promise<Row[]> {
  return await tx.rows<Row>(rows.cells ? 'rollups/read-cells' : 'rollups/read-totals', [
    rows.workspaceId,
    tier,
    spans.map(({ fromMs }) => fromMs / 1_000),
    spans.map(({ toMs }) => toMs / 1_000),
    limit,
  ])
}

function place({ edges }: Rows, tier: Tier, startMs: number): { startMs: number; lengthMs: number } {
  const edge = tier === tiers.minute ? edges.get(startMs) : undefined
  if (edge === undefined) return { startMs, lengthMs: lengthMs[tier] }
  return { startMs: edge.fromMs, lengthMs: edge.toMs - edge.fromMs }
}

const pageDeltas = 100

/** The minutes of deltas that lie in the spans. */
async function readUnfolded(tx: Tx, rows: Rows, spans: readonly Span[], take: Take): Promise<void> {
  if (spans.length === 0) return
  const fromMs = Math.min(...spans.map((span) => span.fromMs))
  const toMs = Math.max(...spans.map((span) => span.toMs))
  let afterId = 0
  for (;;) {
    const values = [rows.workspaceId, fromMs / 1_000, toMs / 1_000, afterId, pageDeltas]
    const page = await tx.rows<{ id: number; body: Buffer }>('rollups/read-deltas', values)
    for (const { body } of page) {
      const delta: Delta = body.length === 0 ? new Map() : readBody(body, rows.cells)
      const inside = [...delta].filter(([ms]) => spans.some((span) => ms >= span.fromMs && ms < span.toMs))
      take(inside.map(([startMs, bucket]) => ({ ...place(rows, tiers.minute, startMs), bucket })))
    }
    const end = page.at(-1)
    if (end === undefined || page.length < pageDeltas) return
    afterId = end.id
  }
}

function readBody(body: Buffer, withCells: boolean): Delta {
  const delta: Delta = new Map()
  try {
    mergeEncodedDelta(delta, body, withCells)
    return delta
  } catch {
    // Damaged: folding is about to set it aside, to tell of it, and to count its time anew.
    return new Map()
  }
}

async function countEdge(tx: Tx, workspaceId: string, { fromMs, toMs }: Span): Promise<Part> {
  const bucket = makeBucket()
  const fact = makeFact()
  await eachFact(tx, { workspaceId, fromMs, toMs }, (row) => {
    addFact(bucket, fillFact(fact, row), 1)
    return true
  })
  return { startMs: fromMs, lengthMs: toMs - fromMs, bucket }
}
