// The preset windows, which end now.
import { startOfMonth } from '../format/index.ts'

const minuteMs = 60_000
const hourMs = 60 * minuteMs
const dayMs = 24 * hourMs

/** Sorted from the shortest, except the last. `lengthMs` is null if the length depends on the calendar. */
export const presets = [
  { range: '15m', label: 'Last 15 minutes', lengthMs: 15 * minuteMs },
  { range: '1h', label: 'Last hour', lengthMs: hourMs },
  { range: '6h', label: 'Last 6 hours', lengthMs: 6 * hourMs },
  { range: '24h', label: 'Last 24 hours', lengthMs: dayMs },
  { range: '7d', label: 'Last 7 days', lengthMs: 7 * dayMs },
  { range: '30d', label: 'Last 30 days', lengthMs: 30 * dayMs },
  { range: '90d', label: 'Last 90 days', lengthMs: 90 * dayMs },
  { range: 'mtd', label: 'Month to date', lengthMs: null },
] as const

export type Preset = (typeof presets)[number]['range']

export const defaultPreset: Preset = '24h'

export const isPreset = (text: string): text is Preset => presets.some(({ range }) => range === text)

export const namePreset = (preset: Preset): string => presets.find(({ range }) => range === preset)?.label ?? preset

/** Returns the length of a preset at `nowMs`, in milliseconds. The month begins in the page's zone. Never 0: a window is not empty. */
export function measurePreset(preset: Preset, nowMs: number, zone: string): number {
  const lengthMs = presets.find(({ range }) => range === preset)?.lengthMs ?? null
  return lengthMs ?? Math.max(1, nowMs - startOfMonth(nowMs, zone))
}
