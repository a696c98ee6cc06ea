// Waits on a condition where there is nothing to await.

// Below the time that ava gives a test: only what hangs takes so long.
const hangMs = 60_000

/** Resolves when the condition holds; throws where it does not within `timeoutMs`, which only what hangs should reach. */
export async function until(holds: () => boolean | Promise<boolean>, timeoutMs = hangMs): Promise<void> {
  const deadlineMs = performance.now() + timeoutMs
  while (!(await holds())) {
    if (performance.now() > deadlineMs)
      throw new Error(`this did not become true within ${timeoutMs} ms: ${String(holds)}`)
    await new Promise((turn) => setTimeout(turn, 2))
  }
}
