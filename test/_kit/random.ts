// Repeatable random numbers for tests: the same seed gives the same numbers.

export type Random = {
  /** Returns an integer from 0 to below `below`. */
  int(below: number): number
  pick<T>(from: readonly T[]): T
  /** Returns true in about this share of cases. */
  chance(share: number): boolean
}

/** Makes a generator (mulberry32) that is good enough to vary test data. */
export function makeRandom(seed: number): Random {
  let state = seed >>> 0
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
  const int = (below: number): number => Math.floor(next() * below)
  return {
    int,
    pick: <T>(from: readonly T[]): T => {
      const picked = from[int(from.length)]
      if (picked === undefined) throw new Error('nothing to pick from')
      return picked
    },
    chance: (share) => next() < share,
  }
}
