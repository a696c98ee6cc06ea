// Geometry of the small graphics that are drawn as SVG.
import type { Value } from './units.ts'

type Size = { readonly width: number; readonly height: number }

const margin = 1

/** Returns a sparkline as an SVG path. The scale always includes zero. A missing value breaks the line. */
export function drawSparkline(values: readonly Value[], { width, height }: Size): string {
  const known = values.filter((value) => value !== null)
  if (known.length === 0) return ''
  const [low, high] = [Math.min(0, ...known), Math.max(0, ...known)]
  const step = values.length < 2 ? 0 : (width - 2 * margin) / (values.length - 1)
  const scale = high === low ? 0 : (height - 2 * margin) / (high - low)
  const point = (at: number, value: number): string =>
    `${round(margin + at * step)} ${round(height - margin - (value - low) * scale)}`
  const parts: string[] = []
  for (const [at, value] of values.entries()) {
    if (value === null) continue
    const isAfterGap = (values[at - 1] ?? null) === null
    const isAlone = isAfterGap && (values[at + 1] ?? null) === null
    parts.push(`${isAfterGap ? 'M' : 'L'}${point(at, value)}`)
    // A line of length zero is drawn as a dot, by its round ends.
    if (isAlone) parts.push(`L${point(at, value)}`)
  }
  return parts.join('')
}

const round = (value: number): number => Math.round(value * 10) / 10

export type Part = { readonly key: string; readonly value: number }
export type Slice = Part & { readonly startPercent: number; readonly percent: number }

const leastPercent = 0.5

/** Returns the slices of a bar, in percent. A part that is not zero stays visible, at the cost of the others. */
export function slice<P extends Part>(parts: readonly P[]): (P & Slice)[] {
  const whole = parts.reduce((sum, { value }) => sum + value, 0)
  const widths = parts.map(({ value }) =>
    value === 0 || whole === 0 ? 0 : Math.max(leastPercent, (value / whole) * 100),
  )
  const widest = widths.reduce((sum, width) => sum + width, 0)
  let startPercent = 0
  return parts.map((part, at) => {
    const percent = widest === 0 ? 0 : ((widths[at] ?? 0) / widest) * 100
    const placed = { ...part, startPercent, percent }
    startPercent += percent
    return placed
  })
}

/** Returns the position of a value on a scale, in percent from 0 to 100. */
export const place = (value: number, least: number, most: number): number =>
  most <= least ? 0 : Math.min(100, Math.max(0, ((value - least) / (most - least)) * 100))
