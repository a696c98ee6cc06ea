// Counts the members of one bucket of a chart or window: those of its stored rows, and those of the rest of it.

import { type HeldRow, sumKeyOf } from '../../rollups/digests.ts'
import type { HeldSets, SetsPart } from '../../rollups/read-sets.ts'
import type { RowMemory, SumKey } from '../../rollups/row-memory.ts'
import type { TimeSpan } from '../../rollups/spans.ts'
import type { Tier } from '../../rollups/tiers.ts'
import type { CellKey } from '../../sketches/cell.ts'
import { countNumbers } from '../../sketches/number-set.ts'
import type { SetName } from '../../sketches/sets.ts'
import {
  addUnion,
  bytesOfPacked,
  type MemberUnion,
  makeUnion,
  type PackedUnion,
  packUnion,
  uniteSet,
  unpackUnion,
} from './member-union.ts'

export type SetCountRequest<Name extends SetName> = {
  readonly workspaceId: string
  readonly names: readonly Name[]
  /** Ascending spans that do not overlap. The lists are read one after the other, the spans of each list together. */
  readonly reads: readonly (readonly TimeSpan[])[]
  /**
   * Members are counted by bucket (from the start of a part or span) and by place (the index of a series or row). Cells of sessions have
   * only an agent.
   */
  readonly bucketOf: (startMs: number) => number
  /** Returns the place of a cell; null: omit the cell. If the function itself is null, everything counts at place 0. */
  readonly placeOf: ((key: CellKey) => number | null) | null
  /** Equal in requests whose `placeOf` returns the same. */
  readonly placing: string
  /** The tiers of the rows whose counts are cached for later requests with the same rows. */
  readonly heldTiers: readonly Tier[]
}

export type BucketSets = {
  readonly rows: HeldRow[]
  /** In the order of the requested names, as `ofRest`. */
  readonly ofRows: readonly MemberUnion[]
  readonly ofRest: readonly MemberUnion[]
  hasRest: boolean
  /** Whether the sets of a row were left out. */
  isIncomplete: boolean
}

/** The number of members, by name and place. */
export type BucketCounts = readonly (readonly number[])[]

const numberBytes = 8

export const openBucketSets = (names: readonly SetName[]): BucketSets => ({
  rows: [],
  ofRows: names.map(makeUnion),
  ofRest: names.map(makeUnion),
  hasRest: false,
  isIncomplete: false,
})

/** Returns by how many members the bucket has grown. */
export function addHeldRow(bucket: BucketSets, request: SetCountRequest<SetName>, row: HeldSets): number {
  const { startMs, identity, sets } = row
  bucket.rows.push({ startMs, identity })
  if (sets === null) bucket.isIncomplete = true
  // If a row lacks its sets, those of the other rows are held too or will be read again.
  return bucket.isIncomplete || sets === null ? 0 : unite(bucket.ofRows, { startMs, sets }, request)
}

/** Like `addHeldRow`. */
export function addRest(bucket: BucketSets, request: SetCountRequest<SetName>, part: SetsPart): number {
  bucket.hasRest = true
  return unite(bucket.ofRest, part, request)
}

function unite(
  unions: readonly MemberUnion[],
  part: SetsPart,
  { names, placeOf }: Pick<SetCountRequest<SetName>, 'names' | 'placeOf'>,
): number {
  let more = 0
  for (const [at, name] of names.entries()) {
    const union = unions[at]
    if (union === undefined) continue
    more -= union.members.hashes.length
    uniteSet(union, part, name, placeOf)
    more += union.members.hashes.length
  }
  return more
}

/**
 * Returns the counts. Holds them if the bucket consists of rows alone, as the inner buckets of a chart do; otherwise the members of its rows.
 * Returns null if sets of its rows were left out and nothing is held that replaces them.
 */
export function countBucket(
  memory: RowMemory,
  request: SetCountRequest<SetName>,
  bucket: BucketSets,
): BucketCounts | null {
  if (bucket.hasRest) {
    const unions = uniteRows(memory, request, bucket)
    return unions === null ? null : countUnions(addUp(unions, bucket.ofRest))
  }
  const key = keyOf('counts', request, bucket)
  if (bucket.isIncomplete) return (memory.findSum(request.workspaceId, key)?.made ?? null) as BucketCounts | null
  const counts = countUnions(bucket.ofRows)
  const bytes = counts.reduce((sum, { length }) => sum + length * numberBytes, 0)
  memory.keepSum(request.workspaceId, key, { made: counts, bytes })
  return counts
}

function uniteRows(
  memory: RowMemory,
  request: SetCountRequest<SetName>,
  bucket: BucketSets,
): readonly MemberUnion[] | null {
  const { workspaceId } = request
  if (bucket.rows.length === 0) return bucket.ofRows
  const key = keyOf('members', request, bucket)
  if (bucket.isIncomplete) {
    const held = memory.findSum(workspaceId, key)
    return held === null ? null : (held.made as readonly PackedUnion[]).map(unpackUnion)
  }
  const made = bucket.ofRows.map(packUnion)
  const bytes = made.reduce((sum, packed) => sum + bytesOfPacked(packed), 0)
  memory.keepSum(workspaceId, key, { made, bytes })
  return bucket.ofRows
}

const keyOf = (
  made: 'counts' | 'members',
  { names, placing }: SetCountRequest<SetName>,
  { rows }: BucketSets,
): SumKey => sumKeyOf(`${made} of ${names.join()} ${placing}`, rows)

/** Adds the second unions to the first. */
function addUp(unions: readonly MemberUnion[], others: readonly MemberUnion[]): readonly MemberUnion[] {
  for (const [at, union] of unions.entries()) {
    const other = others[at]
    if (other !== undefined) addUnion(union, other)
  }
  return unions
}

const countUnions = (unions: readonly MemberUnion[]): BucketCounts =>
  unions.map(({ subsets }) => Array.from(subsets, (subset) => countNumbers(subset ?? [])))
