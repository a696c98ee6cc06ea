// SDK. Circuit breakers: pause requests to a service that does not answer in time, so that the agent does not wait for each one.
import { LRUCache } from 'lru-cache'
import { backOffMs } from './back-off.ts'

export type Breaker = {
  readonly isClosed: () => boolean
  readonly failed: () => void
  readonly answered: () => void
}

const failuresToOpen = 3
const pauseMs = { first: 1_000, most: 30_000 }

/**
 * Opens for about a second after three failures in a row, and for twice as long after each further failure, up to 30 s. Failures that arrive
 * while it is open do not count: they are of requests that began before, of which there may be many.
 */
export function makeBreaker(nowMs: () => number, random: () => number): Breaker {
  let failures = 0
  let openUntilMs = Number.NEGATIVE_INFINITY
  const isClosed = (): boolean => nowMs() >= openUntilMs
  return {
    isClosed,
    failed() {
      if (!isClosed()) return
      failures += 1
      const beyond = failures - failuresToOpen
      if (beyond >= 0) openUntilMs = nowMs() + backOffMs(beyond + 1, pauseMs.first, pauseMs.most, random)
    },
    answered() {
      failures = 0
    },
  }
}

/** Breakers for rules whose results are encrypted with a key that this process does not have. */
export type KeyBreakers = {
  readonly isClosed: (decisionId: string) => boolean
  readonly notOpened: (decisionId: string, keyId: string) => void
  readonly opened: (decisionId: string, keyId: string) => void
}

// Both ids come from the service, so their number is limited.
const maxKeys = 100
const maxDecisions = 10_000

/**
 * Makes one breaker for each key id. A look-up learns the key id only from its answer, so a rule is paused by the breaker of the key id of
 * its last answer that could not be decrypted.
 */
export function makeKeyBreakers(nowMs: () => number, random: () => number): KeyBreakers {
  const breakers = new LRUCache<string, Breaker>({ max: maxKeys })
  const lastUnopened = new LRUCache<string, string>({ max: maxDecisions })
  return {
    isClosed(decisionId) {
      const keyId = lastUnopened.get(decisionId)
      return keyId === undefined || breakers.get(keyId)?.isClosed() !== false
    },
    notOpened(decisionId, keyId) {
      const breaker = breakers.get(keyId) ?? makeBreaker(nowMs, random)
      breakers.set(keyId, breaker)
      lastUnopened.set(decisionId, keyId)
      breaker.failed()
    },
    opened(decisionId, keyId) {
      lastUnopened.delete(decisionId)
      breakers.get(keyId)?.answered()
    },
  }
}
