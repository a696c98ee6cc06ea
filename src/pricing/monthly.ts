// Extrapolates amounts observed over a period to a month. Findings, rules and savings all use these functions.

/** The period of an observation, Unix ms. */
export type ObservationPeriod = { readonly fromMs: number; readonly toMs: number }

/** A period as evidence shows it. */
export type Observed = { readonly from: string; readonly to: string; readonly days: number }

const secondMs = 1_000
const minuteMs = 60_000
const hourMs = 3_600_000
const dayMs = 86_400_000
const daysOfMonth = 30

const lengthOf = ({ fromMs, toMs }: ObservationPeriod): number => Math.max(0, toMs - fromMs)

/** Returns 30 times the mean daily amount; null where less than 24 hours were observed. */
export function perMonth(amount: number, span: ObservationPeriod): number | null {
  const ms = lengthOf(span)
  return ms < dayMs ? null : (amount * daysOfMonth * dayMs) / ms
}

/** As `perMonth`, but a shorter period counts as a day. For sorting and thresholds; never shown. */
export const rankMonthly = (amount: number, span: ObservationPeriod): number =>
  (amount * daysOfMonth * dayMs) / Math.max(dayMs, lengthOf(span))

/** Returns the USD that serving repeated calls saves. Held-out calls run for real and save nothing. */
export const savedByServing = (repeats: number, meanCallUsd: number, holdoutRate: number): number =>
  repeats * (1 - holdoutRate) * meanCallUsd

/** `days` is rounded to 0.01. */
export const describeSpan = (span: ObservationPeriod): Observed => ({
  from: new Date(span.fromMs).toISOString(),
  to: new Date(span.toMs).toISOString(),
  days: Math.round((lengthOf(span) / dayMs) * 100) / 100,
})

/** Returns a phrase that follows "in" or "of": the last 37 minutes, the last 6.2 days. */
export function wordSpan(span: ObservationPeriod): string {
  const ms = lengthOf(span)
  if (ms < 2 * minuteMs) return lastOf(Math.max(1, Math.round(ms / secondMs)), 'second')
  if (ms < 2 * hourMs) return lastOf(Math.round(ms / minuteMs), 'minute')
  return ms < 2 * dayMs ? lastOf(Math.round(ms / hourMs), 'hour') : lastOf(Math.round((ms / dayMs) * 10) / 10, 'day')
}

const lastOf = (amount: number, unit: string): string =>
  amount === 1 ? `the last ${unit}` : `the last ${amount} ${unit}s`
