// The distribution of durations: a DDSketch, which estimates any quantile to 1 % of its value.
// Method: Masson, Rim and Lee, "DDSketch", 2019. Buckets grow by a constant ratio; no bucket is ever collapsed.

/** Counts by bucket. A count may be negative in a difference, and zero if all that was added was removed. */
export type Durations = {
  /** Durations below one microsecond. */
  zeros: number
  /** The sparse form, while the buckets are few or as they were written: their keys, ascending. Null: all buckets from `base` on. */
  keys: Int16Array<ArrayBuffer> | null
  base: number
  counts: Float64Array<ArrayBuffer>
  /** The number of `counts` in use. */
  size: number
}

// Up to this many buckets, inserting into the sparse form is faster than converting to the dense form.
export const maxSparse = 32
// How many more buckets than needed are allocated at each end.
const margin = 64

const ratio = 1.0202
const logOfRatio = Math.log(ratio)
export const maxKey = Math.floor(Math.log(Number.MAX_SAFE_INTEGER) / logOfRatio)
// As a multiple of the lower end of a bucket: the value whose relative distance to both ends is the same, 0.9999 %.
const middle = (2 * ratio) / (1 + ratio)

const noKeys = new Int16Array(0)
const noCounts = new Float64Array(0)

export const makeDurations = (): Durations => ({ zeros: 0, keys: noKeys, base: 0, counts: noCounts, size: 0 })

/** Empties the sketch. Allocated memory is kept. */
export function clearDurations(durations: Durations): void {
  durations.zeros = 0
  if (durations.keys === null) durations.counts.fill(0)
  else durations.size = 0
}

/** Returns the bucket of a duration: -1 below one microsecond, NaN for NaN. */
export const durationKeyOf = (durationUs: number): number =>
  durationUs < 1 ? -1 : Math.min(maxKey, Math.floor(Math.log(durationUs) / logOfRatio))

/** Adds one duration by its bucket, or removes it with sign -1. About 50 ns with the search for the bucket. */
export function addKey(into: Durations, key: number, sign: 1 | -1): void {
  if (key < 0) into.zeros += sign
  else addCount(into, key, sign)
}

export function mergeDurations(into: Durations, from: Durations): void {
  into.zeros += from.zeros
  if (into.keys !== null && into.size > maxSparse) spread(into, into.keys)
  for (let at = 0; at < from.size; at++) if (from.counts[at] !== 0) addCount(into, keyAt(from, at), from.counts[at]!)
}

export const keyAt = ({ keys, base }: Durations, at: number): number => (keys === null ? base + at : keys[at]!)

/** Adds any count to a bucket. */
export function addCount(into: Durations, key: number, count: number): void {
  if (into.keys !== null) {
    addSparse(into, into.keys, key, count)
    return
  }
  if (key < into.base || key >= into.base + into.size) widen(into, key, key)
  into.counts[key - into.base]! += count
}

function addSparse(into: Durations, keys: Int16Array<ArrayBuffer>, key: number, count: number): void {
  const { counts, size } = into
  let place = 0
  let high = size
  while (place < high) {
    const half = (place + high) >>> 1
    if (keys[half]! < key) place = half + 1
    else high = half
  }
  if (place < size && keys[place] === key) {
    counts[place]! += count
    return
  }
  if (size >= maxSparse) {
    spread(into, keys)
    addCount(into, key, count)
    return
  }
  if (size === keys.length) {
    grow(into, keys)
    addCount(into, key, count)
    return
  }
  for (let to = into.size++; to > place; to--) {
    keys[to] = keys[to - 1]!
    counts[to] = counts[to - 1]!
  }
  keys[place] = key
  counts[place] = count
}

function grow(into: Durations, keys: Int16Array<ArrayBuffer>): void {
  const capacity = Math.max(8, keys.length * 2)
  const counts = new Float64Array(capacity)
  const more = new Int16Array(capacity)
  counts.set(into.counts)
  more.set(keys)
  into.keys = more
  into.counts = counts
}

/** Converts the sparse form to the dense form, with all buckets between the first and the last. */
export function spread(into: Durations, keys: Int16Array): void {
  const { counts, size } = into
  into.keys = null
  into.size = 0
  widen(into, keys[0]!, keys[size - 1]!)
  for (let at = 0; at < size; at++) into.counts[keys[at]! - into.base] = counts[at]!
}

/** Extends the dense form to include `low` to `high`, with a margin. */
function widen(into: Durations, low: number, high: number): void {
  const { base, counts, size } = into
  const isEmpty = size === 0
  const from = Math.max(0, isEmpty ? low - margin : Math.min(base, low - margin))
  const to = Math.min(maxKey + 1, isEmpty ? high + margin : Math.max(base + size, high + margin))
  into.counts = new Float64Array(to - from)
  if (!isEmpty) into.counts.set(counts.subarray(0, size), base - from)
  into.base = from
  into.size = to - from
}

/**
 * Returns quantiles in microseconds as percentile_cont computes them: interpolated between the two nearest ranks. Each rank is accurate to
 * 1 % of its value, and so is the result. 0 where there are no durations.
 */
export function quantilesUs(durations: Durations, shares: readonly number[]): number[] {
  const total = countAll(durations)
  return shares.map((share) => (total === 0 ? 0 : valueOfRank(durations, total, share * (total - 1))))
}

export const quantileUs = (durations: Durations, share: number): number => quantilesUs(durations, [share])[0]!

// A separate function: if a closure held the sum, each step would allocate a new object.
function countAll({ zeros, counts, size }: Durations): number {
  let total = atLeastNone(zeros)
  for (let at = 0; at < size; at++) total += atLeastNone(counts[at]!)
  return total
}

function valueOfRank(durations: Durations, total: number, rank: number): number {
  const { counts } = durations
  const low = Math.floor(rank)
  const at = rank * 2 < total ? findFromBottom(durations, low) : findFromTop(durations, total, low)
  const below = valueAt(durations, at.bucket)
  if (at.seen > Math.ceil(rank)) return below
  let { bucket, seen } = at
  while (seen <= low + 1) seen += atLeastNone(counts[++bucket]!)
  return below + (valueAt(durations, bucket) - below) * (rank - low)
}

/** The index of the bucket of a rank (-1: the zeros), and the number of durations up to the end of that bucket. */
type Place = { readonly bucket: number; readonly seen: number }

function findFromBottom({ zeros, counts }: Durations, rank: number): Place {
  let bucket = -1
  let seen = atLeastNone(zeros)
  while (seen <= rank) seen += atLeastNone(counts[++bucket]!)
  return { bucket, seen }
}

function findFromTop({ counts, size }: Durations, total: number, rank: number): Place {
  let bucket = size - 1
  let seen = total
  while (bucket >= 0) {
    const less = seen - atLeastNone(counts[bucket]!)
    if (less <= rank) break
    seen = less
    bucket -= 1
  }
  return { bucket, seen }
}

function atLeastNone(count: number): number {
  return count > 0 ? count : 0
}

const valueAt = (durations: Durations, at: number): number =>
  at < 0 ? 0 : middle * Math.exp(keyAt(durations, at) * logOfRatio)

export function isEmptyDurations({ zeros, counts, size }: Durations): boolean {
  if (zeros !== 0) return false
  for (let at = 0; at < size; at++) if (counts[at] !== 0) return false
  return true
}

/** Allocates room for that many buckets in an empty sketch, and returns the array of keys. */
export function makeRoom(into: Durations, buckets: number): Int16Array {
  if (into.keys !== null && into.keys.length >= buckets) return into.keys
  into.keys = new Int16Array(buckets)
  into.counts = new Float64Array(buckets)
  return into.keys
}
