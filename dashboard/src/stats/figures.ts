// From the answers of the stats to what tiles and charts show.
import type { Schemas } from '../api/client.ts'
import { assignSlots } from '../charts/colours.ts'
import type { Series } from '../charts/series.ts'
import type { Value } from '../charts/units.ts'

export type Point = Schemas['StatsPoint']
export type Timeseries = Schemas['StatsTimeseries']
export type Breakdown = Schemas['StatsBreakdown']

/** Starts of the buckets, in milliseconds since 1970. */
export const readStarts = ({ series }: Timeseries): number[] =>
  (series[0]?.points ?? []).map(({ time }) => Date.parse(time))

/** Nothing took any time in a bucket without events: that is no duration of zero. */
const duration = (ms: number, { events }: Point): Value => (events === 0 ? null : ms)

type Figure = {
  readonly key: string
  readonly label: string
  readonly slot: Series['slot']
  readonly read: (point: Point) => Value
}

const callFigures: readonly Figure[] = [
  { key: 'llm_calls', label: 'LLM calls', slot: 1, read: (point) => point.llm_calls },
  { key: 'tool_calls', label: 'Tool calls', slot: 3, read: (point) => point.tool_calls },
  { key: 'errors', label: 'Errors', slot: 2, read: (point) => point.errors },
]

const durationFigures: readonly Figure[] = [
  { key: 'p50', label: 'p50', slot: 1, read: (point) => duration(point.p50_duration_ms, point) },
  { key: 'p95', label: 'p95', slot: 4, read: (point) => duration(point.p95_duration_ms, point) },
]

const tokenFigures: readonly Figure[] = [
  { key: 'fresh', label: 'Fresh input', slot: 1, read: (point) => countFresh(point) },
  { key: 'cached', label: 'Cached input', slot: 3, read: (point) => point.cached_tokens },
  { key: 'written', label: 'Written to the cache', slot: 6, read: (point) => point.cache_write_tokens },
  { key: 'output', label: 'Output', slot: 4, read: (point) => point.output_tokens },
]

export const figures = { calls: callFigures, durations: durationFigures, tokens: tokenFigures } as const

type Split = Pick<Point, 'input_tokens' | 'cached_tokens' | 'cache_write_tokens'>

/** Input tokens contain those that were read from a cache and those that were written to it. */
export const countFresh = ({
  input_tokens: input,
  cached_tokens: cached,
  cache_write_tokens: written,
}: Split): number => Math.max(0, input - cached - written)

/** One series a figure, over the whole of the scope. */
export function readFigures({ series }: Timeseries, wanted: readonly Figure[]): Series[] {
  const points = series[0]?.points ?? []
  return wanted.map(({ key, label, slot, read }) => ({ key, label, slot, values: points.map(read) }))
}

/** One series a group, such as the cost by model. `family` keeps the colours of the groups (`assignSlots`). */
export function readGroups({ series }: Timeseries, read: (point: Point) => number, family: string): Series[] {
  const slots = assignSlots(
    series.map(({ key }) => key),
    family,
  )
  return series.map(({ key, label, points }, nth) => ({ key, label, slot: slots[nth] ?? 0, values: points.map(read) }))
}

/** The sum of all series in each bucket. */
export const sumSeries = (series: readonly Series[], buckets: number): number[] =>
  Array.from({ length: buckets }, (_, at) => series.reduce((sum, { values }) => sum + (values[at] ?? 0), 0))

/** Calls without a price: a summary does not tell them, the groups do. */
export const countUnpriced = ({ items, other }: Breakdown): number =>
  [...items, ...(other === null ? [] : [other])].reduce((sum, { unpriced_calls: calls }) => sum + calls, 0)
