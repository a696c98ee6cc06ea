// Limits the request rate of each caller, in the memory of this process.
import { createRequire } from 'node:module'
import type * as limiters from 'rate-limiter-flexible'
import { Outage } from '../base/fault.ts'
import type { JsonRoute, Route, Session } from './route.ts'

// The index of the package would load limiters for 15 stores at each start of a process.
const load = createRequire(import.meta.url)
const RateLimiterMemory = load('rate-limiter-flexible/lib/RateLimiterMemory.js') as typeof limiters.RateLimiterMemory
const RateLimiterRes = load('rate-limiter-flexible/lib/RateLimiterRes.js') as typeof limiters.RateLimiterRes

export type RateLimit = {
  /** Counts a request as `points` (default: 1). Throws an Outage with status 429 if the caller exceeds its rate. */
  consume(caller: string, points?: number): Promise<void>
}

/** Allows each caller at most `requests`, of one point each, in `seconds`. */
export function openRateLimit(requests: number, seconds = 1): RateLimit {
  const limiter = new RateLimiterMemory({ points: requests, duration: seconds })
  return {
    async consume(caller, points = 1) {
      try {
        await limiter.consume(caller, points)
      } catch (reason) {
        if (!(reason instanceof RateLimiterRes)) throw reason
        // Otherwise one long request that is refused would use up the rest for short ones.
        if (points > 1) await limiter.reward(caller, points)
        throw new Outage('limit', 'too many requests', { status: 429, retryAfterMs: reason.msBeforeNext })
      }
    },
  }
}

export type ChangeRates = { readonly ofSession: RateLimit; readonly ofUser: RateLimit }

/**
 * Returns the same routes; each change by a signed-in user counts against the rates of the session and of the user before its body is read.
 * Against the rate of the session alone counts what ends sessions: another session of the same user can still end the one that uses up
 * their rate. The OpenAPI document has the 429 of `shares.ts`, which limits the same routes.
 */
export const limitChanges = (routes: readonly Route[], { ofSession, ofUser }: ChangeRates): Route[] =>
  routes.map((route) => {
    if (route.kind !== 'json' || route.auth !== 'session' || route.method === 'GET') return route
    const admit: JsonRoute['admit'] = async (who, points) => {
      const { sessionId, userId } = who as Session
      await ofSession.consume(sessionId, points)
      if (!route.endsSessions) await ofUser.consume(userId, points)
    }
    return { ...route, admit }
  })
