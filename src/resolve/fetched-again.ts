// Finds model calls whose stored response was fetched again: an instrumentation reports each fetch as a call, with the usage of the response.
import type { CallSpan } from './call-span.ts'
import { countBest } from './usage-detail.ts'

/**
 * Ids of responses that their provider stores: those of OpenAI's Responses API, which are random, and those of Gemini's Interactions API.
 * Local servers and test doubles use shorter ones, for several responses.
 */
const storedId = /^(?:resp_[0-9a-f]{32,}|v1_[\w-]{32,})$/

/**
 * Returns, for each span of a call whose response several spans of one scope report, the index of the span that counts: the one with the most
 * detailed usage, else the oldest. The spans need not overlap: a response may be fetched long after its call. `calls`: the indices of the
 * spans that may be calls. Cost: O(n).
 */
export function findFetchedAgain(
  spans: readonly CallSpan[],
  calls: readonly number[],
  bySeniority: (a: number, b: number) => number,
): ReadonlyMap<number, number> {
  const byId = new Map<string, number[]>()
  for (const index of calls) {
    const { responseId, scopeName } = spans[index] as CallSpan
    if (responseId === null || scopeName === null || !storedId.test(responseId)) continue
    const key = `${responseId} ${scopeName}`
    const known = byId.get(key)
    if (known === undefined) byId.set(key, [index])
    else known.push(index)
  }
  const repeated = [...byId.values()].filter(({ length }) => length > 1)
  return countBest(spans, repeated, bySeniority)
}
