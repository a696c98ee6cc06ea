// Limits the retries of a front to a share of its requests, so that retries cannot multiply the load during a failure. Pure.
import type { Clock } from './clock.ts'

export type RetryBudget = {
  /** Call once for each first attempt. */
  earn(): void
  /** Spends one retry. Returns false if no retry is allowed now. */
  take(): boolean
}

const share = 0.1
const perSecond = 5
// The largest burst that quiet times can save up.
const most = 50

/** Allows retries for a tenth of all requests, plus five a second. */
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
