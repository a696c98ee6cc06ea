// Months in UTC, the periods in which usage is counted.

/** Returns the month of a time, as `YYYY-MM`. */
export const readPeriod = (ms: number): string => new Date(ms).toISOString().slice(0, 7)

/** Returns the month that is `months` after `period`. */
export function shiftPeriod(period: string, months: number): string {
  const [year = 0, month = 1] = period.split('-').map(Number)
  return readPeriod(Date.UTC(year, month - 1 + months, 1))
}

const clock = new Intl.DateTimeFormat('en-US', { timeZone: 'UTC', month: 'long', year: 'numeric' })

/** Returns the name of a month: `November 2026`. */
export const namePeriod = (period: string): string => clock.format(Date.parse(`${period}-01T00:00:00Z`))
