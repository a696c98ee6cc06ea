// Builds the points of a time series, some buckets at a time, so that memory does not grow with the number of buckets.
import type { CellKey } from '../../sketches/cell.ts'
import type { Window } from '../window.ts'
import { type Aggregate, tracesOf } from './aggregate.ts'
import { findBucket, makeAggregateGrid } from './aggregate-grid.ts'
import { chartTiers } from './buckets.ts'
import { type ChartScope, measureOf } from './choose-keys.ts'
import { isCountable } from './count-sets.ts'
import { appendPoint, measureAt, type PointNumbers, pointLength, showPoint, tracesAt } from './point-numbers.ts'
import { bytesOfPoints, digestCells, digestWhole, eachPoint, type RowPoints } from './source/row-points.ts'
import type { AlonePoints, StatsSource } from './source/source.ts'
import { rest, seriesKeyOf } from './stats-scope.ts'
import type { StatsPoint } from './stats-shapes.ts'

export type Series = {
  readonly key: string
  /** One point for each bucket; has holes while the series is being built. */
  readonly points: StatsPoint[]
  /** Events plus tool calls: not zero for a series that has only inferred tool calls, which are no events. */
  counted: number
  /** The sum of the measure by which series are ordered. */
  size: number
}

/** The series, and what is needed to count the traces of points that are only estimated. */
export type Timeseries = {
  readonly series: readonly Series[]
  readonly events: number
  readonly estimates: readonly Estimate[]
  /** Null: a chart of all events, which has one series. */
  readonly placeOf: ((cell: CellKey) => number | null) | null
  /** Equal for series of equal `placeOf`. */
  readonly placing: string
}

/** A point whose traces may be counted exactly, with its bucket and place. */
export type Estimate = { readonly bucket: number; readonly place: number; readonly point: StatsPoint }

// Each takes up to some ten kilobytes.
const maxAggregates = 4_000

/**
 * Returns the series of the keys, the largest first, then the series of the rest. Without grouping and filters there is one series, `all`,
 * and only totals are read.
 */
export async function buildTimeseries(
  source: StatsSource,
  scope: ChartScope,
  startsMs: readonly number[],
  keys: readonly string[],
): Promise<Timeseries> {
  const isGrouped = scope.groupBy !== 'none'
  const isWhole = !isGrouped && [scope.agentId, scope.kind, scope.model].every((filter) => filter === undefined)
  const series = [isGrouped ? rest : 'all', ...keys].map(openSeries)
  const stride = isGrouped ? Math.floor(maxAggregates / series.length) : maxAggregates
  const measure = measureOf(scope)
  const placeOf = makePlaces(scope, keys)
  const digest = isWhole ? digestWhole() : digestCells({ scope, keys, placeOf }, parts)
  const estimates: Estimate[] = []
  let events = 0
  for (let first = 0; first < startsMs.length; first += stride) {
    const starts = startsMs.slice(first, first + stride)
    const show = (at: number, bucket: number, numbers: PointNumbers, from = 0): void => {
      const one = series[at]
      if (one === undefined) return
      const point = showPoint(starts[bucket] ?? 0, numbers, from)
      one.points[first + bucket] = point
      const { count, isEstimate } = tracesAt(numbers, from)
      if (isEstimate && isCountable(count)) estimates.push({ bucket: first + bucket, place: at, point })
      one.counted += measureAt(numbers, from, 'events') + measureAt(numbers, from, 'toolCalls')
      one.size += measureAt(numbers, from, measure)
    }
    const make = (): Aggregate => source.makeAggregate(isWhole ? 'totals' : 'cells')
    const grid = makeAggregateGrid(starts, make)
    const takePoints = (bucket: number, points: RowPoints): void =>
      eachPoint(points, (at, numbers, from) => show(at, bucket, numbers, from))
    const makePoints = (bucket: number): RowPoints => {
      const points = [0]
      grid.eachOf(bucket, (at, aggregate) => {
        points.push(at)
        appendPoint(points, aggregate, tracesOf(aggregate))
      })
      return points
    }
    const alone: AlonePoints = {
      digest,
      take: (startMs, points) => takePoints(findBucket(starts, startMs), points),
    }
    events += await source.read({
      window: clip(scope.window, starts[0], startsMs[first + stride]),
      cutsMs: starts,
      into: isWhole
        ? { tallyOf: (startMs) => grid.at(0, startMs), alone }
        : {
            parts,
            sessionsFor: () => null,
            cellTallyOf: (startMs, cell) => {
              const place = placeOf(cell)
              return place === null ? null : grid.at(place, startMs)
            },
            alone,
            held: {
              name: digest.name,
              startsMs: starts,
              tiers: chartTiers,
              take: (bucket, made) => takePoints(bucket, made as RowPoints),
              make(bucket) {
                const made = makePoints(bucket)
                takePoints(bucket, made)
                grid.clear(bucket)
                return { made, bytes: bytesOfPoints(made) }
              },
              clear: grid.clear,
            },
          },
    })
    for (const bucket of starts.keys()) takePoints(bucket, makePoints(bucket))
  }
  const zeros = Array<number>(pointLength).fill(0)
  for (const { points } of series)
    for (const [at, startMs] of startsMs.entries()) points[at] ??= showPoint(startMs, zeros)
  const { name: placing } = digest
  return { series: isGrouped ? order(series) : series, events, estimates, placeOf: isWhole ? null : placeOf, placing }
}

const parts = { durations: true, traces: true, inputs: false }

const openSeries = (key: string): Series => ({ key, points: [], counted: 0, size: 0 })

function order([others, ...alone]: readonly Series[]): Series[] {
  const shown = alone.filter(({ counted }) => counted > 0)
  shown.sort((a, b) => b.size - a.size || (a.key < b.key ? -1 : 1))
  return others !== undefined && others.counted > 0 ? [...shown, others] : shown
}

/** Maps a cell to the index of its series. Series 0 takes all cells whose key has no series, and all cells if there is no grouping. */
function makePlaces(scope: ChartScope, keys: readonly string[]): (cell: CellKey) => number | null {
  const places = new Map(keys.map((key, at) => [key, at + 1]))
  return (cell) => {
    const key = seriesKeyOf(scope, cell)
    return key === null ? null : (places.get(key) ?? 0)
  }
}

function clip(window: Window, startMs: number | undefined, endMs: number | undefined): Window {
  return {
    from: new Date(Math.max(window.from.getTime(), startMs ?? -Infinity)),
    to: new Date(Math.min(window.to.getTime(), endMs ?? Infinity)),
  }
}
