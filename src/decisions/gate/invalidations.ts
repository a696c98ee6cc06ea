// Looks up invalidations of a tool by time and input.
import { neverUs } from '../policy/columns.ts'

/** `inputHash`: null if the invalidation concerns every input. */
export type Invalidation = { readonly atUs: number; readonly inputHash: string | null }

export class Invalidations {
  private readonly timesUs = new Map<string | null, number[]>()

  /** `all`: oldest first. */
  constructor(all: readonly Invalidation[]) {
    for (const { atUs, inputHash } of all) {
      const known = this.timesUs.get(inputHash)
      if (known === undefined) this.timesUs.set(inputHash, [atUs])
      else known.push(atUs)
    }
  }

  /** Returns the time of the newest invalidation of an input up to `atUs`; `neverUs` if there is none. */
  newestUs(inputHash: string, atUs: number): number {
    return Math.max(newestIn(this.timesUs.get(inputHash), atUs), newestIn(this.timesUs.get(null), atUs))
  }
}

function newestIn(timesUs: readonly number[] = [], atUs: number): number {
  let low = 0
  let high = timesUs.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if (timesUs[middle]! <= atUs) low = middle + 1
    else high = middle
  }
  return timesUs[low - 1] ?? neverUs
}
