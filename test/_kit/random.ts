// Repeatable random numbers for tests: the same seed gives the same numbers.

export type Random = {
  /** Returns an integer from 0 to below `below`. */
  int(below: number): number
  pick<T>(from: readonly T[]): T
  /** Returns true in about this share of cases. */
  chance(share: number): boolean
  /** Returns the same items in another order, each order as likely as the others. */
  shuffle<T>(list: readonly T[]): T[]
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
    shuffle: <T>(list: readonly T[]): T[] => {
      const mixed = [...list]
      for (let at = mixed.length - 1; at > 0; at -= 1) {
        const other = int(at + 1)
        ;[mixed[at], mixed[other]] = [mixed[other] as T, mixed[at] as T]
      }
      return mixed
    },
  }
}
