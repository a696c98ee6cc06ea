// SDK. Measures start and end by one clock, so that changes of the system time in between have no effect.

export type Stopwatch = {
  /** Unix milliseconds. */
  readonly startMs: number
  /** The same moment by the monotonic clock, in milliseconds. */
  readonly startedAtMs: number
  /** Returns Unix milliseconds. The time since the start is exact to the microsecond. */
  readonly nowMs: () => number
}

export function startStopwatch(): Stopwatch {
  const startMs = Date.now()
  const startedAtMs = performance.now()
  return { startMs, startedAtMs, nowMs: () => startMs + (performance.now() - startedAtMs) }
}
