// SDK. Times by two clocks.

/** A time by both clocks: the wall clock may be set, and the monotonic clock may stop while the machine sleeps. */
export type Moment = { readonly unixMs: number; readonly monotonicMs: number }

export const never: Moment = { unixMs: Number.POSITIVE_INFINITY, monotonicMs: Number.POSITIVE_INFINITY }
export const longAgo: Moment = { unixMs: Number.NEGATIVE_INFINITY, monotonicMs: Number.NEGATIVE_INFINITY }

/** Returns the milliseconds between two moments, by the clock that shows the larger difference. */
export const between = (from: Moment, to: Moment): number =>
  Math.max(to.unixMs - from.unixMs, to.monotonicMs - from.monotonicMs)

export const later = ({ unixMs, monotonicMs }: Moment, ms: number): Moment => ({
  unixMs: unixMs + ms,
  monotonicMs: monotonicMs + ms,
})

/** Returns the newer of two moments of this process. */
export const newest = (one: Moment, other: Moment): Moment => (other.monotonicMs > one.monotonicMs ? other : one)
