// Counts distinct ids by their hashes: with a list of up to 2,048 hashes, and with a HyperLogLog beyond.
// The count of a list is exact unless two ids share a hash of 32 bits (a chance of 1 in 2,000 at worst). The standard error of a HyperLogLog
// is 1.04 / sqrt(2^precision): 0.81 % at precision 14, 1.63 % at 12. Hashes are never removed. sets.ts counts larger numbers exactly.
import { clearHashTable, eachHash, type HashTable, hasHash, insertHash, makeHashTable } from './hash-table.ts'
import { makeRegisters, type Registers, rankUp, uniteRegisters } from './registers.ts'

export type Distinct = {
  readonly precision: Precision
  /** The hashes, ascending, while there are neither registers nor `loose`. */
  hashes: Uint32Array<ArrayBuffer>
  /** Replaces `hashes` where their order is not needed: merging many lists then takes a fraction of the time. */
  readonly loose: HashTable | null
  size: number
  /** The hash that was added last: the events of a trace often arrive together. */
  latest: number
  /** The highest rank that each register has seen. */
  registers: Registers | null
}

export type Precision = 12 | 14

export const maxListed = 2_048

/** Returns the highest rank that a hash can have. */
export const maxRankOf = ({ precision }: Distinct): number => 33 - precision

const noHashes = new Uint32Array(0)

export const makeDistinct = (precision: Precision): Distinct => ({
  precision,
  hashes: noHashes,
  loose: null,
  size: 0,
  latest: -1,
  registers: null,
})

/** Returns a set that can be added to and counted, but not written. */
export const makeLooseDistinct = (precision: Precision): Distinct => ({
  ...makeDistinct(precision),
  loose: makeHashTable(),
})

export const isEmptyDistinct = ({ size, registers }: Distinct): boolean => size === 0 && registers === null

/** Empties the set. Allocated memory is kept, except for registers. */
export function clearDistinct(distinct: Distinct): void {
  distinct.size = 0
  distinct.latest = -1
  distinct.registers = null
  if (distinct.loose !== null) clearHashTable(distinct.loose)
}

/** Adds one hash. About 30 ns if the set contains it. */
export function addHash(into: Distinct, hash: number): void {
  if (hash === into.latest) return
  into.latest = hash
  if (into.registers !== null) {
    rankUp(into.registers, into.precision, hash)
    return
  }
  if (into.loose !== null) {
    if (into.size === maxListed && !hasHash(into.loose, hash)) rankUp(spread(into), into.precision, hash)
    else if (insertHash(into.loose, hash)) into.size++
    return
  }
  const { hashes, size } = into
  let low = 0
  let high = size
  while (low < high) {
    const half = (low + high) >>> 1
    if (hashes[half]! < hash) low = half + 1
    else high = half
  }
  if (low < size && hashes[low] === hash) return
  if (size === maxListed) {
    rankUp(spread(into), into.precision, hash)
    return
  }
  if (size === hashes.length) into.hashes = copyTo(hashes, Math.max(4, size * 2))
  into.hashes.copyWithin(low + 1, low, size)
  into.hashes[low] = hash
  into.size++
}

/** Adds `from` to `into`. Two HyperLogLogs must have the same precision. */
export function mergeDistinct(into: Distinct, from: Distinct): void {
  if (from.registers !== null) uniteRegisters(registersOf(into), from.registers)
  else if (from.loose !== null) eachHash(from.loose, (hash) => addHash(into, hash))
  else mergeHashes(into, from.hashes, from.size)
}

/** Adds the first `count` hashes, which must be ascending and without repeats. */
export function mergeHashes(into: Distinct, hashes: Uint32Array<ArrayBuffer>, count: number): void {
  if (into.registers !== null || into.loose !== null || count * 16 < into.size) {
    for (let at = 0; at < count; at++) addHash(into, hashes[at]!)
    return
  }
  const merged = into.size + count - countCommon(into, hashes, count)
  if (merged > maxListed) {
    const registers = spread(into)
    for (let at = 0; at < count; at++) rankUp(registers, into.precision, hashes[at]!)
    return
  }
  if (merged > into.hashes.length) into.hashes = copyTo(into.hashes, Math.max(merged, into.size * 2))
  // Merges from the back, so that no hash is overwritten before it is read.
  const own = into.hashes
  let a = into.size - 1
  let b = count - 1
  for (let to = merged - 1; b >= 0; to--) {
    if (a >= 0 && own[a]! > hashes[b]!) own[to] = own[a--]!
    else {
      if (a >= 0 && own[a] === hashes[b]) a--
      own[to] = hashes[b--]!
    }
  }
  into.size = merged
}

function countCommon({ hashes: own, size }: Distinct, hashes: Uint32Array<ArrayBuffer>, count: number): number {
  let common = 0
  let a = 0
  let b = 0
  while (a < size && b < count) {
    const left = own[a]!
    const right = hashes[b]!
    if (left === right) common++
    if (left <= right) a++
    if (right <= left) b++
  }
  return common
}

const copyTo = (hashes: Uint32Array<ArrayBuffer>, capacity: number): Uint32Array<ArrayBuffer> => {
  const grown = new Uint32Array(Math.min(capacity, maxListed))
  grown.set(hashes)
  return grown
}

/** Returns the registers of a set; a list is converted to registers first. */
export const registersOf = (into: Distinct): Registers => into.registers ?? spread(into)

function spread(into: Distinct): Registers {
  const registers = makeRegisters(into.precision)
  if (into.loose === null) for (let at = 0; at < into.size; at++) rankUp(registers, into.precision, into.hashes[at]!)
  else eachHash(into.loose, (hash) => rankUp(registers, into.precision, hash))
  into.registers = registers
  into.hashes = noHashes
  into.size = 0
  return registers
}
