// Chooses the series of a chart that are shown separately. The cells of a month have many megabytes, so they are read for this only if no
// smaller source suffices.

import { kinds } from '../../event/event.ts'
import { type Counters, counterAt } from '../../sketches/counters.ts'
import type { Database } from '../../store/database.ts'
import type { Window } from '../window.ts'
import { rankKeys } from './grouping.ts'
import { rankGroups } from './rank-groups.ts'
import type { StatsSource } from './source/source.ts'
import { rest, type StatsScope } from './stats-scope.ts'

export type ChartScope = StatsScope & {
  readonly workspaceId: string
  readonly window: Window
  /** The number of series that are shown separately. */
  readonly top: number
}

/** The measure by which series are ranked: cost for models, events for all other groups. */
export const measureOf = ({ groupBy }: StatsScope): 'costPicoUsd' | 'events' =>
  groupBy === 'model' ? 'costPicoUsd' : 'events'

/**
 * Returns the `top` largest keys, or all keys if there are no more than that. Sorted by name, so that the order is stable between reads.
 */
export async function chooseKeys(db: Database, source: StatsSource, scope: ChartScope): Promise<string[]> {
  if (scope.groupBy === 'none') return []
  const all = await listAll(db, scope)
  if (all !== null && all.length <= scope.top) return all.filter((key) => key !== rest).sort()
  const ranked = isModelsOfAll(scope)
    ? await rankModels(source, scope.window)
    : await rankGroups(source, scope.window, scope, measureOf(scope))
  return ranked
    .filter((key) => key !== rest)
    .slice(0, scope.top)
    .sort()
}

/** Returns all possible keys, or more than `top` of them; null if only the cells contain them. */
async function listAll(db: Database, { groupBy, workspaceId, top }: ChartScope): Promise<readonly string[] | null> {
  if (groupBy === 'kind') return kinds
  if (groupBy !== 'agent') return null
  const agents = await db.rows<{ id: string }>('queries/list-agent-ids', [workspaceId, top + 1])
  return agents.map(({ id }) => id)
}

const isModelsOfAll = ({ groupBy, agentId, kind, model }: StatsScope): boolean =>
  groupBy === 'model' && agentId === undefined && kind === undefined && model === undefined

/** Ranks models by totals, which contain the cost of each model. */
async function rankModels(source: StatsSource, window: Window): Promise<string[]> {
  const whole = { ...source.makeAggregate('totals'), models: new Map<string | null, Counters>() }
  await source.read({ window, cutsMs: [], into: { whole } })
  const costs = new Map<string, number>()
  for (const [model, counters] of whole.models) {
    const key = model ?? 'unknown'
    costs.set(key, (costs.get(key) ?? 0) + (counters[counterAt.costPicoUsd] ?? 0))
  }
  return rankKeys(costs, (cost) => cost)
}
