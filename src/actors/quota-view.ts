// The month of one workspace as its actor sees it: what was accepted, what is promised, what is left. Pure arithmetic.
import { Busy } from '../bus/transport.ts'

/** What the database says. `quota` null: unlimited. */
export type QuotaFacts = { readonly quota: number | null; readonly accepted: number; readonly monthEndsInMs: number }

export type QuotaView = {
  /**
   * Spans that the batch may store: null is unlimited. Less than asked where the month has no more; the same again for the same
   * key. Throws Busy where too many grants are out.
   */
  reserve(batchKey: string, spans: number, nowMs: number): number | null
  /** True where a reserve of a new key would give less than asked. */
  isShort(batchKey: string, spans: number): boolean
  /** Turns the grant into what the batch really stored. */
  settle(batchKey: string, inserted: number, nowMs: number): void
  /** True where the facts may be wrong: never read, month over, too old, or a grant ended without word of its batch. */
  isStale(nowMs: number): boolean
  load(facts: QuotaFacts, nowMs: number): void
  /** The next `isStale` is true. */
  readonly doubt: () => void
  /** Spans promised and not settled. */
  outstanding(): number
}

export const grantLifetimeMs = 30_000
const maxAgeMs = 60_000
// Far more batches than one workspace has in flight.
const maxGrants = 20_000

type Grant = { readonly spans: number; readonly expiresAtMs: number }

/**
 * Grants never exceed quota - accepted - outstanding of the view. The view may be behind the database, which has the last word
 * on every commit; too high a count mends itself because a refusal reads again, too low a one because lost grants raise doubt.
 */
export function makeQuotaView(): QuotaView {
  // In the order of expiry: a grant that is asked for again moves to the end.
  const grants = new Map<string, Grant>()
  let outstanding = 0
  let quota: number | null = null
  let accepted = 0
  let validUntilMs = Number.NEGATIVE_INFINITY

  function expire(nowMs: number): void {
    for (const [key, grant] of grants) {
      if (grant.expiresAtMs > nowMs) return
      drop(key, grant)
      validUntilMs = Number.NEGATIVE_INFINITY
    }
  }

  function drop(key: string, grant: Grant): void {
    grants.delete(key)
    outstanding -= grant.spans
  }

  const left = (): number => (quota === null ? Number.POSITIVE_INFINITY : Math.max(0, quota - accepted - outstanding))

  return {
    isShort: (batchKey, spans) => !grants.has(batchKey) && left() < spans,
    reserve(batchKey, spans, nowMs) {
      expire(nowMs)
      if (quota === null) return null
      const known = grants.get(batchKey)
      if (known === undefined && grants.size >= maxGrants)
        throw new Busy(`the limit of ${maxGrants} open quota grants is reached`)
      const granted = known?.spans ?? Math.min(spans, left())
      if (known !== undefined) drop(batchKey, known)
      // A promise of nothing needs no memory.
      if (granted === 0) return 0
      grants.set(batchKey, { spans: granted, expiresAtMs: nowMs + grantLifetimeMs })
      outstanding += granted
      return granted
    },
    settle(batchKey, inserted, nowMs) {
      expire(nowMs)
      const grant = grants.get(batchKey)
      if (grant !== undefined) drop(batchKey, grant)
      accepted += inserted
    },
    isStale: (nowMs) => {
      expire(nowMs)
      return nowMs >= validUntilMs
    },
    load(facts, nowMs) {
      quota = facts.quota
      accepted = facts.accepted
      validUntilMs = nowMs + Math.min(maxAgeMs, Math.max(0, facts.monthEndsInMs))
    },
    doubt() {
      validUntilMs = Number.NEGATIVE_INFINITY
    },
    outstanding: () => outstanding,
  }
}
