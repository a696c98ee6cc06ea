// Floor 3. The points of a time series, a stretch of buckets at a time, so that memory does not grow with their number.
import type { CellKey } from '../../measure/cell.ts'
import type { Window } from '../window.ts'
import { type ChartScope, measureOf } from './choose-keys.ts'
import { keyOf, rest } from './grouping.ts'
import type { Measured, Source } from './source.ts'
import type { Point } from './stats-shapes.ts'
import { counterOf, countOf, makeTally, showSums, type Tally } from './tally.ts'

export type Series = {
  readonly key: string
  readonly points: Point[]
  events: number
  /** What it is ordered by. */
  size: number
}

// Of up to some ten kilobytes each.
const maxTallies = 4_000

/**
 * The series of the keys and of others that come up, `top` of them, the largest first; behind them that of the rest. Where nothing
 * groups or narrows it there is one, `all`, and totals alone are read.
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
  const stride = isGrouped ? Math.floor(maxTallies / (scope.top + 1)) : maxTallies
  let events = 0
  for (let first = 0; first < startsMs.length; first += stride) {
    const starts = startsMs.slice(first, first + stride)
    const grid = makeGrid(starts, () => source.makeTally(isWhole ? 'totals' : 'cells'))
    events += await source.read({
      window: clip(scope.window, starts[0], startsMs[first + stride]),
      cutsMs: starts,
      into: isWhole
        ? { tallyOf: (startMs) => grid.at(0, startMs) }
        : { parts, sessionsFor: () => null, cellTallyOf: findTallies(grid, scope, series) },
    })
    for (const [at, one] of series.entries()) {
      // One that came up only now has had nothing so far.
      for (const startMs of startsMs.slice(one.points.length, first)) one.points.push(showPoint(startMs))
      for (const [no, startMs] of starts.entries()) addPoint(one, startMs, grid.peek(at, no), measureOf(scope))
    }
  }
  return { answer: isGrouped ? order(series) : series, events }
}

const parts = { durations: true, traces: true, inputs: false }

const openSeries = (key: string): Series => ({ key, points: [], events: 0, size: 0 })

function order([others, ...alone]: readonly Series[]): Series[] {
  const shown = alone.filter(({ events }) => events > 0)
  shown.sort((a, b) => b.size - a.size || (a.key < b.key ? -1 : 1))
  return others !== undefined && others.events > 0 ? [...shown, others] : shown
}

type Grid = {
  /** The tally of a series at a time, made where there is none. */
  at(series: number, startMs: number): Tally
  peek(series: number, bucket: number): Tally | undefined
}

function makeGrid(starts: readonly number[], make: () => Tally): Grid {
  const tallies: (Tally | undefined)[][] = []
  return {
    at: (at, startMs) => ((tallies[at] ??= [])[findBucket(starts, startMs)] ??= make()),
    peek: (at, bucket) => tallies[at]?.[bucket],
  }
}

/** The first of the series takes what has no other, and all that is not grouped. */
function findTallies(grid: Grid, scope: ChartScope, series: Series[]) {
  const places = new Map(series.map(({ key }, place) => [key, place]))
  return (startMs: number, cell: CellKey): Tally | null => {
    const key = keyOf(scope, cell)
    if (key === null) return null
    let place = places.get(key)
    if (place === undefined) {
      place = series.length <= scope.top ? series.push(openSeries(key)) - 1 : 0
      places.set(key, place)
    }
    return grid.at(place, startMs)
  }
}

/** The last bucket that starts at or before a time; what the window cuts off of the first one starts in it too. */
function findBucket(starts: readonly number[], startMs: number): number {
  let low = 0
  let high = starts.length
  while (low < high) {
    const half = (low + high) >>> 1
    if ((starts[half] ?? 0) <= startMs) low = half + 1
    else high = half
  }
  return Math.max(0, low - 1)
}

function clip(window: Window, startMs: number | undefined, endMs: number | undefined): Window {
  return {
    from: new Date(Math.max(window.from.getTime(), startMs ?? -Infinity)),
    to: new Date(Math.min(window.to.getTime(), endMs ?? Infinity)),
  }
}

const nothing = makeTally('cells')

function addPoint(series: Series, startMs: number, tally: Tally | undefined, measure: 'costPicoUsd' | 'events'): void {
  series.points.push(showPoint(startMs, tally))
  if (tally === undefined) return
  series.events += counterOf(tally, 'events')
  series.size += counterOf(tally, measure)
}

function showPoint(startMs: number, tally: Tally = nothing): Point {
  return {
    time: new Date(startMs).toISOString(),
    ...showSums(tally),
    traces: countOf(tally, 'traces'),
    cache_write_tokens: counterOf(tally, 'cacheWriteTokens'),
  }
}
