// Floor 3. The rollups of a window, from one snapshot: days, hours and minutes as far as each goes, what is not folded yet, and
// events where the window cuts a minute.
import { addFact, addFactToTotal, type Bucket, makeBucket } from '../measure/bucket.ts'
import { type Delta, mergeEncodedDelta } from '../measure/delta.ts'
import type { Database, Snapshot } from '../store/database.ts'
import { copyDeltas } from './copy-deltas.ts'
import { copyFacts } from './copy-facts.ts'
import { type Copy, copyOut } from './copy-out.ts'
import { type DigestReader, type Digests, openDigest, type Taken } from './digests.ts'
import { sortEdges } from './edges.ts'
import { seekRows } from './seek-rows.ts'
import { cutUp, listEdges, listWhole, type Span } from './spans.ts'
import { floorTo, lengthMs, minuteMs, type Tier, tiers } from './tiers.ts'

/**
 * One stretch of time, whole: a stored row as its bytes, which are good until the part has been taken, or a bucket (what is not
 * folded, edges).
 */
export type Part = { readonly startMs: number; readonly lengthMs: number } & (
  | { readonly total: Uint8Array; readonly cells: Uint8Array | null }
  | { readonly bucket: Bucket }
)

export type ReadOptions = {
  /** Whether parts come with their cells. */
  readonly cells: boolean
  /** Rows that there is a digest for come as that, and as no part. */
  readonly digests?: Digests
  /** Ascending times that no part may reach across. One that is no whole minute costs a look at events. */
  readonly cutsMs: readonly number[]
  /** Events that are counted one by one where the window cuts a minute. With more, its ends are rounded to the minute. */
  readonly maxEdgeEvents?: number
}

type Take = (part: Part) => void

// More of them in a part of a minute are asked about before they are counted: its row may tell the same.
const fewEdgeEvents = 500

/**
 * Gives the parts as they come, in no order; several may be of the same stretch, to be added up. An unaligned window of 30 days is
 * about 200 rows, in one round trip. Times of the window are whole milliseconds. Exact, but that a minute which it cuts and which has
 * too many events is rounded, and that distinct counts lag behind settling by about a minute. Throws Outage.
 */
export async function readRollups(
  db: Database,
  workspaceId: string,
  window: { readonly from: Date; readonly to: Date },
  { cells, digests, cutsMs, maxEdgeEvents = 50_000 }: ReadOptions,
  take: Take,
): Promise<void> {
  const pieces = cutUp({ fromMs: window.from.getTime(), toMs: window.to.getTime() }, cutsMs)
  const edges = listEdges(pieces)
  const few = Math.min(fewEdgeEvents, maxEdgeEvents)
  await db.snapshot(async (tx) => {
    const open = openDigests(workspaceId, digests)
    const asked = { workspaceId, cells, ...open((startMs) => startMs), pieces, edges, maxEvents: few }
    const over = await readPieces(tx, asked, take)
    if (over.size === 0) return
    const { exact, whole } = await sortEdges(tx, workspaceId, edges, over, maxEdgeEvents)
    const minutes = [...whole.keys()].map((fromMs) => ({ fromMs, toMs: fromMs + minuteMs }))
    const { each } = open((startMs) => whole.get(startMs)?.fromMs ?? startMs)
    await readPieces(tx, { ...asked, each, alone: null, pieces: minutes, edges: exact, maxEvents: null }, (part) => {
      const edge = whole.get(part.startMs)
      take(edge === undefined ? part : { ...part, startMs: edge.fromMs, lengthMs: edge.toMs - edge.fromMs })
    })
  })
}

function openDigests(workspaceId: string, digests: Digests | undefined) {
  return (placeOf: (startMs: number) => number) => {
    const open = (taken: Taken<unknown> | undefined): DigestReader | null =>
      digests === undefined || taken === undefined ? null : openDigest(digests.memory, workspaceId, taken, placeOf)
    return { alone: open(digests?.alone), each: open(digests?.each) }
  }
}

type Asked = {
  readonly workspaceId: string
  readonly cells: boolean
  readonly alone: DigestReader | null
  readonly each: DigestReader | null
  /** Whole minutes of them are told by rows and deltas. */
  readonly pieces: readonly Span[]
  /** Told by their events. */
  readonly edges: readonly Span[]
  /** An edge that has more is not told at all. */
  readonly maxEvents: number | null
}

/** Gives the edges that have too many events. */
async function readPieces(tx: Snapshot, asked: Asked, take: Take): Promise<ReadonlySet<Span>> {
  const { workspaceId, cells, pieces, edges, maxEvents } = asked
  const minutes = listWhole(pieces, tiers.minute)
  const touched: Readonly<Record<Tier, Set<number>>> = { 0: new Set(), 1: new Set(), 2: new Set() }
  const deltas = copyUnfolded(asked, minutes, (startMs, bucket) => {
    for (const tier of Object.values(tiers)) touched[tier].add(floorTo(startMs, tier))
    take({ startMs, lengthMs: minuteMs, bucket })
  })
  const isTouched = (tier: Tier, startMs: number): boolean => touched[tier].has(startMs)
  const next = seekRows({ ...asked, isTouched }, ({ tier, startMs, total, cells: own }) =>
    take({ startMs, lengthMs: lengthMs[tier], total, cells: own }),
  )
  const counts = edges.map((edge) => ({ edge, bucket: makeBucket(), events: 0 }))
  const facts = copyFacts(
    workspaceId,
    edges,
    { maxFacts: maxEvents === null ? null : maxEvents + 1, cells },
    (place, fact) => {
      const count = counts[place]
      if (count === undefined) return
      count.events += 1
      if (cells) addFact(count.bucket, fact, 1)
      else addFactToTotal(count.bucket.total, fact)
    },
  )
  // Deltas before rows: whether a row is alone is known when it comes.
  const first = [deltas, next(), edges.length === 0 ? null : facts]
  await copyOut(
    tx,
    first.filter((copy) => copy !== null),
  )
  for (let copy = next(); copy !== null; copy = next()) await copyOut(tx, [copy])
  const over = counts.filter(({ events }) => maxEvents !== null && events > maxEvents).map(({ edge }) => edge)
  for (const { edge, bucket } of counts) {
    if (over.includes(edge)) continue
    take({ startMs: edge.fromMs, lengthMs: edge.toMs - edge.fromMs, bucket })
  }
  return new Set(over)
}

/** The minutes of deltas that lie in the spans; null where there are no spans. */
function copyUnfolded(
  { workspaceId, cells }: Asked,
  minutes: readonly Span[],
  take: (startMs: number, bucket: Bucket) => void,
): Copy | null {
  if (minutes.length === 0) return null
  const window = {
    fromMs: Math.min(...minutes.map(({ fromMs }) => fromMs)),
    toMs: Math.max(...minutes.map(({ toMs }) => toMs)),
  }
  return copyDeltas(workspaceId, window, (body) => {
    const delta: Delta = body.length === 0 ? new Map() : readBody(body, cells)
    for (const [ms, bucket] of delta) {
      if (minutes.some(({ fromMs, toMs }) => ms >= fromMs && ms < toMs)) take(ms, bucket)
    }
  })
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
