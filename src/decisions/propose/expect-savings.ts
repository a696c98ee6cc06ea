// Floor 3. What a rule would save in a month, by what was seen of its tool, and whether that is worth a rule.

/** What a look at the executions of a pair or a tool tells. */
export type Weighed = {
  /** How many of them a stored result could have replaced. */
  readonly reusable: number
  /** There are more than were looked at: they cover only the time since `first_at`. */
  readonly cut: boolean
  readonly first_at: Date
  readonly median_ms: number | null
  readonly mean_cost_usd: number | null
}

export type LookBack = { readonly fromMs: number; readonly toMs: number }

/** Of a month. `usd` is null where no execution says what it cost. */
export type ExpectedSavings = { readonly calls: number; readonly latency_saved_ms: number; readonly usd: number | null }

const dayMs = 86_400_000
const monthMs = 30 * dayMs

/** What fetching a stored result takes, where none has been served yet. */
const assumedFetchMs = 25

// Below both of these a rule is not worth the attention that it asks for.
const minMonthlySavedMs = 1_000
const minMonthlySavedUsd = 0.01

/** A pure function. `holdoutRate`: the share of calls that runs for real all the same. A burst counts as a day: it is no month. */
export function expectSavings(weighed: Weighed, { fromMs, toMs }: LookBack, holdoutRate: number): ExpectedSavings {
  const seenMs = weighed.cut ? Math.max(dayMs, toMs - weighed.first_at.getTime()) : toMs - fromMs
  const calls = (weighed.reusable * (1 - holdoutRate) * monthMs) / seenMs
  const savedMs = weighed.median_ms === null ? 0 : weighed.median_ms - assumedFetchMs
  return {
    calls: round(calls, 2),
    latency_saved_ms: round(calls * savedMs, 0),
    usd: weighed.mean_cost_usd === null ? null : round(calls * weighed.mean_cost_usd, 6),
  }
}

/** Whether it saves a second or a cent a month. */
export const isWorthwhile = ({ latency_saved_ms: savedMs, usd }: ExpectedSavings): boolean =>
  savedMs >= minMonthlySavedMs || (usd ?? 0) >= minMonthlySavedUsd

/** The dearest first, then the slowest. */
export const compareSavings = (a: ExpectedSavings, b: ExpectedSavings): number =>
  (b.usd ?? 0) - (a.usd ?? 0) || b.latency_saved_ms - a.latency_saved_ms

function round(value: number, decimals: number): number {
  const steps = 10 ** decimals
  return Math.round(value * steps) / steps
}
