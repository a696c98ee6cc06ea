// Decides which of several reports of a call counts: the one with the most detailed usage.
import type { CallSpan } from './call-span.ts'

/** Returns, for each span of the groups, the one of its group that counts: the one with the most detailed usage, else the oldest. */
export function countBest(
  spans: readonly CallSpan[],
  groups: Iterable<readonly number[]>,
  bySeniority: (a: number, b: number) => number,
): Map<number, number> {
  const rank = (one: number, other: number): number =>
    compareDetail(spans[one] as CallSpan, spans[other] as CallSpan) || bySeniority(one, other)
  const counting = new Map<number, number>()
  for (const group of groups) {
    const best = group.reduce((chosen, index) => (rank(index, chosen) < 0 ? index : chosen))
    for (const index of group) counting.set(index, best)
  }
  return counting
}

/**
 * Returns a negative number if `one` reports its usage in more detail than `other`. A count that only one of them knows precedes any detail:
 * it cannot be added to the other span.
 */
export function compareDetail(one: CallSpan, other: CallSpan): number {
  return (
    knownCounts(other) - knownCounts(one) ||
    Number(isTold(other)) - Number(isTold(one)) ||
    other.usageDetail - one.usageDetail
  )
}

/** Some frameworks report 0 for an unknown count. An embedding has no output. */
const knownCounts = ({ kind, inputTokens, outputTokens }: CallSpan): number =>
  Number((inputTokens ?? 0) > 0) + (kind === 'llm' ? Number((outputTokens ?? 0) > 0) : 0)

/**
 * Returns the reasoning tokens of a call: those of the span that counts, else those of another span, unless they exceed the counted output.
 */
export function unitedReasoning(counting: CallSpan | undefined, other: CallSpan | undefined): number | null {
  const own = counting?.reasoningTokens ?? null
  if (own !== null) return own
  const tokens = other?.reasoningTokens ?? null
  return tokens !== null && tokens <= (counting?.outputTokens ?? 0) ? tokens : null
}

/** Whether a span states a number of tokens. */
export const isTold = ({ inputTokens, outputTokens }: CallSpan): boolean =>
  inputTokens !== null || outputTokens !== null
