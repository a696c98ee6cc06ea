// Which series of a chart stand alone. Cells of a month are many megabytes: where something smaller tells it, they are not
// read for this.

import { kinds } from '../../event/event.ts'
import { type Counters, counterAt } from '../../measure/counters.ts'
import type { Database } from '../../store/database.ts'
import type { Window } from '../window.ts'
import { rankKeys, rest, type Scope } from './grouping.ts'
import { rankGroups } from './rank-groups.ts'
import type { Source } from './source.ts'

export type ChartScope = Scope & {
  readonly workspaceId: string
  readonly window: Window
  /** How many series stand alone. */
  readonly top: number
}

/** What series are measured by: models by cost, all else by events. */
export const measureOf = ({ groupBy }: Scope): 'costPicoUsd' | 'events' =>
  groupBy === 'model' ? 'costPicoUsd' : 'events'

/** The `top` largest keys, or all that there can be where they are no more than that. By name: not with every read in another order. */
export async function chooseKeys(db: Database, source: Source, scope: ChartScope): Promise<string[]> {
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

/** All keys that there can be, or some more than are wanted; null where only their cells tell. */
async function listAll(db: Database, { groupBy, workspaceId, top }: ChartScope): Promise<readonly string[] | null> {
  if (groupBy === 'kind') return kinds
  if (groupBy !== 'agent') return null
  const agents = await db.rows<{ id: string }>('observe/list-agent-ids', [workspaceId, top + 1])
  return agents.map(({ id }) => id)
}

const isModelsOfAll = ({ groupBy, agentId, kind, model }: Scope): boolean =>
  groupBy === 'model' && agentId === undefined && kind === undefined && model === undefined

/** Totals know the cost of each model. */
async function rankModels(source: Source, window: Window): Promise<string[]> {
  const whole = { ...source.makeTally('totals'), models: new Map<string | null, Counters>() }
  await source.read({ window, cutsMs: [], into: { whole } })
  const costs = new Map<string, number>()
  for (const [model, counters] of whole.models) {
    const key = model ?? 'unknown'
    costs.set(key, (costs.get(key) ?? 0) + (counters[counterAt.costPicoUsd] ?? 0))
  }
  return rankKeys(costs, (cost) => cost)
}
