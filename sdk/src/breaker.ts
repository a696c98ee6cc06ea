// SDK. Keeps the agent from waiting again and again for a service that does not answer in time.
import { backOffMs } from './back-off.ts'

export type Breaker = {
  readonly isClosed: () => boolean
  readonly failed: () => void
  readonly answered: () => void
}

const failuresToOpen = 3
const pauseMs = { first: 1_000, most: 30_000 }

/** After three failures in a row nothing is asked for a second or so, and twice as long after each failure more. */
export function makeBreaker(nowMs: () => number, random: () => number): Breaker {
  let failures = 0
  let openUntilMs = Number.NEGATIVE_INFINITY
  return {
    isClosed: () => nowMs() >= openUntilMs,
    failed() {
      failures += 1
      const beyond = failures - failuresToOpen
      if (beyond >= 0) openUntilMs = nowMs() + backOffMs(beyond + 1, pauseMs.first, pauseMs.most, random)
    },
    answered() {
      failures = 0
    },
  }
}
