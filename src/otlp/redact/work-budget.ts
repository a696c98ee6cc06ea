// How much redaction may do for one request: counted in characters, not in time, so that the same request always comes out the same.

/** Stands in the place of what was withheld unread because the budget of its request was used up. */
export const unscanned = '[redacted:unscanned]'

/**
 * What redaction may do for one request, in characters looked at. 60 to 80 ns is what one takes at the worst (2.2 GHz), so that this is
 * about 2 s; prose takes 12 ns. An inflated request may have twice as many bytes, but most of its text needs no look.
 */
export const maxWork = 33_554_432
/** Kept back for names, so that attributes whose values are withheld still have theirs. */
export const nameReserve = 1_048_576

/** Other work, as the number of characters that take as long: the hash in a mark, one member or item of a list or map. */
export const [markCost, itemCost] = [64, 4] as const

export type WorkBudget = {
  /** False where less than `cost` is left above the reserve: the work must not be done, and what it was for is withheld. */
  spend(cost: number, reserve: number): boolean
  /** How often the answer was no, ever: whoever compares it before and after knows whether anything was withheld between. */
  refusals(): number
  /** Before a request. */
  refill(): void
}

export function openWorkBudget(): WorkBudget {
  let left = maxWork
  let refusals = 0
  return {
    spend(cost, reserve) {
      if (left - cost < reserve) {
        refusals++
        return false
      }
      left -= cost
      return true
    },
    refusals: () => refusals,
    refill() {
      left = maxWork
    },
  }
}
