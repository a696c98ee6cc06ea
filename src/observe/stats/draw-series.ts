// Floor 3. The points of a time series, a stretch of buckets at a time, so that memory does not grow with their number.
import type { CellKey } from '../../measure/cell.ts'
import type { Window } from '../window.ts'
import { keyOf, type Scope } from './grouping.ts'
import type { Measured, Source } from './source.ts'
import type { Point } from './stats-shapes.ts'
import { counterOf, countOf, makeTally, showSums, type Tally } from './tally.ts'

/** Key null: all that do not stand alone. */
export type Series = { readonly key: string | null; readonly points: Point[] }

// Of up to some ten kilobytes each.
const maxTallies = 4_000

/**
 * A series for each key, in their order, and one for the rest where there is any. Without keys but 'all', and nothing to narrow it,
 * totals alone are read.
 */
export async function drawSeries(
  source: Source,
  window: Window,
  startsMs: readonly number[],
  scope: Scope,
  keys: readonly string[],
): Promise<Measured<Series[]>> {
  const series = [...keys, null].map((key): Series => ({ key, points: [] }))
  const isWhole = [scope.agentId, scope.kind, scope.model].every((filter) => filter === undefined)
  const stride = Math.max(1, Math.floor(maxTallies / series.length))
  let events = 0
  for (let first = 0; first < startsMs.length; first += stride) {
    const starts = startsMs.slice(first, first + stride)
    const grid = makeGrid(starts, series, scope.groupBy === 'none' && isWhole ? 'totals' : 'cells', source)
    events += await source.read({
      window: clip(window, starts[0], startsMs[first + stride]),
      cutsMs: starts,
      into:
        scope.groupBy === 'none' && isWhole
          ? { tallyOf: (startMs) => grid.at(0, startMs) }
          : {
              parts: { durations: true, traces: true, inputs: false },
              sessionsFor: () => null,
              cellTallyOf: gridCellOf(grid, scope, keys),
            },
    })
    for (const [at, { points }] of series.entries()) {
      for (const [no, startMs] of starts.entries()) points.push(showPoint(startMs, grid.peek(at, no)))
    }
  }
  return {
    answer: series.filter(({ key, points }) => key !== null || points.some((point) => point.events > 0)),
    events,
  }
}

type Grid = {
  /** The tally of a series at a time, made where there is none. */
  at(series: number, startMs: number): Tally
  peek(series: number, bucket: number): Tally | undefined
}

function makeGrid(starts: readonly number[], series: readonly Series[], of: 'totals' | 'cells', source: Source): Grid {
  const tallies = series.map((): (Tally | undefined)[] => Array.from({ length: starts.length }))
  return {
    at: (at, startMs) => {
      const row = tallies[at]
      if (row === undefined) throw new Error('a series that is not drawn')
      return (row[findBucket(starts, startMs)] ??= source.makeTally(of))
    },
    peek: (at, bucket) => tallies[at]?.[bucket],
  }
}

function gridCellOf(grid: Grid, scope: Scope, keys: readonly string[]) {
  const places = new Map(keys.map((key, place) => [key, place]))
  return (startMs: number, cell: CellKey): Tally | null => {
    const key = keyOf(scope, cell)
    return key === null ? null : grid.at(places.get(key) ?? keys.length, startMs)
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

function showPoint(startMs: number, tally: Tally = nothing): Point {
  return {
    time: new Date(startMs).toISOString(),
    ...showSums(tally),
    traces: countOf(tally, 'traces'),
    cache_write_tokens: counterOf(tally, 'cacheWriteTokens'),
  }
}
