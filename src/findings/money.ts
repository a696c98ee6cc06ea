// Floor 3. What something costs a month if it goes on, and how bad that makes it.
import type { Severity } from './found.ts'

const monthMs = 30 * 86_400_000
const warningUsd = 10
const criticalUsd = 100

/** What was spent in a stretch of time, as USD a month of 30 days, to a millionth of a dollar. */
export const perMonth = (usd: number, stretchMs: number): number =>
  Math.round(((usd * monthMs) / stretchMs) * 1e6) / 1e6

const order = ['info', 'warning', 'critical'] as const

/** From 10 USD a month a warning, from 100 critical; never below `least`. */
export function severityOf(monthlyUsd: number | null, least: Severity = 'info'): Severity {
  const byPrice = monthlyUsd === null || monthlyUsd < warningUsd ? 0 : monthlyUsd < criticalUsd ? 1 : 2
  return order[Math.max(byPrice, order.indexOf(least))] ?? least
}
