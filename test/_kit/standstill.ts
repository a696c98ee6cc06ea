// How long the machine stood still, for tests whose subject is time: what is promised to take 300 ms takes that and the pause.
import { until } from './until.ts'

const tickMs = 5

/** Watches from now on. `stop` gives how many ms this process could not run, of the time since, in all. */
export function watchStandstill(): { readonly stop: () => number } {
  let lastMs = performance.now()
  let stoodMs = 0
  const note = (): void => {
    const nowMs = performance.now()
    stoodMs += Math.max(0, nowMs - lastMs - tickMs)
    lastMs = nowMs
  }
  const timer = setInterval(note, tickMs)
  return {
    stop() {
      clearInterval(timer)
      note()
      return stoodMs
    },
  }
}

/** Runs it; gives its result, and what it took in ms without the time in which this process could not run. */
export async function measure<T>(run: () => Promise<T>): Promise<{ readonly value: T; readonly tookMs: number }> {
  const standstill = watchStandstill()
  const startedAtMs = performance.now()
  try {
    const value = await run()
    return { value, tookMs: performance.now() - startedAtMs - standstill.stop() }
  } finally {
    standstill.stop()
  }
}

// On a machine that is used by others a single request may take a second; so many of them are more than a late notice needs.
const manyTries = 20

/** Resolves when the condition, which asks the service, holds; throws where that took longer than is promised, and many requests. */
export async function untilWithin(promisedMs: number, holds: () => Promise<boolean>): Promise<void> {
  let tries = 0
  const { tookMs } = await measure(
    async () =>
      await until(async () => {
        tries += 1
        return await holds()
      }),
  )
  if (tookMs < promisedMs || tries <= manyTries) return
  throw new Error(`it took ${tookMs} ms and ${tries} requests, and ${promisedMs} ms are promised`)
}
