// What a rule would save, by what was seen of its tool, and whether that is worth a rule.
import { describeSpan, type Observed, perMonth, rankMonthly, type Span, savedByServing } from '../../pricing/monthly.ts'

/** What the executions of a pair or a tool show. */
export type Weighed = {
  /** How many of them a stored result could have replaced. */
  readonly reusable: number
  /** There are more than were read: only those since `first_at` count. */
  readonly cut: boolean
  /** The oldest execution that was read: observation begins here. */
  readonly first_at: Date
  readonly median_ms: number | null
  readonly mean_cost_usd: number | null
}

export type LookBack = { readonly fromMs: number; readonly toMs: number }

/** `usd` is null where no execution reports its cost. */
export type Amounts = { readonly calls: number; readonly latency_saved_ms: number; readonly usd: number | null }

export type ExpectedSavings = {
  readonly observed: Observed
  /** What the rule would have saved in that time. */
  readonly seen: Amounts
  /** Null where less than 24 hours were observed. */
  readonly monthly: Amounts | null
  /** For the order and the threshold alone: a shorter observation counts as a day. */
  readonly rank: { readonly latency_saved_ms: number; readonly usd: number }
}

/** What fetching a stored result takes, where none has been served yet. */
const assumedFetchMs = 25

// Below both of these a rule is not worth the attention that it asks for.
const minMonthlySavedMs = 1_000
const minMonthlySavedUsd = 0.01

/** A pure function. `holdoutRate`: the share of calls that runs for real all the same. */
export function expectSavings(weighed: Weighed, { toMs }: LookBack, holdoutRate: number): ExpectedSavings {
  const { reusable, first_at: firstAt, median_ms: medianMs, mean_cost_usd: meanUsd } = weighed
  const span: Span = { fromMs: firstAt.getTime(), toMs }
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

/** Whether it saves a second or a cent a month. */
export const isWorthwhile = ({ rank }: ExpectedSavings): boolean =>
  rank.latency_saved_ms >= minMonthlySavedMs || rank.usd >= minMonthlySavedUsd

type Ranked = Pick<ExpectedSavings, 'rank'>

/** The most money first, then the most time. */
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
