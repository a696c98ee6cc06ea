// The price of a finding: what was seen over a span of time, what that is a month, and how bad that makes it.
import { describeSpan, type Observed, perMonth, type Span, wordSpan } from '../pricing/monthly.ts'
import type { Severity } from './found.ts'
import { usd } from './wording.ts'

export type Price = {
  /** Spent in the span, to a millionth of a dollar; null where no event reports a price. */
  readonly seenUsd: number | null
  readonly span: Span
  /** Null as well where the span is shorter than 24 hours. */
  readonly monthlyUsd: number | null
}

const warningUsd = 10
const criticalUsd = 100

export function priceOver(seenUsd: number | null, span: Span): Price {
  const monthlyUsd = seenUsd === null ? null : perMonth(seenUsd, span)
  return { seenUsd: round(seenUsd), span, monthlyUsd: round(monthlyUsd) }
}

/** The sentence about a price: over which time it was seen and how it was reached, or why there is none. */
export function pricedAs({ seenUsd, span, monthlyUsd }: Price, basis: string): string {
  if (seenUsd === null) return `No cost estimate: ${basis}.`
  const seen = `${usd(seenUsd)} in ${wordSpan(span)}`
  if (monthlyUsd === null) return `Cost: ${seen}, too short for a monthly estimate: ${basis}.`
  return `About ${usd(monthlyUsd)} a month, from ${seen}: ${basis}.`
}

/** The same for the evidence. */
export const describePrice = (
  { seenUsd, span }: Price,
  basis: string,
  more: Readonly<Record<string, unknown>> = {},
): { readonly observed: Observed; readonly price: Readonly<Record<string, unknown>> } => ({
  observed: describeSpan(span),
  price: { basis, seen_usd: seenUsd, ...more },
})

const order = ['info', 'warning', 'critical'] as const

/** From 10 USD a month a warning, from 100 critical; never below `least`. What was seen in less than a day is at least that much a month. */
export function severityOf({ monthlyUsd, seenUsd }: Price, least: Severity = 'info'): Severity {
  const usdMonthly = monthlyUsd ?? seenUsd ?? 0
  const byPrice = usdMonthly < warningUsd ? 0 : usdMonthly < criticalUsd ? 1 : 2
  return order[Math.max(byPrice, order.indexOf(least))] ?? least
}

const round = (amount: number | null): number | null => (amount === null ? null : Math.round(amount * 1e6) / 1e6)
