// The data of a chart: series over the same buckets, their sums, and the sentence that describes them without a picture.
import { explainUnpriced, formatTime } from '../format/index.ts'
import { type Slot } from './colours.ts'
import { formatShort, type Unit, type Value } from './units.ts'

export type Series = {
  readonly key: string
  readonly label: string
  readonly values: readonly Value[]
  readonly slot: Slot
  /** False if one item counts in several buckets, so that a sum would be too large. */
  readonly isSummed?: boolean
  /** For costs: the number of calls in each bucket that have no price. */
  readonly unpriced?: readonly number[] | undefined
}

/** Returns the running sums of the series, for stacked bars. A missing value adds nothing. */
export function stack(series: readonly (readonly Value[])[]): number[][] {
  const sums: number[][] = []
  for (const values of series) {
    const below = sums.at(-1)
    sums.push(values.map((value, at) => (below?.[at] ?? 0) + (value ?? 0)))
  }
  return sums
}

const addable: ReadonlySet<Unit> = new Set(['usd', 'tokens', 'count'])

/** Returns the sum of the values if the unit can be summed; null for durations, fractions and evidence. */
export const sumOf = (values: readonly Value[], unit: Unit): Value =>
  addable.has(unit) ? values.reduce<number>((sum, value) => sum + (value ?? 0), 0) : null

/** Returns the value of a series in the bucket `at`, or in the whole window if `at` is null. */
export function readSeries(
  { values, unpriced = [], isSummed = true }: Pick<Series, 'values' | 'unpriced' | 'isSummed'>,
  unit: Unit,
  at: number | null,
): { readonly value: Value; readonly unpriced: number } {
  if (at !== null) return { value: values[at] ?? null, unpriced: unpriced[at] ?? 0 }
  return { value: isSummed ? sumOf(values, unit) : null, unpriced: unpriced.reduce((sum, calls) => sum + calls, 0) }
}

export function findPeak(values: readonly Value[]): number | null {
  let peak: number | null = null
  for (const [at, value] of values.entries()) {
    if (value !== null && (peak === null || value > (values[peak] ?? Number.NEGATIVE_INFINITY))) peak = at
  }
  return peak
}

type Described = Pick<Series, 'values' | 'unpriced'> & {
  readonly what: string
  readonly unit: Unit
  readonly x: readonly number[]
  readonly zone: string
  readonly nowMs: number
}

// A day on which the clocks are set forward has 23 hours.
const leastDayMs = 23 * 3_600_000

function sayWhen([first = 0, second = 0]: readonly number[], start: number, zone: string, nowMs: number): string {
  return second - first >= leastDayMs
    ? `on ${formatTime(start, zone, nowMs, 'day')}`
    : `at ${formatTime(start, zone, nowMs, 'min')}`
}

/** Returns one sentence: `Cost: $12.34 in total, highest $1.20 at Nov 20 14:00.` */
export function describeSeries({ what, unit, x, values, unpriced, zone, nowMs }: Described): string {
  const all = readSeries({ values, unpriced }, unit, null)
  const why = explainUnpriced(all.unpriced)
  const sum = all.value === null ? [] : [`${formatShort(unit, all.value, all.unpriced)} in total`]
  const at = findPeak(values)
  const start = at === null ? undefined : x[at]
  const peak = readSeries({ values, unpriced }, unit, at)
  if (!peak.value || start === undefined)
    return why === null ? `${what}: nothing in this window.` : `${what}: ${[...sum, why].join(', ')}.`
  const highest = `highest ${formatShort(unit, peak.value, peak.unpriced)} ${sayWhen(x, start, zone, nowMs)}`
  return `${what}: ${[...sum, highest, ...(why === null ? [] : [why])].join(', ')}.`
}
