// Waits on a condition where there is nothing to await.

// Below the time that ava gives a test: only what hangs takes so long.
const hangMs = 120_000
const shortestPauseMs = 2
const longestPauseMs = 50
/** Of the time waited. To ask takes the machine from what is waited for. */
const pauseShare = 0.1

/** Resolves when the condition holds; throws where it does not within `timeoutMs`, which only what hangs should reach. */
export async function until(holds: () => boolean | Promise<boolean>, timeoutMs = hangMs): Promise<void> {
  const beganMs = performance.now()
  while (!(await holds())) {
    const waitedMs = performance.now() - beganMs
    if (waitedMs > timeoutMs) throw new Error(`this did not become true within ${timeoutMs} ms: ${String(holds)}`)
    const pauseMs = Math.min(longestPauseMs, Math.max(shortestPauseMs, waitedMs * pauseShare))
    await new Promise((turn) => setTimeout(turn, pauseMs))
  }
}
