// A duration that the service promises, measured so that a busy machine does not decide the test.

/** The shortest of up to `tries` runs, in milliseconds; stops as soon as one is below `enoughMs`. `run` gives what it took. */
export async function fastest(run: () => Promise<number>, enoughMs: number, tries = 10): Promise<number> {
  let bestMs = Number.POSITIVE_INFINITY
  for (let n = 0; n < tries && bestMs >= enoughMs; n += 1) bestMs = Math.min(bestMs, await run())
  return bestMs
}
