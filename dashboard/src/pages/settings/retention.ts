// Parsing and comparison of days of retention.
import { formatCount } from '../../format/index.ts'
import type { Settings } from './queries.ts'

export const countDays = (days: number): string => `${formatCount(days)} ${days === 1 ? 'day' : 'days'}`

/** Returns NaN if the text is not a number. The service then reports the error for the field. */
export const readDays = (text: string): number => (text.trim() === '' ? Number.NaN : Number(text.trim()))

/** Returns whether `days` is shorter than the present retention, so that stored data would be removed. Null (that of the plan): false. */
export function isSooner(days: number | null, settings: Settings): boolean {
  const keptNow = settings.retention_days ?? settings.plan_retention_days
  return days !== null && !Number.isNaN(days) && days < (keptNow ?? Number.POSITIVE_INFINITY)
}
