// The grouping and filters of stats.
import { hash } from 'node:crypto'
import type { CellKey } from '../../sketches/cell.ts'
import { isModelCall } from '../../sketches/counters.ts'
import type { Aggregate } from './aggregate.ts'
import type { CellPass, Pass, StatsSource } from './source.ts'

export type Grouping = 'none' | 'agent' | 'model' | 'tool' | 'kind'

/** The key of all groups that are not shown separately. */
export const rest = 'other'

/** Filters that are undefined do not apply. */
export type StatsScope = {
  readonly groupBy: Grouping
  readonly agentId: string | undefined
  readonly kind?: string | undefined
  readonly model?: string | undefined
}

/** Returns the key that a cell counts under; null if it is out of scope. By model only model calls count, by tool only tool calls. */
export function seriesKeyOf(scope: StatsScope, cell: CellKey): string | null {
  if (scope.agentId !== undefined && cell.agentId !== scope.agentId) return null
  if (scope.kind !== undefined && cell.kind !== scope.kind) return null
  if (scope.model !== undefined && cell.model !== scope.model) return null
  switch (scope.groupBy) {
    case 'agent':
      return cell.agentId
    case 'model':
      return isModelCall(cell) ? (cell.model ?? 'unknown') : null
    case 'tool':
      return cell.kind === 'tool' ? (cell.tool ?? 'unknown') : null
    case 'kind':
      return cell.kind
    case 'none':
      return 'all'
  }
}

/** Returns a name of the scope. Different scopes have different names. */
export const nameOfScope = ({ groupBy, agentId, kind, model }: StatsScope): string =>
  hash('sha256', JSON.stringify([groupBy, agentId ?? null, kind ?? null, model ?? null]), 'base64')

// Far more than a user looks at. Only names that never recur reach this limit, and they end up in the rest whatever their order.
export const maxGroups = 20_000

export type Groups = {
  readonly byKey: ReadonlyMap<string, Aggregate>
  /** The sum of the keys beyond the limit; null if there are none. */
  readonly beyond: Aggregate | null
  readonly events: number
}

/** Sums a window by key. Rows that `each` takes are not included. */
export async function sumUpGroups(
  source: StatsSource,
  window: Pass['window'],
  scope: StatsScope,
  parts: CellPass['parts'],
  each?: CellPass['each'],
): Promise<Groups> {
  const byKey = new Map<string, Aggregate>()
  let beyond: Aggregate | null = null
  const cellTallyOf = (_startMs: number, cell: CellKey): Aggregate | null => {
    const key = seriesKeyOf(scope, cell)
    if (key === null) return null
    const known = byKey.get(key)
    if (known !== undefined) return known
    if (byKey.size >= maxGroups) return (beyond ??= source.makeAggregate('cells'))
    const aggregate = source.makeAggregate('cells')
    byKey.set(key, aggregate)
    return aggregate
  }
  const into = { parts, cellTallyOf, sessionsFor: () => null, ...(each === undefined ? {} : { each }) }
  const events = await source.read({ window, cutsMs: [], into })
  return { byKey, beyond, events }
}

/** Returns the keys by descending size, then by name. */
export function rankKeys<T>(byKey: ReadonlyMap<string, T>, sizeOf: (sum: T) => number): string[] {
  const sized = [...byKey].map(([key, sum]) => ({ key, size: sizeOf(sum) }))
  sized.sort((a, b) => b.size - a.size || (a.key < b.key ? -1 : 1))
  return sized.map(({ key }) => key)
}
