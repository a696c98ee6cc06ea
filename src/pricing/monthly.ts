// What was seen over a span of time, and what that is a month. Findings, rules and savings all use these functions.

/** The time of an observation, Unix ms. */
export type Span = { readonly fromMs: number; readonly toMs: number }

/** A span as evidence shows it. */
export type Observed = { readonly from: string; readonly to: string; readonly days: number }

const secondMs = 1_000
const minuteMs = 60_000
const hourMs = 3_600_000
const dayMs = 86_400_000
const daysOfMonth = 30

const lengthOf = ({ fromMs, toMs }: Span): number => Math.max(0, toMs - fromMs)

/** 30 times the mean day of the span; null where less than 24 hours were observed. */
export function perMonth(amount: number, span: Span): number | null {
  const ms = lengthOf(span)
  return ms < dayMs ? null : (amount * daysOfMonth * dayMs) / ms
}

/** For an order and for thresholds, never shown: as `perMonth`, but a shorter span counts as a day. */
export const rankMonthly = (amount: number, span: Span): number =>
  (amount * daysOfMonth * dayMs) / Math.max(dayMs, lengthOf(span))

/** USD that serving repeated calls saves: held-out calls run for real. */
export const savedByServing = (repeats: number, meanCallUsd: number, holdoutRate: number): number =>
  repeats * (1 - holdoutRate) * meanCallUsd

/** Days to a hundredth. */
export const describeSpan = (span: Span): Observed => ({
  from: new Date(span.fromMs).toISOString(),
  to: new Date(span.toMs).toISOString(),
  days: Math.round((lengthOf(span) / dayMs) * 100) / 100,
})

/** For a sentence, behind "in" or "of": the last 37 minutes, the last 6.2 days. */
export function wordSpan(span: Span): string {
  const ms = lengthOf(span)
  if (ms < 2 * minuteMs) return lastOf(Math.max(1, Math.round(ms / secondMs)), 'second')
  if (ms < 2 * hourMs) return lastOf(Math.round(ms / minuteMs), 'minute')
  return ms < 2 * dayMs ? lastOf(Math.round(ms / hourMs), 'hour') : lastOf(Math.round((ms / dayMs) * 10) / 10, 'day')
}

const lastOf = (amount: number, unit: string): string =>
  amount === 1 ? `the last ${unit}` : `the last ${amount} ${unit}s`
