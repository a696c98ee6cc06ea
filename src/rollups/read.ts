// Reads the rollups of a window from one snapshot: rows of days, hours and minutes as far as each tier reaches, deltas that are not folded
// yet, and events where the window cuts a minute.
import { Outage } from '../base/fault.ts'
import { addFact, addFactToTotal, type Bucket, makeBucket, makeSketchedBucket } from '../sketches/bucket.ts'
import { NewerFormat } from '../sketches/byte-reader.ts'
import { type Delta, eachSets, mergeEncodedDelta } from '../sketches/delta.ts'
import { type Copy, required } from '../store/copy-out.ts'
import type { Database, Snapshot } from '../store/database.ts'
import { copyDeltas } from './copy-deltas.ts'
import { copyFacts } from './copy-facts.ts'
import { type DigestConsumer, type DigestReader, type Digests, openDigest } from './digests.ts'
import { sortEdges } from './edges.ts'
import { type BareRow, seekRows } from './seek-rows.ts'
import { cutUp, listEdges, listWhole, type TimeSpan } from './spans.ts'
import { floorTo, lengthMs, minuteMs, type Tier, tiers } from './tiers.ts'

/** One whole interval of time: a stored row as bytes, which are valid until the part has been taken, or a bucket (deltas, edges). */
export type Part = { readonly startMs: number; readonly lengthMs: number } & (
  | { readonly total: Uint8Array; readonly cells: Uint8Array | null }
  | { readonly bucket: Bucket }
)

export type ReadOptions = {
  /** Whether parts include their cells. */
  readonly cells: boolean
  /** Rows that have a digest are passed to its reader and not as parts. */
  readonly digests?: Digests
  /** Ascending times that no part may cross. A cut within a minute costs a scan of events. */
  readonly cutsMs: readonly number[]
  /**
   * Maximum number of events that are counted one by one where the window cuts a minute. If there are more, that end is rounded to the
   * minute.
   */
  readonly maxEdgeEvents?: number
}

// With more events in a part of a minute, they are probed before they are counted: the row of the minute may give the same result.
const fewEdgeEvents = 500

/**
 * Passes the parts to `take` as they arrive, in no order. Several parts may cover the same interval; they have to be added up. An unaligned
 * window of 30 days is about 200 rows, in one round trip. Times of the window are whole milliseconds. Exact, except that a minute which the
 * window cuts and which has too many events is rounded, and that distinct counts lag behind settling by about a minute. Throws Outage.
 */
export async function readRollups(
  db: Database,
  workspaceId: string,
  window: { readonly from: Date; readonly to: Date },
  { cells, cutsMs, ...options }: ReadOptions,
  take: (part: Part) => void,
): Promise<void> {
  const pieces = cutUp({ fromMs: window.from.getTime(), toMs: window.to.getTime() }, cutsMs)
  await readPieces(db, workspaceId, { ...options, pieces, columns: cells ? 'cells' : 'total' }, (piece) => {
    const place = { startMs: piece.startMs, lengthMs: piece.lengthMs }
    if ('bucket' in piece) take({ ...place, bucket: piece.bucket })
    else take({ ...place, total: required(piece.total), cells: piece.cells })
  })
}

/** The pieces of a window that no row may cross, in order, and what is wanted of their rows. */
export type PiecesOptions = Pick<ReadOptions, 'digests' | 'maxEdgeEvents'> & {
  readonly pieces: readonly TimeSpan[]
  readonly columns: 'total' | 'cells' | 'sets'
  /** For sets: whether they include what is requested. If not, the sets of shorter rows are read. */
  readonly hasWantedSets?: (sets: Buffer) => boolean
}

/** Part of a piece: a bucket, or bytes of a row. If sets are wanted, `total` holds the sets, or null if they are not known. */
export type PieceOf = { readonly startMs: number; readonly lengthMs: number } & (
  | Pick<BareRow, 'total' | 'cells' | 'isLeftOut'>
  | { readonly bucket: Bucket }
)

type Take = (part: PieceOf) => void

/** Like `readRollups`, but reads only the wanted columns of rows and deltas. */
export async function readPieces(
  db: Database,
  workspaceId: string,
  { pieces, columns, hasWantedSets: isTold = () => true, digests, maxEdgeEvents = 50_000 }: PiecesOptions,
  take: Take,
): Promise<void> {
  const edges = listEdges(pieces)
  const few = Math.min(fewEdgeEvents, maxEdgeEvents)
  const reading = db.snapshot(async (tx) => {
    const open = openDigests(workspaceId, digests)
    const asked = { workspaceId, columns, isTold, ...open((startMs) => startMs), pieces, edges, maxEvents: few }
    const over = await readSpans(tx, asked, take)
    if (over.size === 0) return
    const { exact, whole } = await sortEdges(tx, workspaceId, edges, over, maxEdgeEvents)
    const minutes = [...whole.keys()].map((fromMs) => ({ fromMs, toMs: fromMs + minuteMs }))
    const { each } = open((startMs) => whole.get(startMs)?.fromMs ?? startMs)
    await readSpans(tx, { ...asked, each, alone: null, pieces: minutes, edges: exact, maxEvents: null }, (part) => {
      const edge = whole.get(part.startMs)
      take(edge === undefined ? part : { ...part, startMs: edge.fromMs, lengthMs: edge.toMs - edge.fromMs })
    })
  })
  await reading.catch(refuseNewer)
}

/** Partial numbers would be a wrong answer; a process of the newer release can give the right one. */
function refuseNewer(error: unknown): never {
  if (!(error instanceof NewerFormat)) throw error
  throw new Outage('failure', 'these numbers were written by a newer release, which this process cannot read', {
    cause: error,
  })
}

function openDigests(workspaceId: string, digests: Digests | undefined) {
  return (placeOf: (startMs: number) => number) => {
    const open = (taken: DigestConsumer<unknown> | undefined): DigestReader | null =>
      digests === undefined || taken === undefined ? null : openDigest(digests.memory, workspaceId, taken, placeOf)
    return { alone: open(digests?.alone), each: open(digests?.each) }
  }
}

type Asked = {
  readonly workspaceId: string
  readonly columns: PiecesOptions['columns']
  readonly isTold: (sets: Buffer) => boolean
  readonly alone: DigestReader | null
  readonly each: DigestReader | null
  /** Their whole minutes are read from rows and deltas. */
  readonly pieces: readonly TimeSpan[]
  /** Read from their events. */
  readonly edges: readonly TimeSpan[]
  /** An edge with more events is left out. */
  readonly maxEvents: number | null
}

/** Returns the edges that have too many events. */
async function readSpans(tx: Snapshot, asked: Asked, take: Take): Promise<ReadonlySet<TimeSpan>> {
  const { workspaceId, columns, pieces, edges, maxEvents } = asked
  const cells = columns !== 'total'
  const minutes = listWhole(pieces, tiers.minute)
  const touched: Readonly<Record<Tier, Set<number>>> = { 0: new Set(), 1: new Set(), 2: new Set() }
  const noteTouched = (startMs: number): void => {
    for (const tier of Object.values(tiers)) touched[tier].add(floorTo(startMs, tier))
  }
  const deltas = columns === 'sets' ? copySets(asked, minutes, take) : copyUnfolded(asked, minutes, noteTouched, take)
  const isTouched = (tier: Tier, startMs: number): boolean => touched[tier].has(startMs)
  const next = seekRows({ ...asked, isTouched }, ({ tier, ...row }) => take({ lengthMs: lengthMs[tier], ...row }))
  const make = columns === 'sets' ? makeBucket : makeSketchedBucket
  const counts = edges.map((edge) => ({ edge, bucket: make(), events: 0 }))
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
  // Deltas are read before rows, so that it is known whether a row is alone when it arrives.
  const first = [deltas, next(), edges.length === 0 ? null : facts]
  await tx.copyOut(first.filter((copy) => copy !== null))
  for (let copy = next(); copy !== null; copy = next()) await tx.copyOut([copy])
  const over = counts.filter(({ events }) => maxEvents !== null && events > maxEvents).map(({ edge }) => edge)
  for (const { edge, bucket } of counts) {
    if (over.includes(edge)) continue
    take({ startMs: edge.fromMs, lengthMs: edge.toMs - edge.fromMs, bucket })
  }
  return new Set(over)
}

/** Reads the minutes of deltas that lie in the spans; null if there are no spans. */
function copyUnfolded(
  { workspaceId, columns }: Asked,
  minutes: readonly TimeSpan[],
  onMinute: (startMs: number) => void,
  take: Take,
): Copy | null {
  const hull = hullOf(minutes)
  if (hull === null) return null
  return copyDeltas(workspaceId, hull, 'body', (body) => {
    for (const [startMs, bucket] of readBody(required(body), columns === 'cells')) {
      if (!isIn(minutes, startMs)) continue
      onMinute(startMs)
      take({ startMs, lengthMs: minuteMs, bucket })
    }
  })
}

function readBody(body: Buffer, withCells: boolean): Delta {
  const delta: Delta = new Map()
  try {
    mergeEncodedDelta(delta, body, withCells)
    return delta
  } catch (error) {
    if (error instanceof NewerFormat) throw error
    // Damaged: folding will set it aside, report it, and recompute its time range.
    return new Map()
  }
}

/** The same for the sets of deltas. */
function copySets({ workspaceId, isTold }: Asked, minutes: readonly TimeSpan[], take: Take): Copy | null {
  const hull = hullOf(minutes)
  if (hull === null) return null
  const takeMinute = (startMs: number, sets: Buffer): void => {
    if (!isIn(minutes, startMs)) return
    take({ startMs, lengthMs: minuteMs, total: isTold(sets) ? sets : null, cells: null })
  }
  return copyDeltas(workspaceId, hull, 'sets', (bytes) => {
    if (bytes !== null) eachSets(bytes, takeMinute)
    // The minutes that it touches are not known either.
    else take({ startMs: hull.fromMs, lengthMs: minuteMs, total: null, cells: null })
  })
}

function hullOf(spans: readonly TimeSpan[]): TimeSpan | null {
  if (spans.length === 0) return null
  return {
    fromMs: Math.min(...spans.map(({ fromMs }) => fromMs)),
    toMs: Math.max(...spans.map(({ toMs }) => toMs)),
  }
}

const isIn = (spans: readonly TimeSpan[], ms: number): boolean =>
  spans.some(({ fromMs, toMs }) => ms >= fromMs && ms < toMs)
