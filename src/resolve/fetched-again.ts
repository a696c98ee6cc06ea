// Finds model calls whose stored response was fetched again: an instrumentation reports each fetch as a call, with the usage of the response.
import { type CallSpan, compareDetail } from './told-twice.ts'

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
  const counting = new Map<number, number>()
  for (const group of byId.values()) {
    if (group.length < 2) continue
    const [best] = group.toSorted(
      (a, b) => compareDetail(spans[a] as CallSpan, spans[b] as CallSpan) || bySeniority(a, b),
    )
    for (const index of group) counting.set(index, best as number)
  }
  return counting
}
