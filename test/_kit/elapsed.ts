// Measures a time by a clock that is never set, for tests that may share a process: a longer time must not make them fail.

// Tests may replace the clock of the service.
export const readMs = performance.now.bind(performance)

/** Returns a function that returns the ms since this call. */
export function startClock(): () => number {
  const startedAtMs = readMs()
  return () => readMs() - startedAtMs
}
