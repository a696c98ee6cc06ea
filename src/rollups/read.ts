// Floor 3. The rollups of a window, from one snapshot: days, hours and minutes as far as each goes, what is not folded yet, and
// events where the window cuts a minute.
import { addFact, addFactToTotal, type Bucket, makeBucket } from '../measure/bucket.ts'
import { type Delta, mergeEncodedDelta, mergeEncodedSets } from '../measure/delta.ts'
import type { SetName } from '../measure/members.ts'
import type { Database, Snapshot } from '../store/database.ts'
import { copyDeltas } from './copy-deltas.ts'
import { copyFacts } from './copy-facts.ts'
import { type Copy, copyOut, told } from './copy-out.ts'
import { type DigestReader, type Digests, openDigest, type Taken } from './digests.ts'
import { sortEdges } from './edges.ts'
import { type BareRow, seekRows } from './seek-rows.ts'
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
  { cells, cutsMs, ...options }: ReadOptions,
  take: (part: Part) => void,
): Promise<void> {
  const pieces = cutUp({ fromMs: window.from.getTime(), toMs: window.to.getTime() }, cutsMs)
  await readPieces(db, workspaceId, { ...options, pieces, columns: cells ? 'cells' : 'total' }, (piece) => {
    const place = { startMs: piece.startMs, lengthMs: piece.lengthMs }
    if ('row' in piece) take({ ...place, total: told(piece.row.total), cells: piece.row.cells })
    else take({ ...place, bucket: told(piece.bucket) })
  })
}

/** What is wanted of a window: the pieces of it that no row may reach across, in order, and what of its rows. */
export type PiecesOptions = Pick<ReadOptions, 'digests' | 'maxEdgeEvents'> & {
  readonly pieces: readonly Span[]
  readonly columns: 'total' | 'cells' | SetName
}

/** Part of a piece. A bucket is null where a delta does not know its sets. */
export type PieceOf = { readonly startMs: number; readonly lengthMs: number } & (
  | { readonly row: BareRow }
  | { readonly bucket: Bucket | null }
)

type Take = (part: PieceOf) => void

/** As readRollups does; of rows and deltas no more than is wanted. */
export async function readPieces(
  db: Database,
  workspaceId: string,
  { pieces, columns, digests, maxEdgeEvents = 50_000 }: PiecesOptions,
  take: Take,
): Promise<void> {
  const edges = listEdges(pieces)
  const few = Math.min(fewEdgeEvents, maxEdgeEvents)
  await db.snapshot(async (tx) => {
    const open = openDigests(workspaceId, digests)
    const asked = { workspaceId, columns, ...open((startMs) => startMs), pieces, edges, maxEvents: few }
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
  readonly columns: PiecesOptions['columns']
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
async function readSpans(tx: Snapshot, asked: Asked, take: Take): Promise<ReadonlySet<Span>> {
  const { workspaceId, columns, pieces, edges, maxEvents } = asked
  const cells = columns !== 'total'
  const minutes = listWhole(pieces, tiers.minute)
  const touched: Readonly<Record<Tier, Set<number>>> = { 0: new Set(), 1: new Set(), 2: new Set() }
  const deltas = copyUnfolded(asked, minutes, (startMs, bucket) => {
    for (const tier of Object.values(tiers)) touched[tier].add(floorTo(startMs, tier))
    take({ startMs, lengthMs: minuteMs, bucket })
  })
  const isTouched = (tier: Tier, startMs: number): boolean => touched[tier].has(startMs)
  const next = seekRows({ ...asked, isTouched }, (row) =>
    take({ startMs: row.startMs, lengthMs: lengthMs[row.tier], row }),
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
  { workspaceId, columns }: Asked,
  minutes: readonly Span[],
  take: (startMs: number, bucket: Bucket | null) => void,
): Copy | null {
  const [first] = minutes
  if (first === undefined) return null
  const window = {
    fromMs: Math.min(...minutes.map(({ fromMs }) => fromMs)),
    toMs: Math.max(...minutes.map(({ toMs }) => toMs)),
  }
  const takeMinutes = (delta: Delta): void => {
    for (const [ms, bucket] of delta) {
      if (minutes.some(({ fromMs, toMs }) => ms >= fromMs && ms < toMs)) take(ms, bucket)
    }
  }
  if (columns === 'total' || columns === 'cells') {
    // Damaged: folding is about to set it aside, to tell of it, and to count its time anew.
    const read = (bytes: Buffer | null): Delta =>
      tryRead((into) => mergeEncodedDelta(into, told(bytes), columns === 'cells')) ?? new Map()
    return copyDeltas(workspaceId, window, 'body', (bytes) => takeMinutes(read(bytes)))
  }
  return copyDeltas(workspaceId, window, 'sets', (bytes) => {
    const delta = bytes === null ? null : tryRead((into) => mergeEncodedSets(into, bytes))
    if (delta !== null) takeMinutes(delta)
    // Which minutes it touches is not known either.
    else take(first.fromMs, null)
  })
}

/** Null where the bytes are damaged. */
function tryRead(read: (into: Delta) => void): Delta | null {
  const delta: Delta = new Map()
  try {
    read(delta)
    return delta
  } catch {
    return null
  }
}
