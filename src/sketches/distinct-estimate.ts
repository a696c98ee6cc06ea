// Estimates the number of distinct hashes that a HyperLogLog has seen.
// Estimator: Otmar Ertl, "New cardinality estimation algorithms for HyperLogLog sketches", 2017, algorithm 6. It needs no tables to correct
// a bias, and takes into account that a hash has 32 bits.
import { type Distinct, maxRankOf } from './distinct.ts'
import { countRanks } from './registers.ts'

/** Returns a whole number. Takes 20 µs for 2^14 registers, and no time for a list. */
export function countDistinct(distinct: Distinct): number {
  const { registers, size, precision } = distinct
  if (registers === null) return size
  const maxRank = maxRankOf(distinct)
  const atRank = countRanks(registers, maxRank)
  const m = 2 ** precision
  let z = m * tau(1 - atRank[maxRank]! / m)
  for (let rank = maxRank - 1; rank >= 1; rank--) z = 0.5 * (z + atRank[rank]!)
  z += m * sigma(atRank[0]! / m)
  return Math.round((m * m) / (2 * Math.LN2 * z))
}

function sigma(share: number): number {
  if (share === 1) return Number.POSITIVE_INFINITY
  let x = share
  let y = 1
  let z = x
  for (;;) {
    x *= x
    const before = z
    z += x * y
    y += y
    if (z === before) return z
  }
}

function tau(share: number): number {
  if (share === 0 || share === 1) return 0
  let x = share
  let y = 1
  let z = 1 - x
  for (;;) {
    x = Math.sqrt(x)
    const before = z
    y *= 0.5
    z -= (1 - x) ** 2 * y
    if (z === before) return z / 3
  }
}
