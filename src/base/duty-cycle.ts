// Limits work to a share of the time: after each piece of work comes a rest in proportion to its duration.
import { pause } from './pause.ts'

export type DutyCycle = {
  /** Runs the work after the rest that the previous work requires. Returns null if the signal was aborted before it began. */
  run<T>(work: () => Promise<T>): Promise<T | null>
}

/** `share`: maximum share of the time that is spent working; 1 never rests. */
export function makeDutyCycle(share: number, signal: AbortSignal): DutyCycle {
  let readyMs = Number.NEGATIVE_INFINITY
  return {
    async run(work) {
      const restMs = readyMs - performance.now()
      if (restMs > 0) await pause(restMs, signal)
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
