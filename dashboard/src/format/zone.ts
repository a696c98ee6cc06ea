// Converts between instants and local times of IANA time zones, also on days when the clocks change.
import { minus } from './numbers.ts'

/** A local date and time. Months count from 1. */
export type LocalTime = {
  readonly year: number
  readonly month: number
  readonly day: number
  readonly hour: number
  readonly minute: number
  readonly second: number
}

const dayMs = 86_400_000
const clocks = new Map<string, Intl.DateTimeFormat>()

function openClock(zone: string): Intl.DateTimeFormat {
  const known = clocks.get(zone)
  if (known !== undefined) return known
  const clock = new Intl.DateTimeFormat('en-US', {
    timeZone: zone,
    calendar: 'gregory',
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  })
  clocks.set(zone, clock)
  return clock
}

// Browsers list some zones under obsolete names, and accept both names.
const renamed: Readonly<Record<string, string>> = {
  'Africa/Asmera': 'Africa/Asmara',
  'America/Buenos_Aires': 'America/Argentina/Buenos_Aires',
  'America/Godthab': 'America/Nuuk',
  'Asia/Calcutta': 'Asia/Kolkata',
  'Asia/Katmandu': 'Asia/Kathmandu',
  'Asia/Rangoon': 'Asia/Yangon',
  'Asia/Saigon': 'Asia/Ho_Chi_Minh',
  'Atlantic/Faeroe': 'Atlantic/Faroe',
  'Europe/Kiev': 'Europe/Kyiv',
  'Pacific/Enderbury': 'Pacific/Kanton',
  'Pacific/Ponape': 'Pacific/Pohnpei',
  'Pacific/Truk': 'Pacific/Chuuk',
}

/** Returns the current name of a zone. */
export const renameZone = (zone: string): string => renamed[zone] ?? zone

/** Returns all zones that the browser supports, sorted by name, without UTC. */
export const listZones = (): readonly string[] =>
  [...new Set(Intl.supportedValuesOf('timeZone').map(renameZone))].filter((zone) => zone !== 'UTC').sort()

export function isZone(text: string): boolean {
  try {
    openClock(text)
    return true
  } catch (error) {
    if (error instanceof RangeError) return false
    throw error
  }
}

export function readLocal(ms: number, zone: string): LocalTime {
  const local = { year: 0, month: 0, day: 0, hour: 0, minute: 0, second: 0 }
  for (const { type, value } of openClock(zone).formatToParts(ms)) {
    if (type in local) local[type as keyof LocalTime] = Number(value)
  }
  return local
}

const asUtc = ({ year, month, day, hour, minute, second }: LocalTime): number =>
  Date.UTC(year, month - 1, day, hour, minute, second)

/** Returns how far the zone is ahead of UTC at an instant. */
const readOffsetMs = (ms: number, zone: string): number => asUtc(readLocal(ms, zone)) - Math.floor(ms / 1_000) * 1_000

/** Returns the instant of a local time. If the clock shows the time twice, the first one; if the clock skips it, one after the gap. */
export function findInstant(local: LocalTime, zone: string): number {
  const shown = asUtc(local)
  const [before, after] = [shown - dayMs, shown + dayMs].map((ms) => shown - readOffsetMs(ms, zone)) as [number, number]
  const matches = [before, after].filter((ms) => ms + readOffsetMs(ms, zone) === shown)
  return matches.length === 0 ? before : Math.min(...matches)
}

const midnight = { hour: 0, minute: 0, second: 0 }

/** Returns the start of the local day that is `days` after the day of an instant. */
export function startOfDay(ms: number, zone: string, days = 0): number {
  const local = readLocal(ms, zone)
  return findInstant({ ...shiftDate(local, days), ...midnight }, zone)
}

/** Returns the start of the local month that is `months` after the month of an instant. */
export function startOfMonth(ms: number, zone: string, months = 0): number {
  const { year, month } = readLocal(ms, zone)
  const first = new Date(Date.UTC(year, month - 1 + months, 1))
  return findInstant({ year: first.getUTCFullYear(), month: first.getUTCMonth() + 1, day: 1, ...midnight }, zone)
}

function shiftDate({ year, month, day }: LocalTime, days: number): Pick<LocalTime, 'year' | 'month' | 'day'> {
  const date = new Date(Date.UTC(year, month - 1, day + days))
  return { year: date.getUTCFullYear(), month: date.getUTCMonth() + 1, day: date.getUTCDate() }
}

/** Returns the offset of a zone at an instant: `UTC+8`, `UTC+5:30`, `UTC−4`, `UTC`. */
export function formatOffset(ms: number, zone: string): string {
  const minutes = Math.round(readOffsetMs(ms, zone) / 60_000)
  if (minutes === 0) return 'UTC'
  const size = Math.abs(minutes)
  const rest = size % 60 === 0 ? '' : `:${String(size % 60).padStart(2, '0')}`
  return `UTC${minutes < 0 ? minus : '+'}${Math.floor(size / 60)}${rest}`
}

/** Returns the name of a zone for display: `Shanghai, UTC+8`. The offset is the one at the instant. */
export function nameZone(zone: string, ms: number): string {
  const offset = formatOffset(ms, zone)
  if (!zone.includes('/')) return zone === offset ? offset : `${zone}, ${offset}`
  const name = renameZone(zone)
  const city = name.slice(name.lastIndexOf('/') + 1).replaceAll('_', ' ')
  return `${city}, ${offset}`
}
