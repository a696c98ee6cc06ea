// Floor 3. The points of a time series, a stretch of buckets at a time, so that memory does not grow with their number.
import type { CellKey } from '../../measure/cell.ts'
import type { Window } from '../window.ts'
import { type ChartScope, measureOf } from './choose-keys.ts'
import { keyOf, rest } from './grouping.ts'
import type { Measured, Source } from './source.ts'
import type { Point } from './stats-shapes.ts'
import { counterOf, countOf, makeTally, type Summed, showSums, type Tally } from './tally.ts'
import { findBucket, makeTallyGrid, type TallyGrid } from './tally-grid.ts'

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
  const measure = measureOf(scope)
  let events = 0
  for (let first = 0; first < startsMs.length; first += stride) {
    const starts = startsMs.slice(first, first + stride)
    const show = (at: number, bucket: number, summed: Summed, traces: number): void => {
      const one = series[at]
      if (one === undefined) return
      one.points[first + bucket] = showPoint(starts[bucket] ?? 0, summed, traces)
      one.events += counterOf(summed, 'events')
      one.size += counterOf(summed, measure)
    }
    const make = (): Tally => source.makeTally(isWhole ? 'totals' : 'cells')
    const grid = makeTallyGrid(starts, make, (at, no, tally) => show(at, no, tally, countOf(tally, 'traces')))
    events += await source.read({
      window: clip(scope.window, starts[0], startsMs[first + stride]),
      cutsMs: starts,
      into: isWhole
        ? {
            tallyOf: (startMs) => grid.at(0, startMs),
            onAlone: (startMs, head) => show(0, findBucket(starts, startMs), head, head.traces),
          }
        : {
            parts,
            sessionsFor: () => null,
            cellTallyOf: findTallies(grid, scope, series),
            onDone: grid.close,
          },
    })
    grid.finish()
  }
  for (const { points } of series) for (const [at, startMs] of startsMs.entries()) points[at] ??= showPoint(startMs)
  return { answer: isGrouped ? order(series) : series, events }
}

const parts = { durations: true, traces: true, inputs: false }

const openSeries = (key: string): Series => ({ key, points: [], events: 0, size: 0 })

function order([others, ...alone]: readonly Series[]): Series[] {
  const shown = alone.filter(({ events }) => events > 0)
  shown.sort((a, b) => b.size - a.size || (a.key < b.key ? -1 : 1))
  return others !== undefined && others.events > 0 ? [...shown, others] : shown
}

/** The first of the series takes what has no other, and all that is not grouped. */
function findTallies(grid: TallyGrid, scope: ChartScope, series: Series[]) {
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

function clip(window: Window, startMs: number | undefined, endMs: number | undefined): Window {
  return {
    from: new Date(Math.max(window.from.getTime(), startMs ?? -Infinity)),
    to: new Date(Math.min(window.to.getTime(), endMs ?? Infinity)),
  }
}

const nothing = makeTally('cells')

// Each by its name: copying them from one object into the middle of another takes longer than finding them.
function showPoint(startMs: number, summed: Summed = nothing, traces = 0): Point {
  const sums = showSums(summed)
  return {
    time: new Date(startMs).toISOString(),
    events: sums.events,
    llm_calls: sums.llm_calls,
    tool_calls: sums.tool_calls,
    served_calls: sums.served_calls,
    errors: sums.errors,
    input_tokens: sums.input_tokens,
    output_tokens: sums.output_tokens,
    cached_tokens: sums.cached_tokens,
    cost_usd: sums.cost_usd,
    p50_duration_ms: sums.p50_duration_ms,
    p95_duration_ms: sums.p95_duration_ms,
    traces,
    cache_write_tokens: counterOf(summed, 'cacheWriteTokens'),
  }
}
