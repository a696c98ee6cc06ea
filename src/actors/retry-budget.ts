// How many requests a front may repeat: a share of those that it makes, so that trouble is never multiplied. Pure.
import type { Clock } from './clock.ts'

export type RetryBudget = {
  /** A request is made for the first time. */
  earn(): void
  /** False where there has to be no repetition now. */
  take(): boolean
}

const share = 0.1
const perSecond = 5
// What quiet times have saved up is spent at once at the most.
const most = 50

/** A tenth of all requests, and five a second whatever they are. */
export function makeRetryBudget({ nowMs }: Pick<Clock, 'nowMs'>): RetryBudget {
  let tokens = perSecond
  let filledAtMs = nowMs()

  function fill(): void {
    const now = nowMs()
    tokens = Math.min(most, tokens + ((now - filledAtMs) / 1_000) * perSecond)
    filledAtMs = now
  }

  return {
    earn() {
      tokens = Math.min(most, tokens + share)
    },
    take() {
      fill()
      if (tokens < 1) return false
      tokens -= 1
      return true
    },
  }
}
