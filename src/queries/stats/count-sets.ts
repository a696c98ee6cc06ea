// Counts the traces, sessions or inputs of a window exactly, by the sets of its rollups, if their sketches show that there are few
// enough. What was counted of stored rows is held until one of the rows changes.

import { readSets } from '../../rollups/read-sets.ts'
import { cutUp, type TimeSpan } from '../../rollups/spans.ts'
import { floorTo, lengthMs, tiers } from '../../rollups/tiers.ts'
import type { SetName } from '../../sketches/sets.ts'
import type { Window } from '../window.ts'
import {
  addHeldRow,
  addRest,
  type BucketCounts,
  type BucketSets,
  countBucket,
  openBucketSets,
  type SetCountRequest,
} from './bucket-sets.ts'
import type { StatsStore } from './source/source.ts'

// An estimate of 100,000 members hardly ever exceeds this: it is six standard errors away.
const maxEstimate = 110_000

/** Whether a set with this estimate is counted exactly. */
export const isCountable = (estimate: number): boolean => estimate <= maxEstimate

/**
 * The bytes that one answer may read. If they do not suffice, the answer keeps its estimates. Reading them takes a fraction of a second.
 */
export type CountBudget = { bytes: number }

export const openBudget = (): CountBudget => ({ bytes: 67_108_864 })

// The limit of members counted at a time; some ten megabytes.
const maxMembers = 2_097_152

/** Returns the number of members of a bucket and place. */
export type Counts<Name extends SetName> = (name: Name, bucket: number, place: number) => number

/** Returns null if not all members are known, or if the budget is exceeded. Throws Outage. */
export async function countSets<Name extends SetName>(
  store: StatsStore,
  request: SetCountRequest<Name>,
  budget: CountBudget,
): Promise<Counts<Name> | null> {
  const { reads, names, bucketOf } = request
  const { bytes } = budget
  const counts = new Map<number, BucketCounts>()
  const first = await readBuckets(store, request, { reads, budget, leavesOut: true })
  if (first === 'unknown') return null
  /** Returns the numbers of the buckets that must be read with all of their sets. */
  const count = (buckets: ReadonlyMap<number, BucketSets>): ReadonlySet<number> => {
    const lacking = new Set<number>()
    for (const [no, bucket] of buckets) {
      const counted = countBucket(store.rows, request, bucket)
      if (counted === null) lacking.add(no)
      else counts.set(no, counted)
    }
    return lacking
  }
  // Null: all.
  const lacking = first === 'left out' ? null : count(first)
  const isRead = ({ fromMs }: TimeSpan): boolean => lacking === null || lacking.has(bucketOf(fromMs))
  const again = reads.map((spans) => spans.filter(isRead))
  // What is read twice counts once.
  if (again.some(({ length }) => length > 0)) budget.bytes = bytes
  const second = await readBuckets(store, request, { reads: again, budget, leavesOut: false })
  if (typeof second === 'string') return null
  count(second)
  return (name, bucket, place) => counts.get(bucket)?.[names.indexOf(name)]?.[place] ?? 0
}

type BucketsRead = {
  readonly reads: readonly (readonly TimeSpan[])[]
  readonly budget: CountBudget
  /** Whether the sets of held rows are left out. */
  readonly leavesOut: boolean
}

/**
 * Returns the buckets by number. `unknown`: not all members are known, or the budget is exceeded. `left out`: sets were left out of a row
 * that is not held.
 */
async function readBuckets(
  { db, rows }: StatsStore,
  request: SetCountRequest<SetName>,
  { reads, budget, leavesOut }: BucketsRead,
): Promise<ReadonlyMap<number, BucketSets> | 'unknown' | 'left out'> {
  const { workspaceId, names, bucketOf, placing, heldTiers } = request
  const buckets = new Map<number, BucketSets>()
  let size = 0
  let isLeftOut = false
  const grow = (startMs: number, sets: Uint8Array | null, add: (bucket: BucketSets) => number): void => {
    budget.bytes -= sets?.byteLength ?? 0
    if (size > maxMembers) return
    const no = bucketOf(startMs)
    const bucket = buckets.get(no) ?? openBucketSets(names)
    buckets.set(no, bucket)
    size += add(bucket)
  }
  const holder = {
    memory: rows,
    name: `${names.join()} ${placing}`,
    tiers: heldTiers,
    leavesOut,
    takeRow: (row) => grow(row.startMs, row.sets, (bucket) => addHeldRow(bucket, request, row)),
    onLeftOut: () => (isLeftOut = true),
  } satisfies Parameters<typeof readSets>[5]
  for (const spans of reads) {
    if (spans.length === 0) continue
    if (budget.bytes <= 0) return 'unknown'
    const isKnown = await readSets(
      db,
      workspaceId,
      spans,
      names,
      (part) => grow(part.startMs, 'sets' in part ? part.sets : null, (bucket) => addRest(bucket, request, part)),
      holder,
    )
    if (isLeftOut) return 'left out'
    if (!isKnown || size > maxMembers) return 'unknown'
  }
  return buckets
}

/** The tiers of the rows that a window keeps when its ends move. */
export const windowTiers = [tiers.day]

const eventsAtOnce = 4_000_000

/** Splits a window into parts of some days each, which are read one after the other, so that each has a limited number of events. */
export function splitUp({ from, to }: Window, events: number): TimeSpan[][] {
  const window = { fromMs: from.getTime(), toMs: to.getTime() }
  const dayMs = lengthMs[tiers.day]
  const days = Math.max(1, Math.floor(((window.toMs - window.fromMs) / dayMs) * (eventsAtOnce / Math.max(1, events))))
  const cutsMs: number[] = []
  for (let ms = floorTo(window.fromMs, tiers.day); ms < window.toMs; ms += days * dayMs) cutsMs.push(ms)
  return cutUp(window, cutsMs).map((span) => [span])
}
