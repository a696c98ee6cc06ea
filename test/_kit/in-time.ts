// Runs what a test tests only if it ends soon enough.

/**
 * Returns the result of the first of several runs that takes less than `limitMs`. A slower one, on a machine that stood still, has met a
 * limit of the code under test and proves nothing about the rest.
 */
export async function runInTime<T>(limitMs: number, run: () => Promise<T>, tries = 10): Promise<T> {
  for (let nth = 1; nth <= tries; nth += 1) {
    const startedAtMs = performance.now()
    const result = await run()
    if (performance.now() - startedAtMs < limitMs) return result
  }
  throw new Error(`none of ${tries} runs took less than ${limitMs} ms`)
}
