// Waits on a condition, with a deadline, where there is nothing to await.

// Reached by what hangs, on a slow machine too; no test decides by it.
const guardMs = 60_000

/** Resolves when the condition holds; throws where it does not within `timeoutMs`. */
export async function until(holds: () => boolean | Promise<boolean>, timeoutMs = guardMs): Promise<void> {
  const deadlineMs = performance.now() + timeoutMs
  while (!(await holds())) {
    if (performance.now() > deadlineMs)
      throw new Error(`this did not become true within ${timeoutMs} ms: ${String(holds)}`)
    await new Promise((turn) => setTimeout(turn, 2))
  }
}
