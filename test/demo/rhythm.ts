// When agents work: more by day than by night, less at the weekend.
import type { Chance } from './chance.ts'

const hourMs = 3_600_000
const dayMs = 24 * hourMs

/** Activity in each hour of a UTC day, from 0 to 1. */
const busy = [
  0.14, 0.1, 0.08, 0.08, 0.1, 0.18, 0.32, 0.52, 0.78, 0.94, 1, 0.95, 0.8, 0.88, 1, 0.96, 0.86, 0.7, 0.52, 0.42, 0.36,
  0.3, 0.24, 0.18,
]

function weight(timeMs: number): number {
  const at = new Date(timeMs)
  const isWeekend = at.getUTCDay() === 0 || at.getUTCDay() === 6
  return (busy[at.getUTCHours()] ?? 0) * (isWeekend ? 0.35 : 1)
}

/**
 * End of the fleet's week on its own clock, independent of the real time: a Thursday afternoon. So the same seed gives the same history
 * with the same number of sessions at any hour of any day.
 */
export const storyEndMs = Date.UTC(2026, 10, 19, 16)

/** Returns start times (Unix milliseconds) on the fleet's own clock, in order. Some lie in the last hour, so that there are recent runs. */
export function spreadOverDays(chance: Chance, count: number, days: number): number[] {
  const times: number[] = []
  const recent = Math.ceil(count / 40)
  while (times.length < count) {
    const isRecent = times.length < recent
    const timeMs = storyEndMs - chance.int(isRecent ? hourMs : days * dayMs)
    if (isRecent || chance.chance(weight(timeMs))) times.push(timeMs)
  }
  return times.toSorted((a, b) => a - b)
}

/** Returns the real date of a day on the fleet's own clock, where the history ends on the date of `endMs`. */
export function dateOf(timeMs: number, endMs: number): string {
  const daysAgo = Math.floor(storyEndMs / dayMs) - Math.floor(timeMs / dayMs)
  return new Date(endMs - daysAgo * dayMs).toISOString().slice(0, 10)
}
