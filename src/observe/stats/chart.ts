// Floor 3. The time series of a window, whole or by model, agent, tool or kind.
import { type Outcome, ok } from '../../base/outcome.ts'
import type { Database } from '../../store/database.ts'
import type { Window } from '../window.ts'
import { type Interval, layBuckets } from './buckets.ts'
import { drawSeries } from './draw-series.ts'
import { rankKeys, type Scope, sumUpGroups } from './grouping.ts'
import { labelKeys } from './label-keys.ts'
import { measureWindow, type Source } from './source.ts'
import type { Point } from './stats-shapes.ts'
import { counterOf, type Tally } from './tally.ts'

export const groupings = ['none', 'model', 'agent', 'tool', 'kind'] as const

export type ChartQuery = Scope & {
  readonly workspaceId: string
  readonly window: Window
  readonly interval: Interval | 'auto'
  readonly timeZone: string
  /** How many series stand alone. */
  readonly top: number
}

export type Chart = { readonly intervalS: number; readonly series: { key: string; label: string; points: Point[] }[] }

type Deps = { readonly db: Database }

/** Every series has a point for every bucket. The largest series come first, by the sum of what they were chosen by. */
export async function chart(
  { db }: Deps,
  query: ChartQuery,
): Promise<Outcome<Chart, 'too_many_buckets' | 'time_zone_unknown'>> {
  const { window, workspaceId, groupBy } = query
  const buckets = await layBuckets(db, window, query.interval, query.timeZone)
  if (!buckets.ok) return buckets
  const { intervalS, startsMs } = buckets.value
  const series = await measureWindow(db, workspaceId, window, async (source) => {
    const keys = await chooseKeys(source, query)
    return await drawSeries(source, window, startsMs, query, keys)
  })
  const keys = series.flatMap(({ key }) => key ?? [])
  const label = await labelKeys(db, workspaceId, groupBy, keys)
  return ok({
    intervalS,
    series: series.map(({ key, points }) => ({
      key: key ?? 'other',
      label: key === null ? 'other' : label(key),
      points,
    })),
  })
}

/** The keys that stand alone, largest first: models by cost, all else by events. What is itself called other never does. */
async function chooseKeys(source: Source, query: ChartQuery): Promise<string[]> {
  if (query.groupBy === 'none') return ['all']
  const parts = { durations: false, traces: false, inputs: false }
  const { byKey } = await sumUpGroups(source, query.window, query, parts)
  const measure = query.groupBy === 'model' ? 'costPicoUsd' : 'events'
  const ranked = rankKeys(byKey, (tally: Tally) => counterOf(tally, measure))
  return ranked.filter((key) => key !== 'other').slice(0, query.top)
}
