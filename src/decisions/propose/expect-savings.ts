// Estimates what a rule would save from the executions of its tool, and whether the rule is worth proposing.
import {
  describeSpan,
  type ObservationPeriod,
  type Observed,
  perMonth,
  rankMonthly,
  savedByServing,
} from '../../pricing/monthly.ts'
import { assumedFetchMs } from '../config.ts'

/** What the executions of a subject show. */
export type Weighed = {
  /** Number of executions that a stored result could have replaced. */
  readonly reusable: number
  /** There are more executions than were read: only those since `first_at` count. */
  readonly cut: boolean
  /** The oldest execution that was read: observation begins here. */
  readonly first_at: Date
  readonly median_ms: number | null
  readonly mean_cost_usd: number | null
}

/** Executions of this time are weighed. */
export const lookBackMs = 7 * 86_400_000

export type LookBack = { readonly fromMs: number; readonly toMs: number }

/** `usd` is null if no execution reports its cost. */
export type Amounts = { readonly calls: number; readonly latency_saved_ms: number; readonly usd: number | null }

export type ExpectedSavings = {
  readonly observed: Observed
  /** What the rule would have saved in the observed time. */
  readonly seen: Amounts
  /** Null if less than 24 hours were observed. */
  readonly monthly: Amounts | null
  /** Only for sorting and for the threshold: an observation shorter than a day counts as a day. */
  readonly rank: { readonly latency_saved_ms: number; readonly usd: number }
}

// A rule that saves less than both of these is not worth the attention that it requires.
const minMonthlySavedMs = 1_000
const minMonthlySavedUsd = 0.01

/** Pure. `holdoutRate`: share of calls that still run for real. */
export function expectSavings(weighed: Weighed, { toMs }: LookBack, holdoutRate: number): ExpectedSavings {
  const { reusable, first_at: firstAt, median_ms: medianMs, mean_cost_usd: meanUsd } = weighed
  const span: ObservationPeriod = { fromMs: firstAt.getTime(), toMs }
  const calls = reusable * (1 - holdoutRate)
  const savedMs = calls * (medianMs === null ? 0 : medianMs - assumedFetchMs)
  const usd = meanUsd === null ? null : savedByServing(reusable, meanUsd, holdoutRate)
  const monthlyCalls = perMonth(calls, span)
  return {
    observed: describeSpan(span),
    seen: toAmounts(calls, savedMs, usd),
    monthly:
      monthlyCalls === null
        ? null
        : toAmounts(monthlyCalls, perMonth(savedMs, span) ?? 0, usd === null ? null : perMonth(usd, span)),
    rank: { latency_saved_ms: rankMonthly(savedMs, span), usd: rankMonthly(usd ?? 0, span) },
  }
}

/** Returns true if the rule saves at least a second or a cent a month. */
export const isWorthwhile = ({ rank }: ExpectedSavings): boolean =>
  rank.latency_saved_ms >= minMonthlySavedMs || rank.usd >= minMonthlySavedUsd

type Ranked = Pick<ExpectedSavings, 'rank'>

/** Sorts by money saved, most first, then by time saved, most first. */
export const compareSavings = ({ rank: a }: Ranked, { rank: b }: Ranked): number =>
  b.usd - a.usd || b.latency_saved_ms - a.latency_saved_ms

const toAmounts = (calls: number, savedMs: number, usd: number | null): Amounts => ({
  calls: round(calls, 2),
  latency_saved_ms: round(savedMs, 0),
  usd: usd === null ? null : round(usd, 6),
})

function round(value: number, decimals: number): number {
  const steps = 10 ** decimals
  return Math.round(value * steps) / steps
}
