// Sums a window by group, and ranks groups.
import type { CellKey } from '../../sketches/cell.ts'
import type { Aggregate } from './aggregate.ts'
import type { CellPass, Pass, StatsSource } from './source/source.ts'
import { type StatsScope, seriesKeyOf } from './stats-scope.ts'

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
