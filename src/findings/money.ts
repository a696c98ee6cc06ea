// The price of a finding: the cost seen over a span of time, the monthly estimate, and the severity that follows from it.
import { describeSpan, type ObservationPeriod, type Observed, perMonth, wordSpan } from '../pricing/monthly.ts'
import type { Severity } from './detector.ts'
import { usd } from './wording.ts'

export type Price = {
  /** Spent in the span, to a millionth of a dollar; null if no event reports a price. */
  readonly seenUsd: number | null
  readonly span: ObservationPeriod
  /** Null also if the span is shorter than 24 hours. */
  readonly monthlyUsd: number | null
}

const warningUsd = 10
const criticalUsd = 100

export function priceOver(seenUsd: number | null, span: ObservationPeriod): Price {
  const monthlyUsd = seenUsd === null ? null : perMonth(seenUsd, span)
  return { seenUsd: round(seenUsd), span, monthlyUsd: round(monthlyUsd) }
}

/** Returns the sentence about a price: over which time it was seen and how it was computed, or why there is none. */
export function pricedAs({ seenUsd, span, monthlyUsd }: Price, basis: string): string {
  if (seenUsd === null) return `No cost estimate: ${basis}.`
  const seen = `${usd(seenUsd)} in ${wordSpan(span)}`
  if (monthlyUsd === null) return `Cost: ${seen} (${basis}). A monthly estimate needs at least 24 hours of data.`
  return `About ${usd(monthlyUsd)} a month, from ${seen}: ${basis}.`
}

/** Returns the price for the evidence. */
export const describePrice = (
  { seenUsd, span }: Price,
  basis: string,
  more: Readonly<Record<string, unknown>> = {},
): { readonly observed: Observed; readonly price: Readonly<Record<string, unknown>> } => ({
  observed: describeSpan(span),
  price: { basis, seen_usd: seenUsd, ...more },
})

const order = ['info', 'warning', 'critical'] as const

/**
 * Returns warning from 10 USD a month and critical from 100, but never less than `least`. A cost that was seen in less than a day counts as
 * a monthly cost, which it is at least.
 */
export function severityOf({ monthlyUsd, seenUsd }: Price, least: Severity = 'info'): Severity {
  const usdMonthly = monthlyUsd ?? seenUsd ?? 0
  const byPrice = usdMonthly < warningUsd ? 0 : usdMonthly < criticalUsd ? 1 : 2
  return order[Math.max(byPrice, order.indexOf(least))] ?? least
}

const round = (amount: number | null): number | null => (amount === null ? null : Math.round(amount * 1e6) / 1e6)
