// Counts distinct things by their hashes: as a list of them while they are few, and as a HyperLogLog beyond.
// Of up to 2,048 the count is exact but for two that share a hash of 32 bits (1 in 2,000 at worst). Beyond, its standard error is
// 1.04 / sqrt(2^precision): 0.81 % at precision 14, 1.63 % at 12. Nothing is ever taken away again. What counts more of them exactly
// stands in sets.ts.
import { clearHashTable, eachHash, type HashTable, insertHash, makeHashTable } from './hash-table.ts'
import { makeRegisters, type Registers, rankUp, uniteRegisters } from './registers.ts'

export type Distinct = {
  readonly precision: Precision
  /** The hashes, ascending, while there are no registers. */
  hashes: Uint32Array<ArrayBuffer>
  /** In place of them where nobody asks for their order: many lists are added up there in a fraction of the time. */
  readonly loose: HashTable | null
  size: number
  /** The hash that was added last: the events of a trace come together. */
  latest: number
  /** The highest rank that each register has seen. */
  registers: Registers | null
}

export type Precision = 12 | 14

export const maxListed = 2_048

/** No hash has a higher rank. */
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

/** One that is added to and counted, and never written. */
export const makeLooseDistinct = (precision: Precision): Distinct => ({
  ...makeDistinct(precision),
  loose: makeHashTable(),
})

export const isEmptyDistinct = ({ size, registers }: Distinct): boolean => size === 0 && registers === null

/** As if nothing had been added; what it has made room for stays. */
export function clearDistinct(distinct: Distinct): void {
  distinct.size = 0
  distinct.latest = -1
  distinct.registers = null
  if (distinct.loose !== null) clearHashTable(distinct.loose)
}

/** Adds one hash. About 30 ns where it is known already. */
export function addHash(into: Distinct, hash: number): void {
  if (hash === into.latest) return
  into.latest = hash
  if (into.registers !== null) {
    rankUp(into.registers, into.precision, hash)
    return
  }
  if (into.loose !== null) {
    if (!insertHash(into.loose, hash)) return
    if (into.size++ === maxListed) spread(into)
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

/** Two HyperLogLogs must have one precision. */
export function mergeDistinct(into: Distinct, from: Distinct): void {
  if (from.registers !== null) uniteRegisters(registersOf(into), from.registers)
  else if (from.loose !== null) eachHash(from.loose, (hash) => addHash(into, hash))
  else mergeHashes(into, from.hashes, from.size)
}

/** `hashes`: ascending, without repeats, the first `count` of them. */
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
  // From the back, so that nothing is overwritten that is still to be read.
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

/** The registers of a set, which is a list no more. */
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
