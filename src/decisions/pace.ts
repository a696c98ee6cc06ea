// A share of time: whoever has worked rests for as long as the share asks for.
import { setTimeout as sleep } from 'node:timers/promises'

export type Pace = {
  /** Runs the work once what was done before is rested from. Null where the signal was aborted before it began. */
  run<T>(work: () => Promise<T>): Promise<T | null>
}

/** `share`: of the time, at most so much is worked; 1 never rests. */
export function makePace(share: number, signal: AbortSignal): Pace {
  let readyMs = Number.NEGATIVE_INFINITY
  return {
    async run(work) {
      const restMs = readyMs - performance.now()
      if (restMs > 0) await sleep(restMs, undefined, { signal }).catch(() => undefined)
      if (signal.aborted) return null
      const startedMs = performance.now()
      try {
        return await work()
      } finally {
        const endedMs = performance.now()
        readyMs = endedMs + (endedMs - startedMs) * (1 / share - 1)
      }
    },
  }
}
