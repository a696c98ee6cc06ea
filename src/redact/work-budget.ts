// Limits the work of redaction for one request. It is counted in characters, not in time, so that a request always has the same result.

/** Replaces content that was withheld unread because the budget of its request was used up. */
export const unscanned = '[redacted:unscanned]'

/**
 * The budget of a request, in scanned characters. A character takes 60 to 80 ns at worst (2.2 GHz), so this is about 2 s; prose takes 12 ns.
 * An inflated request may have twice as many bytes, but most of its text need not be scanned.
 */
export const maxWork = 33_554_432
/** The part of the budget that is reserved for names, so that attributes whose values are withheld keep their names. */
export const nameReserve = 1_048_576

/** The cost of other work as the number of characters that take as long: the hash in a mark; one item or member of a list or map. */
export const [markCost, itemCost] = [64, 4] as const

export type WorkBudget = {
  /** Returns false if less than `cost` is left above the reserve. The caller must then skip the work and withhold the content. */
  spend(cost: number, reserve: number): boolean
  /** Returns how often `spend` ever returned false. A caller compares it before and after, to learn whether content was withheld. */
  refusals(): number
  /** Call it before each request. */
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
