// Limits the request rate of each caller, in the memory of this process.
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible'
import { Outage } from '../base/fault.ts'

export type RateLimit = {
  /** Counts one request. Throws an Outage with status 429 if the caller exceeds its rate. */
  consume(caller: string): Promise<void>
}

/** Allows each caller at most `perSecond` requests a second. */
export function openRateLimit(perSecond: number): RateLimit {
  const limiter = new RateLimiterMemory({ points: perSecond, duration: 1 })
  return {
    async consume(caller) {
      try {
        await limiter.consume(caller)
      } catch (reason) {
        if (!(reason instanceof RateLimiterRes)) throw reason
        throw new Outage('limit', 'too many requests', { status: 429, retryAfterMs: reason.msBeforeNext })
      }
    },
  }
}
