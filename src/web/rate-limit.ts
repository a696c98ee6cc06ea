// Limits the request rate of each caller, in the memory of this process.
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible'
import { Outage } from '../base/fault.ts'
import type { JsonRoute, Route, Session } from './route.ts'

export type RateLimit = {
  /** Counts one request. Throws an Outage with status 429 if the caller exceeds its rate. */
  consume(caller: string): Promise<void>
}

/** Allows each caller at most `requests` in `seconds`. */
export function openRateLimit(requests: number, seconds = 1): RateLimit {
  const limiter = new RateLimiterMemory({ points: requests, duration: seconds })
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

/**
 * Returns the same routes; each change by a signed-in user counts against the rate of the session before it runs. Another session of the
 * same user can still end this one. The OpenAPI document has the 429 of `shares.ts`, which limits the same routes.
 */
export const limitChanges = (routes: readonly Route[], rate: RateLimit): Route[] =>
  routes.map((route) => {
    if (route.kind !== 'json' || route.auth !== 'session' || route.method === 'GET') return route
    const { handle } = route
    const counted: JsonRoute['handle'] = async (input) => {
      await rate.consume((input.who as Session).sessionId)
      return await handle(input)
    }
    return { ...route, handle: counted }
  })
