// Formats moments for lists, charts and hover texts.
import { exact } from './numbers.ts'
import { formatOffset, type LocalTime, nameZone, readLocal, startOfDay } from './zone.ts'

export type Precision = 'ms' | 's' | 'min' | 'day'

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']
const minuteMs = 60_000
const hourMs = 3_600_000

const two = (value: number): string => String(value).padStart(2, '0')

/** Returns milliseconds since 1970. Throws for a text that is not a time, which is an error of the caller. */
function readInstant(time: string | number): number {
  const ms = typeof time === 'number' ? time : Date.parse(time)
  if (Number.isNaN(ms)) throw new Error(`not a time: ${time}`)
  return ms
}

export const nameMonth = (month: number): string => months[month - 1] ?? ''

export const formatClock = ({ hour, minute }: LocalTime): string => `${two(hour)}:${two(minute)}`

/** Returns `Nov 20 14:03:22.481`, with the year unless it is the year of `nowMs`. */
export function formatTime(time: string | number, zone: string, nowMs: number, precision: Precision = 'ms'): string {
  const ms = readInstant(time)
  const local = readLocal(ms, zone)
  const year = local.year === readLocal(nowMs, zone).year ? '' : ` ${local.year}`
  const date = `${nameMonth(local.month)} ${local.day}${year}`
  return precision === 'day' ? date : `${date} ${formatTimeOfDay(ms, local, precision)}`
}

function formatTimeOfDay(ms: number, local: LocalTime, precision: Precision): string {
  if (precision === 'min') return formatClock(local)
  const seconds = `${formatClock(local)}:${two(local.second)}`
  return precision === 's' ? seconds : `${seconds}.${String((((ms % 1_000) + 1_000) % 1_000) | 0).padStart(3, '0')}`
}

/** Returns `now` or `12 min ago` for less than an hour, and `formatTime` for an older or a future moment. */
export function formatAgo(time: string | number, zone: string, nowMs: number, precision: Precision = 's'): string {
  const agoMs = nowMs - readInstant(time)
  if (agoMs < 0 || agoMs >= hourMs) return formatTime(time, zone, nowMs, precision)
  if (agoMs < 1_000) return 'now'
  if (agoMs < minuteMs) return `${Math.floor(agoMs / 1_000)} s ago`
  return `${Math.floor(agoMs / minuteMs)} min ago`
}

/** Returns how long ago a moment was, in the largest unit only, for sentences: `3 days`. */
export function formatAge(time: string | number, nowMs: number): string {
  const minutes = Math.max(0, Math.floor((nowMs - readInstant(time)) / minuteMs))
  if (minutes < 60) return count(minutes, 'minute')
  if (minutes < 48 * 60) return count(Math.floor(minutes / 60), 'hour')
  return count(Math.floor(minutes / 1_440), 'day')
}

const count = (value: number, unit: string): string => `${value} ${unit}${value === 1 ? '' : 's'}`

/** Returns the hover text of a moment: its local time in the zone, UTC, and milliseconds since 1970. */
export function explainTime(time: string | number, zone: string): string {
  const ms = readInstant(time)
  const { year, month, day } = readLocal(ms, zone)
  const shown = `${nameMonth(month)} ${day} ${year} ${formatTimeOfDay(ms, readLocal(ms, zone), 'ms')}`
  return `${shown} (${nameZone(zone, ms)}) · ${new Date(ms).toISOString()} · ${exact(ms).replaceAll(',', '')}`
}

// A day on which the clocks are set forward has 23 hours.
const leastDayMs = 23 * hourMs

/**
 * Returns the interval of a chart's bucket: `Nov 20 14:00–15:00`, `Nov 20` for a day of the zone, `Nov 19 19:00 – Nov 20 19:00` for a day
 * of another zone. If the clocks change within the interval, the text includes both offsets.
 */
export function formatBucket(startMs: number, intervalMs: number, zone: string, nowMs: number): string {
  const isDay = intervalMs >= leastDayMs
  if (isDay && startOfDay(startMs, zone) === startMs) return formatTime(startMs, zone, nowMs, 'day')
  const endMs = startMs + intervalMs
  const from = formatTime(startMs, zone, nowMs, 'min')
  if (isDay) return `${from} – ${formatTime(endMs, zone, nowMs, 'min')}`
  const [start, end] = [formatOffset(startMs, zone), formatOffset(endMs, zone)]
  const text = `${from}–${formatClock(readLocal(endMs, zone))}`
  return start === end ? text : `${text} (${start} to ${end})`
}
