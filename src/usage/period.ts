// The period over which usage is counted: a month in UTC.
import { matching } from '../web/shapes.ts'

export type Period = { readonly start: Date; readonly end: Date }

/** `YYYY-MM` as a query parameter. */
export const periodParam = matching(/^20\d{2}-(0[1-9]|1[0-2])$/, '2026-11')

/** Returns the month of `YYYY-MM`, or the month that contains `nowMs`. The end is exclusive. */
export function resolvePeriod(text: string | undefined, nowMs: number): Period {
  const [year, month] = text === undefined ? readMonth(new Date(nowMs)) : text.split('-').map(Number)
  if (year === undefined || month === undefined) throw new Error('a period must be a year and a month, YYYY-MM')
  return { start: new Date(Date.UTC(year, month - 1)), end: new Date(Date.UTC(year, month)) }
}

const readMonth = (now: Date): number[] => [now.getUTCFullYear(), now.getUTCMonth() + 1]

/** Returns the date of a moment in UTC, `YYYY-MM-DD`. */
export const readDate = (moment: Date): string => moment.toISOString().slice(0, 10)
