// Floor 1. A model call told twice in one trace, by a framework and by the client under it, where neither span lies in the other.

/** What finding repeats needs of a span. */
export type CallSpan = {
  readonly startTimeUs: number
  /** The start where the duration is unknown. */
  readonly endTimeUs: number
  readonly responseKey: string | null
}

/**
 * What two tellings of one call share: the provider's id of the response and the token counts. The id alone would not
 * do, since some servers give every response the same one. Null where there is no id or no tokens.
 */
export function responseKeyOf(
  id: string | null,
  inputTokens: number | null,
  outputTokens: number | null,
): string | null {
  return id === null || (inputTokens === null && outputTokens === null) ? null : `${inputTokens} ${outputTokens} ${id}`
}

/**
 * The indices, out of `calls`, of those that repeat an older one: the same key, and begun while that one ran. Calls
 * that follow each other are two calls, whatever they say. Cost: a sort of the calls that share a key.
 */
export function findRepeatedCalls(
  spans: readonly CallSpan[],
  calls: readonly number[],
  bySeniority: (a: number, b: number) => number,
): ReadonlySet<number> {
  const repeated = new Set<number>()
  const alike = new Map<string, number[]>()
  for (const index of calls) {
    const key = spans[index]?.responseKey ?? null
    if (key === null) continue
    const indices = alike.get(key)
    if (indices === undefined) alike.set(key, [index])
    else indices.push(index)
  }
  for (const indices of alike.values()) {
    if (indices.length === 1) continue
    let runsUntilUs: number | null = null
    for (const index of indices.toSorted(bySeniority)) {
      const span = spans[index]
      if (span === undefined) continue
      if (runsUntilUs !== null && span.startTimeUs <= runsUntilUs) repeated.add(index)
      else runsUntilUs = span.endTimeUs
    }
  }
  return repeated
}
