// Waits for a condition by polling, where there is no promise to await.

// Below the timeout of a test in ava. Only an operation that hangs takes this long.
const hangMs = 120_000
const shortestPauseMs = 2
const longestPauseMs = 200
/** Share of the time waited so far. Frequent polling would take CPU time from the operation that is waited for. */
const pauseShare = 0.1

/**
 * Resolves when the condition holds. Throws where it does not within `timeoutMs`, which only an operation that hangs should reach. A
 * condition that asks several processes may set a longer pause.
 */
export async function until(
  holds: () => boolean | Promise<boolean>,
  timeoutMs = hangMs,
  longestMs = longestPauseMs,
): Promise<void> {
  const beganMs = performance.now()
  while (!(await holds())) {
    const waitedMs = performance.now() - beganMs
    if (waitedMs > timeoutMs) throw new Error(`this did not become true within ${timeoutMs} ms: ${String(holds)}`)
    const pauseMs = Math.min(longestMs, Math.max(shortestPauseMs, waitedMs * pauseShare))
    await new Promise((turn) => setTimeout(turn, pauseMs))
  }
}
