// What is counted of events, as one array of numbers: adding and writing them is the same for all.
import type { Fact } from './fact.ts'

/** Places in the array. Written to storage by place: a new one goes to the end. */
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
  /** 1e-12 USD: integers, so that what is added and subtracted again leaves nothing behind. */
  costPicoUsd: 11,
  savingsPicoUsd: 12,
  /** Events that count, of every kind: the others are in `events` and `errors` alone. */
  counted: 13,
} as const

/**
 * There are more places than counters: those that a newer release adds are kept, added up and written again by this one, which does not
 * know what they count.
 */
export const counterPlaces = 20

/** Exact while a sum stays below 2^53 (9,007 USD in the costs), and beyond it to 1e-16 of its size for each addition. */
export type Counters = Float64Array<ArrayBuffer>

export const picosPerUsd = 1e12

export const makeCounters = (): Counters => new Float64Array(counterPlaces)

/** Adds one event, or takes it away with sign -1. Calls, tokens and costs are those of counted events alone, but for inferred calls of tools. */
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

/** True for the kinds that a model is called by. */
export const isModelCall = ({ kind }: { readonly kind: string }): boolean => kind === 'llm' || kind === 'embedding'

/** 0 where the amount is unknown. */
const toPicos = (usd: number): number => (Number.isNaN(usd) ? 0 : Math.round(usd * picosPerUsd))

export function mergeCounters(into: Counters, from: Counters): void {
  for (let at = 0; at < counterPlaces; at++) into[at]! += from[at]!
}

export const areZero = (counters: Counters): boolean => counters.every((value) => value === 0)
