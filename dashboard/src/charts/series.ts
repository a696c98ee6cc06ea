// What a chart shows, as data: series over one row of buckets, their sums, and the sentence that says it without a picture.
import { formatTime } from '../format/index.ts'
import { type Slot } from './colours.ts'
import { formatShort, type Unit, type Value } from './units.ts'

export type Series = {
  readonly key: string
  readonly label: string
  readonly values: readonly Value[]
  readonly slot: Slot
}

/** Running sums from the first series up, for areas that stand on each other. A missing value adds nothing. */
export function stack(series: readonly (readonly Value[])[]): number[][] {
  const sums: number[][] = []
  for (const values of series) {
    const below = sums.at(-1)
    sums.push(values.map((value, at) => (below?.[at] ?? 0) + (value ?? 0)))
  }
  return sums
}

const addable: ReadonlySet<Unit> = new Set(['usd', 'tokens', 'count'])

/** The sum, where sums of the unit mean something; null for durations and shares. */
export const sumOf = (values: readonly Value[], unit: Unit): Value =>
  addable.has(unit) ? values.reduce<number>((sum, value) => sum + (value ?? 0), 0) : null

export function findPeak(values: readonly Value[]): number | null {
  let peak: number | null = null
  for (const [at, value] of values.entries()) {
    if (value !== null && (peak === null || value > (values[peak] ?? Number.NEGATIVE_INFINITY))) peak = at
  }
  return peak
}

type Described = {
  readonly what: string
  readonly unit: Unit
  readonly x: readonly number[]
  readonly values: readonly Value[]
  readonly zone: string
  readonly nowMs: number
}

/** One sentence: `Cost: $12.34 in total, highest $1.20 at Nov 20 14:00.` */
export function describeSeries({ what, unit, x, values, zone, nowMs }: Described): string {
  const at = findPeak(values)
  const peak = at === null ? null : (values[at] ?? null)
  const start = at === null ? undefined : x[at]
  if (peak === null || peak === 0 || start === undefined) return `${what}: nothing in this window.`
  const total = sumOf(values, unit)
  const sum = total === null ? '' : `${formatShort(unit, total)} in total, `
  return `${what}: ${sum}highest ${formatShort(unit, peak)} at ${formatTime(start, zone, nowMs, 'min')}.`
}
