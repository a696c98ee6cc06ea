// SDK. Finds the result of a covered call: in memory, from an equal call in progress, or in the service. Otherwise the call has to run.
import type { Fetched, FetchMiss, Wanted } from '../fetch-result.ts'
import type { Rule, RuleBook, Subject } from '../rule-book.ts'
import type { ResultText } from '../sealed-result.ts'
import { between, later, type Moment } from './moment.ts'
import { isFresh, type KeptResult, maxKeptRunMs, type ResultMemory } from './result-memory.ts'
import type { Flight, Flights } from './single-flight.ts'

/**
 * Why a covered call runs for real. `newest_unusable`: the newest real execution in this process failed, or its result may not be served,
 * so that an older result must not be served either. `not_shared`: the equal call in progress had no result to share.
 */
export type OfferMiss = FetchMiss | 'newest_unusable' | 'not_shared'

export type CoveredCall = {
  readonly subject: Subject
  readonly rule: Rule
  /** The key of the result under the rule: the input hash, or the scope hash under a rule about unread results. */
  readonly hash: string
  readonly freshnessS: number
  readonly contentOf: (result: ResultText) => string | null
}

/** `flight`: the calls that wait for this one. The caller must land it, whether the call succeeds or fails. */
export type Offer =
  | { readonly result: KeptResult; readonly from: 'memory' | 'shared' | 'fetched' }
  | { readonly result: null; readonly miss: OfferMiss; readonly flight: Flight | null }

export type OfferDeps = {
  readonly memory: ResultMemory
  readonly flights: Flights
  readonly findRule: RuleBook['find']
  readonly fetchResult: (wanted: Wanted) => Promise<Fetched>
  readonly clock: () => Moment
  readonly onFault: (error: unknown) => void
}

const run = (miss: OfferMiss, flight: Flight | null): Offer => ({ result: null, miss, flight })

/**
 * Never rejects. It is synchronous up to the look-up in memory and among the calls in progress, so that exactly one of two equal calls
 * leads. Only calls under a reuse_identity rule (same input, same result) are shared.
 */
export async function offerResult(deps: OfferDeps, call: CoveredCall): Promise<Offer> {
  const { rule, hash, freshnessS, subject } = call
  const known = deps.memory.find(rule, hash, freshnessS)
  if (known !== null && known !== 'unusable') return { result: known, from: 'memory' }
  const key = JSON.stringify([rule.decisionId, rule.executedAfterMs, hash, subject.agentName])
  // If the maximum age is 0, no result may be reused, not even one of a call in progress.
  const maySharing = rule.type === 'reuse_identity' && Math.min(rule.freshnessS, freshnessS) > 0
  const shared = maySharing ? deps.flights.find(key) : null
  if (shared !== null) return await join(deps, call, shared)
  const flight = maySharing ? deps.flights.lead(rule.toolName, key) : null
  if (known === 'unusable') return run('newest_unusable', flight)
  const offer = await fetchAndKeep(deps, call, flight)
  if (offer.result !== null) flight?.land(offer.result)
  return offer
}

/**
 * Whether a result that took time to get may be served: it is fresh by the age limit that the rule has now, the rule is in force, and no
 * result of the call was invalidated, here or elsewhere, since `since`. It is not, if that was so long ago, because the machine slept, that
 * the rule no longer shows whether its input was invalidated elsewhere.
 */
function isStillServed(
  { findRule, memory, clock }: OfferDeps,
  { subject, rule, hash, freshnessS }: CoveredCall,
  result: KeptResult,
  since: Moment,
): boolean {
  const now = findRule(subject)
  if (now?.decisionId !== rule.decisionId || now.executedAfterMs !== rule.executedAfterMs) return false
  if (!isFresh(result, Math.min(now.freshnessS, freshnessS), clock())) return false
  if (between(since, clock()) > maxKeptRunMs) return false
  return memory.lastInvalidated(rule.toolName, hash).monotonicMs < since.monotonicMs
}

async function join(deps: OfferDeps, call: CoveredCall, shared: Parameters<Flights['join']>[0]): Promise<Offer> {
  const result = await deps.flights.join(shared)
  if (result === null || !isStillServed(deps, call, result, shared.startedAt)) return run('not_shared', null)
  return { result, from: 'shared' }
}

async function fetchAndKeep(deps: OfferDeps, call: CoveredCall, flight: Flight | null): Promise<Offer> {
  const { rule, hash, freshnessS, contentOf } = call
  const askedAt = deps.clock()
  let fetched: Fetched
  try {
    const executedAfterMs = deps.memory.lastInvalidated(rule.toolName, hash).unixMs
    fetched = await deps.fetchResult({ rule, hash, freshnessS, executedAfterMs, contentOf })
  } catch (error) {
    deps.onFault(error)
    return run('unreachable', flight)
  }
  if (!fetched.ok) return run(fetched.miss, flight)
  // A held-out call may have ended in the meantime; its result is newer.
  const known = deps.memory.find(rule, hash, freshnessS)
  if (known === 'unusable') return run('newest_unusable', flight)
  if (known !== null) return { result: known, from: 'memory' }
  const now = deps.clock()
  // The clock of the process that executed the call may be ahead of this one.
  const ageMs = Math.max(0, now.unixMs - fetched.endMs)
  const result: KeptResult = {
    ...fetched.result,
    end: later(now, -ageMs),
    expires: later(now, fetched.expiresAtMs - now.unixMs),
  }
  const kept = isStillServed(deps, call, result, askedAt) ? deps.memory.keep(rule, hash, result) : null
  return kept === null ? run('stale', flight) : { result: kept, from: 'fetched' }
}
