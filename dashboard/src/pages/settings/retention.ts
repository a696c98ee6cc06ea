// Days of retention: what is typed, and what it takes away.
import { formatCount } from '../../format/index.ts'
import type { Settings } from './queries.ts'

export const countDays = (days: number): string => `${formatCount(days)} ${days === 1 ? 'day' : 'days'}`

/** NaN where the text is no number: the service says so at the field. */
export const readDays = (text: string): number => (text.trim() === '' ? Number.NaN : Number(text.trim()))

/** Whether data that is kept now would be removed. */
export function isSooner(days: number | null, settings: Settings): boolean {
  const keptNow = settings.retention_days ?? settings.plan_retention_days
  return days !== null && !Number.isNaN(days) && days < (keptNow ?? Number.POSITIVE_INFINITY)
}
