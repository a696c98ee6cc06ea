// Reads buckets from the cells of their rows, and holds what is made of those that consist of rows alone.

import { type Digests, type HeldRow, identifyRows, sumKeyOf } from '../../../rollups/digests.ts'
import { readRollups } from '../../../rollups/read.ts'
import type { SumKey } from '../../../rollups/row-memory.ts'
import { floorTo, tiers } from '../../../rollups/tiers.ts'
import { readEvents } from '../../../sketches/total-codec.ts'
import type { Window } from '../../window.ts'
import { findBucket } from '../aggregate-grid.ts'
import { addCells } from './add-cells.ts'
import { counting, eventsOfPart } from './count-events.ts'
import { eventsOf, type RowPoints } from './row-points.ts'
import type { HeldCellPass, StatsStore } from './source.ts'

type BucketRead = {
  readonly rows: HeldRow[]
  events: number
  /** Whether it contains deltas or events, which later reads have to read again. */
  hasRest: boolean
  /** Whether the cells of a row were left out. */
  isIncomplete: boolean
}

type Held = { readonly made: unknown; readonly events: number }
type Pass = { readonly window: Window; readonly cutsMs: readonly number[]; readonly into: HeldCellPass }

/** Returns the number of events in the window. Throws Outage. */
export async function readHeldBuckets(store: StatsStore, workspaceId: string, pass: Pass): Promise<number> {
  const { window, into } = pass
  const { held } = into
  let events = 0
  const count = (bucket: BucketRead, no: number): void => {
    events += bucket.events
    if (bucket.hasRest || bucket.rows.length === 0) return
    const { made, bytes } = held.make(no)
    const sum: Held = { made, events: bucket.events }
    store.rows.keepSum(workspaceId, keyOf(held.name, bucket), { made: sum, bytes })
  }
  const first = await readBuckets(store, workspaceId, pass, true)
  events += first.aloneEvents
  const lacking: number[] = []
  for (const [no, bucket] of first.buckets) {
    if (!bucket.isIncomplete) {
      count(bucket, no)
      continue
    }
    held.clear(no)
    const sum = bucket.hasRest ? null : store.rows.findSum(workspaceId, keyOf(held.name, bucket))
    if (sum === null) lacking.push(no)
    else {
      const { made, events: more } = sum.made as Held
      held.take(no, made)
      events += more
    }
  }
  for (const [from, to] of joinAdjacent(lacking)) {
    const again = await readBuckets(
      store,
      workspaceId,
      { ...pass, window: clip(window, held.startsMs, from, to) },
      false,
    )
    events += again.aloneEvents
    for (const [no, bucket] of again.buckets) count(bucket, no)
  }
  return events
}

async function readBuckets(
  { db, rows: memory }: StatsStore,
  workspaceId: string,
  { window, cutsMs, into }: Pass,
  leavesOut: boolean,
): Promise<{ readonly buckets: ReadonlyMap<number, BucketRead>; readonly aloneEvents: number }> {
  const { held, alone } = into
  const buckets = new Map<number, BucketRead>()
  const bucketAt = (startMs: number): BucketRead => {
    const no = findBucket(held.startsMs, startMs)
    const known = buckets.get(no) ?? { rows: [], events: 0, hasRest: false, isIncomplete: false }
    buckets.set(no, known)
    return known
  }
  // Later reads have to read the others in any case: a window that cuts a bucket needs its minutes and events.
  const isWhole = (no: number): boolean => {
    const [from, to] = [held.startsMs[no], held.startsMs[no + 1]]
    return from !== undefined && to !== undefined && isHour(from) && isHour(to) && isWithin(window, from, to)
  }
  let aloneEvents = 0
  const each = identifyRows({
    name: `cells ${held.name}`,
    tiers: held.tiers,
    isTakenAt: (startMs) => isWhole(findBucket(held.startsMs, startMs)),
    leavesOut,
    takeRow(row, bytes) {
      const bucket = bucketAt(row.startMs)
      bucket.rows.push(row)
      if (bytes === null) bucket.isIncomplete = true
      else {
        bucket.events += readEvents(bytes.total)
        addCells({ startMs: row.startMs, ...bytes }, into)
      }
    },
  })
  const countAlone = (points: RowPoints): unknown => (aloneEvents += eventsOf(points))
  const digests: Digests = { memory, each, ...(alone === undefined ? {} : { alone: counting(alone, countAlone) }) }
  await readRollups(db, workspaceId, window, { cells: true, digests, cutsMs }, (part) => {
    const bucket = bucketAt(part.startMs)
    bucket.hasRest = true
    bucket.events += eventsOfPart(part)
    addCells(part, into)
  })
  return { buckets, aloneEvents }
}

const isHour = (ms: number): boolean => ms === floorTo(ms, tiers.hour)

const isWithin = ({ from, to }: Window, fromMs: number, toMs: number): boolean =>
  from.getTime() <= fromMs && toMs <= to.getTime()

const keyOf = (name: string, { rows }: BucketRead): SumKey => sumKeyOf(`cells of ${name}`, rows)

/** Joins adjacent numbers: the first one, and the one after the last. */
function joinAdjacent(numbers: readonly number[]): [from: number, to: number][] {
  const runs: [number, number][] = []
  for (const no of numbers.toSorted((a, b) => a - b)) {
    const last = runs.at(-1)
    if (last?.[1] === no) last[1] = no + 1
    else runs.push([no, no + 1])
  }
  return runs
}

const clip = ({ from, to }: Window, startsMs: readonly number[], first: number, end: number): Window => ({
  from: new Date(first === 0 ? from : Math.max(from.getTime(), startsMs[first] ?? -Infinity)),
  to: new Date(Math.min(to.getTime(), startsMs[end] ?? Infinity)),
})
