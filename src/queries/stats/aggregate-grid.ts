// A grid of tallies, by series and bucket of time.
import type { Aggregate } from './aggregate.ts'

export type AggregateGrid = {
  /** Returns the tally of a series at a time. Creates it if missing. */
  at(series: number, startMs: number): Aggregate
  /** Calls `take` with each tally of a bucket. */
  eachOf(bucket: number, take: (series: number, aggregate: Aggregate) => void): void
  /** Drops the tallies of a bucket. */
  clear(bucket: number): void
}

/** `starts`: the starts of the buckets, ascending. */
export function makeAggregateGrid(starts: readonly number[], make: () => Aggregate): AggregateGrid {
  const aggregates: (Aggregate | undefined)[][] = starts.map(() => [])

  return {
    at(series, startMs) {
      const open = (aggregates[findBucket(starts, startMs)] ??= [])
      return (open[series] ??= make())
    },
    eachOf(bucket, take) {
      // Not `entries`: most of a sparse array may be holes.
      aggregates[bucket]?.forEach((aggregate, series) => aggregate !== undefined && take(series, aggregate))
    },
    clear: (bucket) => void (aggregates[bucket] = []),
  }
}

/** Returns the last bucket that starts at or before a time, or the first bucket for a time before it, as at the start of a window. */
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
