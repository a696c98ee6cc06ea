// Floor 1. How durations are spread: a DDSketch, from which any quantile can be told to 1 % of its value.
// Method: Masson, Rim and Lee, "DDSketch", 2019. Buckets grow by a constant ratio; no bucket is ever collapsed.
import { type ByteReader, damaged, readSigned, readVarint } from './byte-reader.ts'
import { type ByteWriter, writeSigned, writeVarint } from './byte-writer.ts'

/** Counts by bucket, the buckets ascending. A count may be negative while it is only a difference. */
export type Durations = {
  /** Durations below one microsecond. */
  zeros: number
  keys: Int16Array<ArrayBuffer>
  counts: Float64Array<ArrayBuffer>
  /** How many of `keys` and `counts` are in use. */
  size: number
}

const ratio = 1.0202
const logOfRatio = Math.log(ratio)
const maxKey = Math.floor(Math.log(Number.MAX_SAFE_INTEGER) / logOfRatio)
// The value whose distance to both ends of its bucket is the same share of them: 0.9999 %.
const middle = (2 * ratio) / (1 + ratio)

const noKeys = new Int16Array(0)
const noCounts = new Float64Array(0)

export const makeDurations = (): Durations => ({ zeros: 0, keys: noKeys, counts: noCounts, size: 0 })

/** Adds one duration in microseconds, or takes it away with sign -1. About 50 ns. */
export const addDuration = (into: Durations, durationUs: number, sign: 1 | -1): void =>
  addKey(into, keyOf(durationUs), sign)

/** The bucket of a duration; -1 below one microsecond. */
export const keyOf = (durationUs: number): number =>
  durationUs < 1 ? -1 : Math.min(maxKey, Math.floor(Math.log(durationUs) / logOfRatio))

/** Adds one duration by its bucket. */
export function addKey(into: Durations, key: number, sign: 1 | -1): void {
  if (key < 0) into.zeros += sign
  else addAt(into, 0, key, sign)
}

export function mergeDurations(into: Durations, from: Durations): void {
  into.zeros += from.zeros
  if (isSparse(from.size, into)) {
    let place = 0
    for (let at = 0; at < from.size; at++) place = addAt(into, place, from.keys[at]!, from.counts[at]!)
  } else mergeSorted(into, from.keys, from.counts, from.size)
}

/** True where so few are added to so many that each had better be looked for. */
const isSparse = (added: number, into: Durations): boolean => added * 4 < into.size

/** Adds to a bucket that stands at `from` or behind it, and gives its place. */
function addAt(into: Durations, from: number, key: number, count: number): number {
  const place = findPlace(into, from, key)
  if (place < into.size && into.keys[place] === key) {
    into.counts[place]! += count
    return place
  }
  makeRoom(into, into.size + 1)
  const { keys, counts } = into
  for (let to = into.size++; to > place; to--) {
    keys[to] = keys[to - 1]!
    counts[to] = counts[to - 1]!
  }
  keys[place] = key
  counts[place] = count
  return place
}

/** The first place from `from` on whose key is not below `key`. Keys never repeat, so that it is no further than `key` is. */
function findPlace({ keys, size }: Durations, from: number, key: number): number {
  if (from >= size || keys[from]! >= key) return from
  let low = from + 1
  let high = from + key - keys[from]!
  if (high >= size) high = size
  else if (keys[high] === key) return high
  while (low < high) {
    const half = (low + high) >>> 1
    if (keys[half]! < key) low = half + 1
    else high = half
  }
  return low
}

/** `keys` ascend, the first `size` of them. Adds to the buckets that are there, then lets the new ones in from the back. */
function mergeSorted(into: Durations, keys: Int16Array, counts: Float64Array, size: number): void {
  let missing = 0
  let a = 0
  for (let b = 0; b < size; b++) {
    const key = keys[b]!
    while (a < into.size && into.keys[a]! < key) a++
    if (a < into.size && into.keys[a] === key) into.counts[a]! += counts[b]!
    else missing++
  }
  if (missing === 0) return
  makeRoom(into, into.size + missing)
  const { keys: ownKeys, counts: ownCounts } = into
  a = into.size - 1
  into.size += missing
  for (let b = size - 1; missing > 0; b--) {
    const key = keys[b]!
    for (; a >= 0 && ownKeys[a]! > key; a--) {
      ownKeys[a + missing] = ownKeys[a]!
      ownCounts[a + missing] = ownCounts[a]!
    }
    if (a >= 0 && ownKeys[a] === key) continue
    missing--
    ownKeys[a + 1 + missing] = key
    ownCounts[a + 1 + missing] = counts[b]!
  }
}

function makeRoom(into: Durations, size: number): void {
  if (size <= into.keys.length) return
  const capacity = Math.max(8, size, into.keys.length * 2)
  const keys = new Int16Array(capacity)
  const counts = new Float64Array(capacity)
  keys.set(into.keys)
  counts.set(into.counts)
  into.keys = keys
  into.counts = counts
}

/**
 * The quantile as percentile_cont tells it, in microseconds: between the two nearest ranks, each known to 1 % of its value, so
 * the whole is too. 0 where there is nothing.
 */
export function quantileUs(durations: Durations, share: number): number {
  let total = Math.max(0, durations.zeros)
  for (let at = 0; at < durations.size; at++) total += Math.max(0, durations.counts[at]!)
  if (total === 0) return 0
  const rank = share * (total - 1)
  const low = Math.floor(rank)
  let seen = Math.max(0, durations.zeros)
  let at = -1
  while (seen <= low) seen += Math.max(0, durations.counts[++at]!)
  const below = valueAt(durations, at)
  if (seen > Math.ceil(rank)) return below
  while (seen <= low + 1) seen += Math.max(0, durations.counts[++at]!)
  return below + (valueAt(durations, at) - below) * (rank - low)
}

const valueAt = ({ keys }: Durations, at: number): number => (at < 0 ? 0 : middle * Math.exp(keys[at]! * logOfRatio))

export function isEmptyDurations({ zeros, counts, size }: Durations): boolean {
  if (zeros !== 0) return false
  for (let at = 0; at < size; at++) if (counts[at] !== 0) return false
  return true
}

/** Buckets without a count are left out: the same durations give the same bytes, whatever was added and taken away. */
export function writeDurations(writer: ByteWriter, { zeros, keys, counts, size }: Durations): void {
  let used = 0
  for (let at = 0; at < size; at++) if (counts[at] !== 0) used++
  writeSigned(writer, zeros)
  writeVarint(writer, used)
  let last = -1
  for (let at = 0; at < size; at++) {
    if (counts[at] === 0) continue
    writeVarint(writer, keys[at]! - last)
    writeSigned(writer, counts[at]!)
    last = keys[at]!
  }
}

/** Adds written durations to others. */
export function readDurations(reader: ByteReader, into: Durations): void {
  into.zeros += readSigned(reader)
  const used = readVarint(reader)
  if (used > maxKey + 1) throw damaged('more buckets than there are')
  if (used === 0) return
  const isFirst = into.size === 0
  const inPlace = isSparse(used, into)
  const read = isFirst || inPlace ? into : makeDurations()
  if (!inPlace) makeRoom(read, used)
  let place = 0
  let key = -1
  for (let at = 0; at < used; at++) {
    const step = readVarint(reader)
    key += step
    if (step === 0 || key > maxKey) throw damaged('a bucket out of order')
    const count = readSigned(reader)
    if (inPlace) place = addAt(into, place, key, count)
    else {
      read.keys[at] = key
      read.counts[at] = count
    }
  }
  if (isFirst) into.size = used
  else if (!inPlace) mergeSorted(into, read.keys, read.counts, used)
}
