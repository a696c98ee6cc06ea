// Counts exactly the traces of those points of a time series that sketches only estimate.
import type { TimeSpan } from '../../rollups/spans.ts'
import type { Window } from '../window.ts'
import { findBucket } from './aggregate-grid.ts'
import { chartTiers as heldTiers } from './buckets.ts'
import type { Estimate, Timeseries } from './build-timeseries.ts'
import { countSets, openBudget } from './count-sets.ts'
import type { StatsStore } from './source/source.ts'

export type ChartedWindow = { readonly workspaceId: string; readonly window: Window }

// An event adds at most one trace, to one place.
const eventsAtOnce = 1_000_000

/** Updates the points, some buckets at a time, as far as the needed sets are known and within the budget. Throws Outage. */
export async function recountPoints(
  store: StatsStore,
  { workspaceId, window }: ChartedWindow,
  startsMs: readonly number[],
  { estimates, placeOf, placing }: Pick<Timeseries, 'estimates' | 'placeOf' | 'placing'>,
): Promise<void> {
  const budget = openBudget()
  const spanOf = (bucket: number): TimeSpan => ({
    fromMs: Math.max(window.from.getTime(), startsMs[bucket] ?? -Infinity),
    toMs: Math.min(window.to.getTime(), startsMs[bucket + 1] ?? Infinity),
  })
  for (const some of listGroups(estimates)) {
    const buckets = [...new Set(some.map(({ bucket }) => bucket))]
    const bucketOf = (startMs: number): number => findBucket(startsMs, startMs)
    const reads = [buckets.map(spanOf)]
    const asked = { workspaceId, names: ['traces'], reads, bucketOf, placeOf, placing, heldTiers } as const
    const counts = await countSets(store, asked, budget)
    if (counts === null) return
    for (const { bucket, place, point } of some) point.traces = counts('traces', bucket, place)
  }
}

/** Groups the estimates by time: whole buckets, as many as have a limited number of events. */
function listGroups(estimates: readonly Estimate[]): Estimate[][] {
  const groups: Estimate[][] = []
  let events = Infinity
  for (const some of Map.groupBy(
    estimates.toSorted((a, b) => a.bucket - b.bucket),
    ({ bucket }) => bucket,
  ).values()) {
    const more = some.reduce((sum, { point }) => sum + point.events, 0)
    if (events + more > eventsAtOnce) {
      groups.push([])
      events = 0
    }
    groups.at(-1)?.push(...some)
    events += more
  }
  return groups
}
