// Floor 3. The rollups of a window, from one snapshot: days, hours and minutes as far as each goes, what is not folded yet, and
// events where the window cuts a minute.
import { addFact, type Bucket, makeBucket } from '../measure/bucket.ts'
import { type Delta, mergeEncodedDelta } from '../measure/delta.ts'
import { makeFact } from '../measure/fact.ts'
import { hasHead } from '../measure/total-codec.ts'
import type { Database, Tx } from '../store/database.ts'
import { eachFact } from './each-fact.ts'
import { sortEdges } from './edges.ts'
import { fillFact } from './read-facts.ts'
import { readTier, type TierRow } from './read-tier.ts'
import { cutUp, listEdges, listWhole, type Span, subtract } from './spans.ts'
import { floorTo, lengthMs, minuteMs, type Tier, tiers } from './tiers.ts'

/** One stretch of time, whole: a stored row as its bytes, or a bucket (what is not folded, edges). */
export type Part = { readonly startMs: number; readonly lengthMs: number; readonly isAlone: boolean } & (
  | { readonly total: Uint8Array; readonly cells: Uint8Array | null }
  | { readonly bucket: Bucket }
)

export type ReadOptions = {
  /** Whether parts come with their cells. */
  readonly cells: boolean
  /** Whether a row that is all there is between two cuts is told so. Without cells it then has its head, and may have no more. */
  readonly alone?: boolean
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
  { cells, alone = false, cutsMs, maxEdgeEvents = 50_000 }: ReadOptions,
  take: Take,
): Promise<void> {
  const pieces = cutUp({ fromMs: window.from.getTime(), toMs: window.to.getTime() }, cutsMs)
  const minutes = listWhole(pieces, tiers.minute)
  await db.tx(
    async (tx) => {
      const edges = await sortEdges(tx, workspaceId, listEdges(pieces), maxEdgeEvents)
      const rows: Rows = { workspaceId, cells, edges: edges.whole }
      const wholes = [...edges.whole.keys()].map((fromMs) => ({ fromMs, toMs: fromMs + minuteMs }))
      const unfolded = await readUnfolded(tx, rows, [...minutes, ...wholes], take)
      const lone = alone ? listUntouched(pieces, unfolded) : []
      const read = async (tier: Tier, spans: readonly Span[]): Promise<number[]> =>
        await readRows(tx, rows, { tier, spans, lone }, take)
      const days = await read(tiers.day, listWhole(pieces, tiers.day))
      const hours = await read(tiers.hour, subtract(listWhole(pieces, tiers.hour), days, tiers.day))
      const left = subtract(subtract(minutes, days, tiers.day), hours, tiers.hour)
      await read(tiers.minute, [...left, ...wholes])
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

/** Those of the pieces in order that nothing unfolded lies in. */
function listUntouched(pieces: readonly Span[], minutes: ReadonlySet<number>): readonly Span[] {
  if (minutes.size === 0) return pieces
  const sorted = [...minutes].sort((a, b) => a - b)
  let at = 0
  return pieces.filter(({ fromMs, toMs }) => {
    while ((sorted[at] ?? Number.POSITIVE_INFINITY) < fromMs) at += 1
    return (sorted[at] ?? Number.POSITIVE_INFINITY) >= toMs
  })
}

type Wanted = {
  readonly tier: Tier
  readonly spans: readonly Span[]
  /** Pieces in which a row would be alone, if it is as long. */
  readonly lone: readonly Span[]
}

/** Gives the starts of what it found. */
async function readRows(tx: Tx, rows: Rows, { tier, spans, lone }: Wanted, take: Take): Promise<number[]> {
  const { workspaceId, cells } = rows
  const show = (isAlone: boolean, some: readonly TierRow[]): void =>
    take(
      some.map((row) => ({
        ...place(rows, tier, row.start_s * 1_000),
        isAlone,
        total: row.total,
        cells: row.cells ?? null,
      })),
    )
  const ofTier = lone.filter(({ fromMs, toMs }) => toMs - fromMs === lengthMs[tier] && fromMs === floorTo(fromMs, tier))
  const headless: Span[] = []
  const heads = { workspaceId, tier, columns: cells ? 'cells' : 'heads' } as const
  const found = await readTier(tx, heads, listWhole(ofTier, tier), (some) => {
    const { ready = [], others = [] } = Object.groupBy(some, ({ total }) =>
      cells || hasHead(total) ? 'ready' : 'others',
    )
    show(true, ready)
    for (const { start_s } of others) headless.push({ fromMs: start_s * 1_000, toMs: start_s * 1_000 + lengthMs[tier] })
  })
  const whole = { workspaceId, tier, columns: cells ? 'cells' : 'totals' } as const
  await readTier(tx, whole, listWhole(headless, tier), (some) => show(false, some))
  const others = subtract(
    spans,
    ofTier.map(({ fromMs }) => fromMs),
    tier,
  )
  return [...found, ...(await readTier(tx, whole, others, (some) => show(false, some)))]
}

function place({ edges }: Rows, tier: Tier, startMs: number): { startMs: number; lengthMs: number } {
  const edge = tier === tiers.minute ? edges.get(startMs) : undefined
  if (edge === undefined) return { startMs, lengthMs: lengthMs[tier] }
  return { startMs: edge.fromMs, lengthMs: edge.toMs - edge.fromMs }
}

const pageDeltas = 100

/** The minutes of deltas that lie in the spans: gives them, and takes what they hold. */
async function readUnfolded(tx: Tx, rows: Rows, spans: readonly Span[], take: Take): Promise<Set<number>> {
  const told = new Set<number>()
  if (spans.length === 0) return told
  const fromMs = Math.min(...spans.map((span) => span.fromMs))
  const toMs = Math.max(...spans.map((span) => span.toMs))
  let afterId = 0
  for (;;) {
    const values = [rows.workspaceId, fromMs / 1_000, toMs / 1_000, afterId, pageDeltas]
    const page = await tx.rows<{ id: number; body: Buffer }>('rollups/read-deltas', values)
    for (const { body } of page) {
      const delta: Delta = body.length === 0 ? new Map() : readBody(body, rows.cells)
      const inside = [...delta].filter(([ms]) => spans.some((span) => ms >= span.fromMs && ms < span.toMs))
      for (const [ms] of inside) told.add(ms)
      take(inside.map(([startMs, bucket]) => ({ ...place(rows, tiers.minute, startMs), isAlone: false, bucket })))
    }
    const end = page.at(-1)
    if (end === undefined || page.length < pageDeltas) return told
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
  return { startMs: fromMs, lengthMs: toMs - fromMs, isAlone: false, bucket }
}
