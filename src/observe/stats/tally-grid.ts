// The tallies of some series in some buckets of time.
import type { Tally } from './tally.ts'

export type TallyGrid = {
  /** The tally of a series at a time, made where there is none. */
  at(series: number, startMs: number): Tally
  /** Shows all of them, bucket by bucket. */
  finish(): void
}

/** `show` may not keep the tally. `starts`: of the buckets, ascending. */
export function makeTallyGrid(
  starts: readonly number[],
  make: () => Tally,
  show: (series: number, bucket: number, tally: Tally) => void,
): TallyGrid {
  const tallies: (Tally | undefined)[][] = starts.map(() => [])

  return {
    at(series, startMs) {
      const open = (tallies[findBucket(starts, startMs)] ??= [])
      return (open[series] ??= make())
    },
    finish() {
      for (const [bucket, open] of tallies.entries()) {
        // Not `entries`: most of a sparse list may be holes.
        open.forEach((tally, series) => tally !== undefined && show(series, bucket, tally))
      }
    },
  }
}

/** The last bucket that starts at or before a time; what the window cuts off of the first one starts in it too. */
export function findBucket(starts: readonly number[], startMs: number): number {
  let low = 0
  let high = starts.length
  while (low < high) {
    const half = (low + high) >>> 1
    if ((starts[half] ?? 0) <= startMs) low = half + 1
    else high = half
  }
  return Math.max(0, low - 1)
}
