// Measures how long the machine stood still, for tests of durations: an operation of at most 300 ms may take that and the pause. Also makes a
// process stand still.
import { readMs } from './elapsed.ts'
import { until } from './until.ts'

const tickMs = 5

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

/** Only this thread reads the answers to pings: the work of others does not delay them. */
function readThreadCpuMs(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1_000
}

/** Blocks the event loop for `ms`, as a pause of the machine does. */
export const standStill = (ms: number): void => void Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms)

/** The shortest request to another process that the measured operation needs. It may fail. */
export type Ping = () => Promise<unknown>

const usualPingMs = 50
const pingPauseMs = 20

type Watch = {
  /** Returns how much longer than usual the slowest answers took until now, without the time in which this process worked or could not run. */
  readonly lateMs: () => number
  readonly stop: () => Promise<void>
}

/** Pings all the time, all at once. */
function watchServers(pings: readonly Ping[], standstill: Standstill): Watch {
  const stopping = new AbortController()
  const readIdleMs = (): number => readMs() - standstill.totalMs() - readThreadCpuMs()
  let lateMs = 0
  let sinceMs: number | null = null
  const readRunningMs = (): number => (sinceMs === null ? 0 : Math.max(0, readIdleMs() - sinceMs - usualPingMs))
  const pinging = (async () => {
    while (pings.length > 0 && !stopping.signal.aborted) {
      sinceMs = readIdleMs()
      await Promise.allSettled(pings.map(async (ping) => await ping()))
      lateMs += readRunningMs()
      sinceMs = null
      await new Promise((turn) => setTimeout(turn, pingPauseMs))
    }
  })()
  return {
    lateMs: () => lateMs + readRunningMs(),
    async stop() {
      stopping.abort()
      await pinging
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
  const servers = watchServers(pings, standstill)
  const startedAtMs = readMs()
  try {
    const value = await run()
    return { value, tookMs: readMs() - startedAtMs - standstill.totalMs() - servers.lateMs() }
  } finally {
    await servers.stop()
    standstill.stop()
  }
}

// On a shared machine a single request may take a second; this many are more than a late notice needs.
const manyTries = 20
/** Short enough that a late notice meets twice as many. */
const pauseShareOfPromise = 1 / (2 * manyTries)
/** More often, the requests would slow down what they wait for. */
const longestTryPauseMs = 50

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
      await until(
        async () => {
          const outcome = await holds()
          if (outcome !== 'unread') tries += 1
          return outcome === true
        },
        undefined,
        Math.max(longestTryPauseMs, promisedMs * pauseShareOfPromise),
      ),
    pings,
  )
  if (tookMs < promisedMs || tries <= manyTries) return
  throw new Error(`it took ${tookMs} ms and ${tries} requests, and ${promisedMs} ms are promised`)
}
