// Sums a window by group, and ranks groups.
import { openPauses } from '../../base/in-slices.ts'
import { ceilTo, floorTo, tiers } from '../../rollups/tiers.ts'
import type { CellKey } from '../../sketches/cell.ts'
import { bytesOfCellSums } from '../../sketches/total-bytes.ts'
import { type Aggregate, mergeAggregate } from './aggregate.ts'
import { findBucket } from './aggregate-grid.ts'
import { windowTiers } from './count-sets.ts'
import type { CellPass, Pass, StatsSource } from './source/source.ts'
import { nameOfScope, type StatsScope, seriesKeyOf } from './stats-scope.ts'

// Far more than a user looks at. Only names that never recur reach this limit, and they end up in the rest whatever their order.
export const maxGroups = 20_000

type Sums = {
  readonly byKey: Map<string, Aggregate>
  /** The sum of the keys beyond the limit; null if there are none. */
  beyond: Aggregate | null
}

export type Groups = Readonly<Sums> & { readonly events: number }

const makeSums = (): Sums => ({ byKey: new Map(), beyond: null })

/** Returns the aggregate of a key. Creates it if missing. */
function aggregateOf(sums: Sums, source: StatsSource, key: string): Aggregate {
  const known = sums.byKey.get(key)
  if (known !== undefined) return known
  if (sums.byKey.size >= maxGroups) return (sums.beyond ??= source.makeAggregate('cells'))
  const aggregate = source.makeAggregate('cells')
  sums.byKey.set(key, aggregate)
  return aggregate
}

/** Sums a window by key. Rows that `each` takes are not included. */
export async function sumUpGroups(
  source: StatsSource,
  window: Pass['window'],
  scope: StatsScope,
  parts: CellPass['parts'],
  each?: CellPass['each'],
): Promise<Groups> {
  const sums = makeSums()
  const cellTallyOf = (_startMs: number, cell: CellKey): Aggregate | null => {
    const key = seriesKeyOf(scope, cell)
    return key === null ? null : aggregateOf(sums, source, key)
  }
  const into = { parts, cellTallyOf, sessionsFor: () => null, ...(each === undefined ? {} : { each }) }
  const events = await source.read({ window, cutsMs: [], into })
  return { ...sums, events }
}

/** Like `sumUpGroups`, but holds the sums of the whole days of the window. Other reads share the aggregates, which must not be changed. */
export async function sumUpHeldGroups(
  source: StatsSource,
  window: Pass['window'],
  scope: StatsScope,
  parts: CellPass['parts'],
): Promise<Groups> {
  const firstMs = ceilTo(window.from.getTime(), tiers.day)
  const endMs = floorTo(window.to.getTime(), tiers.day)
  if (firstMs >= endMs) return await sumUpGroups(source, window, scope, parts)
  const cutsMs = [firstMs, endMs]
  const startsMs = [Math.min(window.from.getTime(), firstMs - 1), ...cutsMs]
  const buckets = startsMs.map(makeSums)
  const cellTallyOf = (startMs: number, cell: CellKey): Aggregate | null => {
    const key = seriesKeyOf(scope, cell)
    const sums = buckets[findBucket(startsMs, startMs)]
    return key === null || sums === undefined ? null : aggregateOf(sums, source, key)
  }
  const held = {
    name: `groups ${nameOfScope(scope, parts)}`,
    startsMs,
    tiers: windowTiers,
    take: (bucket: number, made: unknown) => void (buckets[bucket] = made as Sums),
    make(bucket: number) {
      const made = buckets[bucket] ?? makeSums()
      return { made, bytes: bytesOf(made) }
    },
    clear: (bucket: number) => void (buckets[bucket] = makeSums()),
  }
  const into = { parts, cellTallyOf, sessionsFor: () => null, held }
  const events = await source.read({ window, cutsMs, into })
  const [before, days, after] = buckets
  // A key beyond the limit of one end may be within that of the other, and would be listed with only a part of its sums.
  if (before?.beyond != null || after?.beyond != null) return await sumUpGroups(source, window, scope, parts)
  // The days come first, so that a key beyond their limit is in the rest with all of its sums.
  const all = await joinSums(
    [days, before, after].filter((sums) => sums !== undefined),
    source,
  )
  return { ...all, events }
}

/** Joins sums that may be held, and so must not be changed: a key that only one of them has keeps its aggregate. */
async function joinSums(parts: readonly Readonly<Sums>[], source: StatsSource): Promise<Sums> {
  const all = makeSums()
  const copies = new Set<Aggregate>()
  const copy = (key: string, known: Aggregate): void => {
    const own = source.makeAggregate('cells')
    mergeAggregate(own, known)
    copies.add(own)
    all.byKey.set(key, own)
  }
  const pause = openPauses()
  for (const { byKey, beyond } of parts) {
    for (const [key, aggregate] of byKey) {
      const known = all.byKey.get(key)
      if (known === undefined && all.byKey.size < maxGroups) all.byKey.set(key, aggregate)
      else {
        if (known !== undefined && !copies.has(known)) copy(key, known)
        mergeAggregate(aggregateOf(all, source, key), aggregate)
      }
      await pause()
    }
    if (beyond !== null) mergeAggregate((all.beyond ??= source.makeAggregate('cells')), beyond)
  }
  return all
}

const keyBytes = 100

const bytesOf = ({ byKey, beyond }: Sums): number =>
  [...byKey].reduce(
    (bytes, [key, aggregate]) => bytes + keyBytes + 2 * key.length + bytesOfCellSums(aggregate),
    beyond === null ? 0 : bytesOfCellSums(beyond),
  )

/** Returns the keys by descending size, then by name. */
export function rankKeys<T>(byKey: ReadonlyMap<string, T>, sizeOf: (sum: T) => number): string[] {
  const sized = [...byKey].map(([key, sum]) => ({ key, size: sizeOf(sum) }))
  sized.sort((a, b) => b.size - a.size || (a.key < b.key ? -1 : 1))
  return sized.map(({ key }) => key)
}
