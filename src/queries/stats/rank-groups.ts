// Ranks the groups of a window by size.
import type { counterAt } from '../../sketches/counters.ts'
import type { Window } from '../window.ts'
import { counterOf } from './aggregate.ts'
import { maxGroups, rankKeys, sumUpGroups } from './grouping.ts'
import { digestSizes, noSketches, type RowSizes } from './source/row-sizes.ts'
import type { StatsSource } from './source/source.ts'
import type { StatsScope } from './stats-scope.ts'

/** Returns the keys by descending size. Keys beyond `maxGroups` are omitted. */
export async function rankGroups(
  source: StatsSource,
  window: Window,
  scope: StatsScope,
  measure: keyof typeof counterAt,
): Promise<string[]> {
  const sizes = new Map<string, number>()
  const add = (key: string, size: number): void => {
    const known = sizes.get(key)
    if (known !== undefined || sizes.size < maxGroups) sizes.set(key, (known ?? 0) + size)
  }
  const each = {
    digest: digestSizes(scope, measure),
    take: (_startMs: number, row: RowSizes) => row.sizes.forEach(([key, size]) => add(key, size)),
  }
  // The groups contain what no row covers.
  const { byKey } = await sumUpGroups(source, window, scope, noSketches, each)
  for (const [key, aggregate] of byKey) add(key, counterOf(aggregate, measure))
  return rankKeys(sizes, (size) => size)
}
