// The monthly quota of one workspace as its actor sees it: accepted, granted and remaining spans. Pure arithmetic.
import { Busy } from '../bus/transport.ts'

/** The facts from the database. `quota` null: unlimited. */
export type QuotaFacts = { readonly quota: number | null; readonly accepted: number; readonly monthEndsInMs: number }

export type QuotaView = {
  /**
   * Returns how many spans the batch may store; null: unlimited. Less than requested if the month has fewer left. Repeating a key returns
   * the same number. Throws Busy if too many grants are open.
   */
  reserve(batchKey: string, spans: number, nowMs: number): number | null
  /** True if a reservation with a new key would return less than requested. */
  isShort(batchKey: string, spans: number): boolean
  /** Replaces the grant with the number of spans that the batch actually stored. */
  settle(batchKey: string, inserted: number, nowMs: number): void
  /** True if the facts may be wrong: never read, the month is over, too old, or a grant expired without a `settle` for its batch. */
  isStale(nowMs: number): boolean
  load(facts: QuotaFacts, nowMs: number): void
  /** Makes the next `isStale` true. */
  readonly invalidate: () => void
  /** Spans that are granted and not settled. */
  outstanding(): number
}

export const grantLifetimeMs = 30_000
const maxAgeMs = 60_000
// Far more batches than one workspace has in flight.
const maxGrants = 20_000

type Grant = { readonly spans: number; readonly expiresAtMs: number }

/**
 * Grants never exceed quota - accepted - outstanding of the view. The view may lag behind the database, which makes the final decision on
 * every commit. Errors correct themselves: if the count is too high, a short grant triggers a new read; if it is too low, expired grants
 * make the view stale.
 */
export function makeQuotaView(): QuotaView {
  // In the order of expiry: a grant that is requested again moves to the end.
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
      // A grant of zero spans is not stored.
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
    invalidate() {
      validUntilMs = Number.NEGATIVE_INFINITY
    },
    outstanding: () => outstanding,
  }
}
