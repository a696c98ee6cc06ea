// Months in UTC, which usage is counted in.

/** The month of an instant, `YYYY-MM`. */
export const readPeriod = (ms: number): string => new Date(ms).toISOString().slice(0, 7)

/** The month that lies `months` after another. */
export function shiftPeriod(period: string, months: number): string {
  const [year = 0, month = 1] = period.split('-').map(Number)
  return readPeriod(Date.UTC(year, month - 1 + months, 1))
}

const clock = new Intl.DateTimeFormat('en-US', { timeZone: 'UTC', month: 'long', year: 'numeric' })

/** `November 2026`. */
export const namePeriod = (period: string): string => clock.format(Date.parse(`${period}-01T00:00:00Z`))
