// The time series of a window, in total or by model, agent, tool or kind.
import { type Outcome, ok } from '../../base/outcome.ts'
import { type Interval, layBuckets } from './buckets.ts'
import { buildTimeseries } from './build-timeseries.ts'
import { type ChartScope, chooseKeys } from './choose-keys.ts'
import { labelKeys } from './label-keys.ts'
import { recountPoints } from './recount-points.ts'
import { readWindow } from './source/read-window.ts'
import type { StatsStore } from './source/source.ts'
import { rest } from './stats-scope.ts'
import type { StatsPoint } from './stats-shapes.ts'

export const groupings = ['none', 'model', 'agent', 'tool', 'kind'] as const

export type ChartQuery = ChartScope & { readonly interval: Interval | 'auto'; readonly timeZone: string }

export type Chart = {
  readonly intervalS: number
  readonly series: { key: string; label: string; points: StatsPoint[] }[]
}

/** Each series has a point for each bucket. The largest series are first, by the sum of the measure that they were chosen by. */
export async function chart(
  store: StatsStore,
  query: ChartQuery,
): Promise<Outcome<Chart, 'too_many_buckets' | 'time_zone_unknown'>> {
  const { window, workspaceId, groupBy } = query
  const buckets = await layBuckets(store.db, window, query.interval, query.timeZone)
  if (!buckets.ok) return buckets
  const { intervalS, startsMs } = buckets.value
  const numbers = await readWindow(store, workspaceId, window, async (source) => {
    const keys = await chooseKeys(store.db, source, query)
    const { series, events, ...drawing } = await buildTimeseries(source, query, startsMs, keys)
    return { answer: series, events, recount: async () => await recountPoints(store, query, startsMs, drawing) }
  })
  const keys = numbers.map(({ key }) => key).filter((key) => key !== rest)
  const label = await labelKeys(store.db, workspaceId, groupBy, keys)
  return ok({ intervalS, series: numbers.map(({ key, points }) => ({ key, label: label(key), points })) })
}
