// The labels of the time axis of a chart: at round times in the page's zone, also on days when the clocks change.
import { findInstant, readLocal, startOfDay, startOfMonth } from '../format/index.ts'
import { formatClock, nameMonth } from '../format/time.ts'

export type Tick = { readonly ms: number; readonly label: string }

const secondMs = 1_000
const minuteMs = 60 * secondMs
const hourMs = 60 * minuteMs
const dayMs = 24 * hourMs

const shortSteps = [1, 2, 5, 10, 15, 30].map((count) => count * secondMs)
const minuteSteps = [1, 2, 5, 10, 15, 30].map((count) => count * minuteMs)
const hourSteps = [1, 2, 3, 6, 12].map((count) => count * hourMs)
const daySteps = [1, 2, 4, 7, 14]
const monthSteps = [1, 2, 3, 6]
const monthMs = 30 * dayMs

/** The ticks of the newest axes. The charts of a page have the same axis, each reads it several times a draw, and zones are slow to ask. */
const known = new Map<string, readonly Tick[]>()
const mostKnown = 16

/** Returns at most `most` ticks of a half-open window, in order. */
export function makeTicks(fromMs: number, toMs: number, zone: string, most: number): readonly Tick[] {
  const key = `${fromMs} ${toMs} ${most} ${zone}`
  const ticks = known.get(key) ?? findTicks(fromMs, toMs, zone, most)
  // A key that is set again becomes the newest; the first one is the oldest.
  known.delete(key)
  known.set(key, ticks)
  if (known.size > mostKnown) known.delete(known.keys().next().value ?? '')
  return ticks
}

function findTicks(fromMs: number, toMs: number, zone: string, most: number): Tick[] {
  const times = listTimes(fromMs, toMs, zone, Math.max(1, most))
  const inside = times.filter((ms) => ms >= fromMs && ms < toMs)
  const stepMs = (inside[1] ?? toMs) - (inside[0] ?? fromMs)
  return inside.map((ms) => ({ ms, label: label(ms, zone, stepMs) }))
}

function listTimes(fromMs: number, toMs: number, zone: string, most: number): number[] {
  const fits = (stepMs: number): boolean => (toMs - fromMs) / stepMs < most
  const stepMs = [...shortSteps, ...minuteSteps, ...hourSteps].find(fits)
  if (stepMs !== undefined) return eachDay(fromMs, toMs, zone).flatMap((start) => divideDay(start, zone, stepMs))
  const days = daySteps.find((count) => fits(count * dayMs))
  if (days !== undefined) return eachDay(fromMs, toMs, zone).filter((start) => numberDay(start, zone) % days === 0)
  const months = monthSteps.find((count) => fits(count * monthMs)) ?? 12
  return eachMonth(fromMs, toMs, zone, months)
}

function eachDay(fromMs: number, toMs: number, zone: string): number[] {
  const days: number[] = []
  for (let start = startOfDay(fromMs, zone); start < toMs; start = startOfDay(start, zone, 1)) days.push(start)
  return days
}

/** Steps of whole hours follow the local time of the zone. Shorter steps have equal distances, which a clock change does not affect. */
function divideDay(startMs: number, zone: string, stepMs: number): number[] {
  const endMs = startOfDay(startMs, zone, 1)
  if (stepMs < hourMs) {
    return Array.from({ length: Math.ceil((endMs - startMs) / stepMs) }, (_, nth) => startMs + nth * stepMs)
  }
  const day = readLocal(startMs, zone)
  const hours = stepMs / hourMs
  const times = Array.from({ length: 24 / hours }, (_, nth) => findInstant({ ...day, hour: nth * hours }, zone))
  return [...new Set(times)]
}

const numberDay = (startMs: number, zone: string): number => {
  const { year, month, day } = readLocal(startMs, zone)
  return Math.floor(Date.UTC(year, month - 1, day) / dayMs)
}

function eachMonth(fromMs: number, toMs: number, zone: string, step: number): number[] {
  const months: number[] = []
  for (let start = startOfMonth(fromMs, zone); start < toMs; start = startOfMonth(start, zone, 1)) {
    if ((readLocal(start, zone).month - 1) % step === 0) months.push(start)
  }
  return months
}

function label(ms: number, zone: string, stepMs: number): string {
  const local = readLocal(ms, zone)
  const { year, month, day, hour, minute, second } = local
  if (stepMs >= 27 * dayMs) return month === 1 ? `${nameMonth(month)} ${year}` : nameMonth(month)
  const isMidnight = hour === 0 && minute === 0 && second === 0
  if (isMidnight || stepMs >= 20 * hourMs) return `${nameMonth(month)} ${day}`
  return stepMs < minuteMs ? `${formatClock(local)}:${String(second).padStart(2, '0')}` : formatClock(local)
}
