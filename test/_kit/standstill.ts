// Measures how long the machine stood still, for tests of durations: an operation of at most 300 ms may take that and the pause. Also makes a
// process stand still.
import { until } from './until.ts'

const tickMs = 5

// Tests may replace the clock of the service.
const readMs = performance.now.bind(performance)

export type Standstill = {
  /** Restarts the measurement. */
  reset(): void
  /** Returns for how many ms since the start or the last reset this process was ready to run but was not scheduled. */
  totalMs(): number
  /** Ends the measurement and returns the total. */
  stop(): number
}

/**
 * Starts a measurement. It sums by how much a timer is late, less the CPU time of this process in that interval, so code that blocks the
 * event loop does not count as a standstill.
 */
export function watchStandstill(): Standstill {
  let lastMs = readMs()
  let lastCpuMs = readCpuMs()
  let stoodMs = 0
  function note(): void {
    const nowMs = readMs()
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

/** Blocks the event loop for `ms`, as a pause of the machine does. */
export const standStill = (ms: number): void => void Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms)

/** The shortest request to another process that the measured operation needs. It may fail. */
export type Ping = () => Promise<unknown>

const usualPingMs = 50
const pingPauseMs = 20

/** Pings all the time. `stop` resolves to how much longer the answers took than usual, without the time in which this process could not run. */
function watchServer(ping: Ping, standstill: Standstill) {
  let stoodMs = 0
  const stopping = new AbortController()
  const pinging = (async () => {
    while (!stopping.signal.aborted) {
      const before = readMs() - standstill.totalMs()
      await ping().catch(() => undefined)
      stoodMs += Math.max(0, readMs() - standstill.totalMs() - before - usualPingMs)
      await new Promise((turn) => setTimeout(turn, pingPauseMs))
    }
  })()
  return {
    async stop(): Promise<number> {
      stopping.abort()
      await pinging
      return stoodMs
    },
  }
}

/**
 * Runs a function and returns its result and its duration in ms, without the time in which this process could not run or the other
 * processes did not answer.
 */
export async function measure<T>(
  run: () => Promise<T>,
  pings: readonly Ping[] = [],
): Promise<{ readonly value: T; readonly tookMs: number }> {
  const standstill = watchStandstill()
  const servers = pings.map((ping) => watchServer(ping, standstill))
  const startedAtMs = readMs()
  try {
    const value = await run()
    const tookMs = readMs() - startedAtMs - standstill.totalMs()
    const stoodMs = await Promise.all(servers.map((server) => server.stop()))
    return { value, tookMs: stoodMs.reduce((rest, ms) => rest - ms, tookMs) }
  } finally {
    await Promise.all(servers.map((server) => server.stop()))
    standstill.stop()
  }
}

// On a shared machine a single request may take a second; this many are more than a late notice needs.
const manyTries = 20

/**
 * Resolves when the condition, which queries the service, holds. Throws where that takes longer than promised and many requests. While the
 * database pauses, the service answers many requests at once from memory: those for which the condition returns `unread` do not count.
 */
export async function untilWithin(
  promisedMs: number,
  holds: () => Promise<boolean | 'unread'>,
  pings: readonly Ping[] = [],
): Promise<void> {
  let tries = 0
  const { tookMs } = await measure(
    async () =>
      await until(async () => {
        const outcome = await holds()
        if (outcome !== 'unread') tries += 1
        return outcome === true
      }),
    pings,
  )
  if (tookMs < promisedMs || tries <= manyTries) return
  throw new Error(`it took ${tookMs} ms and ${tries} requests, and ${promisedMs} ms are promised`)
}
