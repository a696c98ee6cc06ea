// Floor 1. How durations are spread: a DDSketch, from which any quantile can be told to 1 % of its value.
// Method: Masson, Rim and Lee, "DDSketch", 2019. Buckets grow by a constant ratio; no bucket is ever collapsed.
import { type ByteReader, damaged, readSigned, readVarint } from './byte-reader.ts'
import { type ByteWriter, writeSigned, writeVarint } from './byte-writer.ts'

/** Counts by bucket. A count may be negative while it is only a difference, and zero where it came to nothing. */
export type Durations = {
  /** Durations below one microsecond. */
  zeros: number
  /** The buckets, ascending, while they are few or as they were written; null: one after another from `base` on. */
  keys: Int16Array<ArrayBuffer> | null
  base: number
  counts: Float64Array<ArrayBuffer>
  /** How many of `counts` are in use. */
  size: number
}

// So many are shifted faster than they are spread.
const maxSparse = 32
// How many buckets more than asked for are made room for.
const margin = 64

const ratio = 1.0202
const logOfRatio = Math.log(ratio)
const maxKey = Math.floor(Math.log(Number.MAX_SAFE_INTEGER) / logOfRatio)
// The value whose distance to both ends of its bucket is the same share of them: 0.9999 %.
const middle = (2 * ratio) / (1 + ratio)

const noKeys = new Int16Array(0)
const noCounts = new Float64Array(0)

export const makeDurations = (): Durations => ({ zeros: 0, keys: noKeys, base: 0, counts: noCounts, size: 0 })

/** As if nothing had been added; what it has made room for stays. */
export function clearDurations(durations: Durations): void {
  durations.zeros = 0
  if (durations.keys === null) durations.counts.fill(0)
  else durations.size = 0
}

/** Adds one duration in microseconds, or takes it away with sign -1. About 50 ns. */
export const addDuration = (into: Durations, durationUs: number, sign: 1 | -1): void =>
  addKey(into, keyOf(durationUs), sign)

/** The bucket of a duration; -1 below one microsecond. */
export const keyOf = (durationUs: number): number =>
  durationUs < 1 ? -1 : Math.min(maxKey, Math.floor(Math.log(durationUs) / logOfRatio))

/** Adds one duration by its bucket. */
export function addKey(into: Durations, key: number, sign: 1 | -1): void {
  if (key < 0) into.zeros += sign
  else add(into, key, sign)
}

export function mergeDurations(into: Durations, from: Durations): void {
  into.zeros += from.zeros
  if (into.keys !== null && into.size > maxSparse) spread(into, into.keys)
  for (let at = 0; at < from.size; at++) if (from.counts[at] !== 0) add(into, keyAt(from, at), from.counts[at]!)
}

const keyAt = ({ keys, base }: Durations, at: number): number => (keys === null ? base + at : keys[at]!)

function add(into: Durations, key: number, count: number): void {
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
    add(into, key, count)
    return
  }
  if (size === keys.length) {
    grow(into, keys)
    add(into, key, count)
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

/** From few buckets to all between the first and the last. */
function spread(into: Durations, keys: Int16Array): void {
  const { counts, size } = into
  into.keys = null
  into.size = 0
  widen(into, keys[0]!, keys[size - 1]!)
  for (let at = 0; at < size; at++) into.counts[keys[at]! - into.base] = counts[at]!
}

/** Makes the buckets reach from `low` to `high` too, and some more. */
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
 * The quantiles as percentile_cont tells them, in microseconds: between the two nearest ranks, each known to 1 % of its value, so
 * the whole is too. 0 where there is nothing.
 */
export function quantilesUs(durations: Durations, shares: readonly number[]): number[] {
  let total = Math.max(0, durations.zeros)
  for (let at = 0; at < durations.size; at++) total += Math.max(0, durations.counts[at]!)
  return shares.map((share) => (total === 0 ? 0 : valueOfRank(durations, share * (total - 1))))
}

export const quantileUs = (durations: Durations, share: number): number => quantilesUs(durations, [share])[0]!

function valueOfRank(durations: Durations, rank: number): number {
  const low = Math.floor(rank)
  let seen = Math.max(0, durations.zeros)
  let at = -1
  while (seen <= low) seen += Math.max(0, durations.counts[++at]!)
  const below = valueAt(durations, at)
  if (seen > Math.ceil(rank)) return below
  while (seen <= low + 1) seen += Math.max(0, durations.counts[++at]!)
  return below + (valueAt(durations, at) - below) * (rank - low)
}

const valueAt = (durations: Durations, at: number): number =>
  at < 0 ? 0 : middle * Math.exp(keyAt(durations, at) * logOfRatio)

export function isEmptyDurations({ zeros, counts, size }: Durations): boolean {
  if (zeros !== 0) return false
  for (let at = 0; at < size; at++) if (counts[at] !== 0) return false
  return true
}

/** Buckets without a count are left out: the same durations give the same bytes, whatever was added and taken away. */
export function writeDurations(writer: ByteWriter, durations: Durations): void {
  const { zeros, counts, size } = durations
  let used = 0
  for (let at = 0; at < size; at++) if (counts[at] !== 0) used++
  writeSigned(writer, zeros)
  writeVarint(writer, used)
  let last = -1
  for (let at = 0; at < size; at++) {
    if (counts[at] === 0) continue
    const key = keyAt(durations, at)
    writeVarint(writer, key - last)
    writeSigned(writer, counts[at]!)
    last = key
  }
}

/** Adds written durations to others. About 4 ns a bucket. */
export function readDurations(reader: ByteReader, into: Durations): void {
  into.zeros += readSigned(reader)
  const used = readVarint(reader)
  if (used > maxKey + 1) throw damaged('more buckets than there are')
  // Into nothing, buckets stay as they were written until something is added to them.
  const isAlone = into.size === 0
  if (isAlone) makeRoom(into, used)
  else if (into.keys !== null && Math.max(into.size, used) > maxSparse) spread(into, into.keys)
  const { bytes, end } = reader
  const alone = isAlone ? into.keys : null
  const ofAlone = into.counts
  let { at } = reader
  let key = -1
  for (let no = 0; no < used; no++) {
    // Nearly all steps have one byte, and nearly all counts one or two.
    const step = at + 3 <= end ? bytes[at]! : 0
    const low = bytes[at + 1]!
    const high = low < 0x80 ? 1 : bytes[at + 2]!
    let count: number
    if (step !== 0 && step < 0x80 && low !== 0 && high !== 0 && high < 0x80 && key + step <= maxKey) {
      key += step
      const value = low < 0x80 ? low : low + (high - 1) * 0x80
      at += low < 0x80 ? 2 : 3
      count = (value & 1) === 1 ? value >>> 1 : -(value >>> 1)
    } else {
      reader.at = at
      key = readKey(reader, key)
      count = readSigned(reader)
      at = reader.at
    }
    if (alone !== null) {
      alone[no] = key
      ofAlone[no] = count
    } else {
      const place = key - into.base
      if (into.keys === null && place >= 0 && place < into.size) into.counts[place]! += count
      else add(into, key, count)
    }
  }
  reader.at = at
  if (isAlone) into.size = used
}

function makeRoom(into: Durations, buckets: number): void {
  if (into.keys !== null && into.keys.length >= buckets) return
  into.keys = new Int16Array(buckets)
  into.counts = new Float64Array(buckets)
}

function readKey(reader: ByteReader, last: number): number {
  const step = readVarint(reader)
  if (step === 0 || last + step > maxKey) throw damaged('a bucket out of order')
  return last + step
}
