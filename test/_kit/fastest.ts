// A duration that the service promises, measured so that a busy machine does not decide the test.
import { watchStandstill } from './standstill.ts'

/** The shortest of up to `tries` runs, in milliseconds, without the time in which this process could not run; stops as soon as one is below `enoughMs`. `run` gives what it took. */
export async function fastest(run: () => Promise<number>, enoughMs: number, tries = 10): Promise<number> {
  let bestMs = Number.POSITIVE_INFINITY
  for (let n = 0; n < tries && bestMs >= enoughMs; n += 1) {
    const standstill = watchStandstill()
    try {
      const tookMs = await run()
      bestMs = Math.min(bestMs, tookMs - standstill.stop())
    } finally {
      standstill.stop()
    }
  }
  return bestMs
}
