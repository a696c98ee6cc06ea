// How long the machine stood still, for tests whose subject is time: what is promised to take 300 ms takes that and the pause.
import { until } from './until.ts'

const tickMs = 5

export type Standstill = {
  /** Measures anew from now on. */
  reset(): void
  /** How many ms, of the time since the start or the last reset, this process was ready to run and the machine did not let it. */
  totalMs(): number
  /** The same, and the end of it. */
  stop(): number
}

/**
 * Watches from now on: by how much a timer comes too late, less what this process computed meanwhile. So code that keeps the event loop
 * busy is not taken for a machine that stands still.
 */
export function watchStandstill(): Standstill {
  let lastMs = performance.now()
  let lastCpuMs = readCpuMs()
  let stoodMs = 0
  function note(): void {
    const nowMs = performance.now()
    const cpuMs = readCpuMs()
    stoodMs += Math.max(0, nowMs - lastMs - tickMs - (cpuMs - lastCpuMs))
    lastMs = nowMs
    lastCpuMs = cpuMs
  }
  const totalMs = (): number => {
    note()
    return stoodMs
  }
  const timer = setInterval(note, tickMs)
  timer.unref()
  return {
    reset() {
      note()
      stoodMs = 0
    },
    totalMs,
    stop() {
      clearInterval(timer)
      return totalMs()
    },
  }
}

function readCpuMs(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1_000
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
