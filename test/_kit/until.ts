// Waits on a condition, with a deadline, where there is nothing to await.

/** Resolves when the condition holds; throws where it does not within `timeoutMs`. */
export async function until(holds: () => boolean | Promise<boolean>, timeoutMs = 5_000): Promise<void> {
  const deadlineMs = performance.now() + timeoutMs
  while (!(await holds())) {
    if (performance.now() > deadlineMs) throw new Error(`it did not come true within ${timeoutMs} ms`)
    await new Promise((turn) => setTimeout(turn, 2))
  }
}
