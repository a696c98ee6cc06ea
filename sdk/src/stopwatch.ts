// SDK. When something began, and when it ended by the same clock, whatever is done to the machine's meanwhile.

export type Stopwatch = {
  /** Unix milliseconds. */
  readonly startMs: number
  /** The same moment, monotonic. */
  readonly startedAtMs: number
  /** Unix milliseconds, to the microsecond from the start on. */
  readonly nowMs: () => number
}

export function startStopwatch(): Stopwatch {
  const startMs = Date.now()
  const startedAtMs = performance.now()
  return { startMs, startedAtMs, nowMs: () => startMs + (performance.now() - startedAtMs) }
}
