// The counters of events, in one array of numbers, so that all are added and written by the same code.
import type { Fact } from './fact.ts'

/** Indexes in the array. Counters are stored by index, so add a new one at the end. */
export const counterAt = {
  events: 0,
  errors: 1,
  llmCalls: 2,
  toolCalls: 3,
  servedCalls: 4,
  unpricedCalls: 5,
  inputTokens: 6,
  outputTokens: 7,
  cachedTokens: 8,
  cacheWriteTokens: 9,
  reasoningTokens: 10,
  /** In 1e-12 USD: integers, so that subtracting what was added leaves exactly 0. */
  costPicoUsd: 11,
  savingsPicoUsd: 12,
  /** Counted events of every kind. Events that are not counted are in `events` and `errors` alone. */
  counted: 13,
} as const

/**
 * The length of the array, which has more indexes than counters: this release keeps, adds up and writes the counters of newer releases
 * without knowing what they count.
 */
export const counterPlaces = 20

/** Exact while a sum is below 2^53 (9,007 USD for costs). Beyond it, each addition has an error of up to 1e-16 of the sum. */
export type Counters = Float64Array<ArrayBuffer>

export const picosPerUsd = 1e12

export const makeCounters = (): Counters => new Float64Array(counterPlaces)

/** Adds one event, or removes it with sign -1. Calls, tokens and costs are those of counted events; tool calls include inferred ones. */
export function addFactCounters(into: Counters, fact: Fact, sign: 1 | -1): void {
  if (fact.inferred) {
    into[counterAt.toolCalls]! += sign
    return
  }
  into[counterAt.events]! += sign
  if (fact.error) into[counterAt.errors]! += sign
  if (!fact.counted) return
  into[counterAt.counted]! += sign
  if (fact.kind === 'llm') into[counterAt.llmCalls]! += sign
  if (fact.kind === 'tool') {
    into[counterAt.toolCalls]! += sign
    if (fact.served) into[counterAt.servedCalls]! += sign
  }
  if (fact.unpriced && isModelCall(fact)) into[counterAt.unpricedCalls]! += sign
  into[counterAt.inputTokens]! += sign * fact.inputTokens
  into[counterAt.outputTokens]! += sign * fact.outputTokens
  into[counterAt.cachedTokens]! += sign * fact.cachedTokens
  into[counterAt.cacheWriteTokens]! += sign * fact.cacheWriteTokens
  into[counterAt.reasoningTokens]! += sign * fact.reasoningTokens
  into[counterAt.costPicoUsd]! += sign * toPicos(fact.costUsd)
  into[counterAt.savingsPicoUsd]! += sign * toPicos(fact.cacheSavingsUsd)
}

/** True for the kinds that are model calls. */
export const isModelCall = ({ kind }: { readonly kind: string }): boolean => kind === 'llm' || kind === 'embedding'

/** Returns 1e-12 USD; 0 where the amount is unknown. */
const toPicos = (usd: number): number => (Number.isNaN(usd) ? 0 : Math.round(usd * picosPerUsd))

export function mergeCounters(into: Counters, from: Counters): void {
  for (let at = 0; at < counterPlaces; at++) into[at]! += from[at]!
}

export const areZero = (counters: Counters): boolean => counters.every((value) => value === 0)
