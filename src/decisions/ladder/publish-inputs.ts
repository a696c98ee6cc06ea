// Decides whether a change of what a rule serves justifies notifying all SDKs, which then fetch all rules again. Pure.

export type Published = {
  readonly inputs: readonly string[] | null
  readonly served_freshness_s: number | null
  readonly proven: boolean
  readonly inputs_changed_us: number | null
  readonly doubted_us: number | null
}

export type Current = {
  readonly inputs: readonly string[]
  readonly freshnessS: number | null
  readonly proven: boolean
  readonly executedAfterUs: number | null
}

const addEveryMs = 60_000
const worthwhileGrowth = 1.1

/**
 * An input that must no longer be served, another age limit, a change of the proof, and another invalidation are published at once. Further inputs
 * are published as soon as there are a tenth more, or after a minute.
 */
export function changesServing(published: Published, current: Current, nowMs: number): boolean {
  const { inputs, freshnessS, proven, executedAfterUs } = current
  if (published.inputs === null || published.served_freshness_s !== freshnessS || published.proven !== proven)
    return true
  if (published.doubted_us !== executedAfterUs) return true
  const now = new Set(inputs)
  if (published.inputs.some((input) => !now.has(input))) return true
  if (now.size === published.inputs.length) return false
  const ageMs = nowMs - (published.inputs_changed_us ?? 0) / 1_000
  return now.size >= published.inputs.length * worthwhileGrowth || ageMs >= addEveryMs
}
