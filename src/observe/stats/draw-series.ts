// Floor 3. The points of a time series, a stretch of buckets at a time, so that memory does not grow with their number.
import type { CellKey } from '../../measure/cell.ts'
import type { Window } from '../window.ts'
import { type ChartScope, measureOf } from './choose-keys.ts'
import { type Drawn, draw, drawnLength, measureAt, showPoint } from './drawn.ts'
import { keyOf, rest } from './grouping.ts'
import { digestCells, digestWhole, eachPoint, type RowPoints } from './row-points.ts'
import type { AlonePoints, Measured, Source } from './source.ts'
import type { Point } from './stats-shapes.ts'
import { countOf, type Tally } from './tally.ts'
import { findBucket, makeTallyGrid } from './tally-grid.ts'

export type Series = {
  readonly key: string
  /** One for each bucket; while they are being drawn, holes. */
  readonly points: Point[]
  events: number
  /** What it is ordered by. */
  size: number
}

// Of up to some ten kilobytes each.
const maxTallies = 4_000

/**
 * The series of the keys, the largest first; behind them that of the rest. Where nothing groups or narrows it there is one, `all`, and
 * totals alone are read.
 */
export async function drawSeries(
  source: Source,
  scope: ChartScope,
  startsMs: readonly number[],
  keys: readonly string[],
): Promise<Measured<Series[]>> {
  const isGrouped = scope.groupBy !== 'none'
  const isWhole = !isGrouped && [scope.agentId, scope.kind, scope.model].every((filter) => filter === undefined)
  const series = [isGrouped ? rest : 'all', ...keys].map(openSeries)
  const stride = isGrouped ? Math.floor(maxTallies / series.length) : maxTallies
  const measure = measureOf(scope)
  const placeOf = makePlaces(scope, keys)
  const digest = isWhole ? digestWhole() : digestCells({ scope, keys, placeOf }, parts)
  let events = 0
  for (let first = 0; first < startsMs.length; first += stride) {
    const starts = startsMs.slice(first, first + stride)
    const show = (at: number, bucket: number, drawn: Drawn, from = 0): void => {
      const one = series[at]
      if (one === undefined) return
      one.points[first + bucket] = showPoint(starts[bucket] ?? 0, drawn, from)
      one.events += measureAt(drawn, from, 'events')
      one.size += measureAt(drawn, from, measure)
    }
    const make = (): Tally => source.makeTally(isWhole ? 'totals' : 'cells')
    const grid = makeTallyGrid(starts, make, (at, bucket, tally) => {
      const drawn: number[] = []
      draw(drawn, tally, countOf(tally, 'traces'))
      show(at, bucket, drawn)
    })
    const alone: AlonePoints = {
      digest,
      take: (startMs: number, points: RowPoints) => {
        const bucket = findBucket(starts, startMs)
        eachPoint(points, (at, drawn, from) => show(at, bucket, drawn, from))
      },
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
          },
    })
    grid.finish()
  }
  const zeros = Array<number>(drawnLength).fill(0)
  for (const { points } of series)
    for (const [at, startMs] of startsMs.entries()) points[at] ??= showPoint(startMs, zeros)
  return { answer: isGrouped ? order(series) : series, events }
}

const parts = { durations: true, traces: true, inputs: false }

const openSeries = (key: string): Series => ({ key, points: [], events: 0, size: 0 })

function order([others, ...alone]: readonly Series[]): Series[] {
  const shown = alone.filter(({ events }) => events > 0)
  shown.sort((a, b) => b.size - a.size || (a.key < b.key ? -1 : 1))
  return others !== undefined && others.events > 0 ? [...shown, others] : shown
}

/** The first place takes what has no other, and all that is not grouped. */
function makePlaces(scope: ChartScope, keys: readonly string[]): (cell: CellKey) => number | null {
  const places = new Map(keys.map((key, at) => [key, at + 1]))
  return (cell) => {
    const key = keyOf(scope, cell)
    return key === null ? null : (places.get(key) ?? 0)
  }
}

function clip(window: Window, startMs: number | undefined, endMs: number | undefined): Window {
  return {
    from: new Date(Math.max(window.from.getTime(), startMs ?? -Infinity)),
    to: new Date(Math.min(window.to.getTime(), endMs ?? Infinity)),
  }
}
