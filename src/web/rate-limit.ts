// A bound on how often one caller may come, kept in this process.
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible'
import { Outage } from '../base/fault.ts'

export type RateLimit = {
  /** Throws an Outage with status 429 where the caller is over its rate. */
  consume(caller: string): Promise<void>
}

/** At most `perSecond` requests a second of each caller. */
export function openRateLimit(perSecond: number): RateLimit {
  const limiter = new RateLimiterMemory({ points: perSecond, duration: 1 })
  return {
    async consume(caller) {
      try {
        await limiter.consume(caller)
      } catch (reason) {
        if (!(reason instanceof RateLimiterRes)) throw reason
        throw new Outage('too many requests', { status: 429, retryAfterMs: reason.msBeforeNext })
      }
    },
  }
}
