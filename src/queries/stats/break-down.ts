// Ranks the agents, models, tools or kinds of a window by a measure.
import { openPauses } from '../../base/in-slices.ts'
import type { CellKey } from '../../sketches/cell.ts'
import type { Window } from '../window.ts'
import { type Aggregate, counterOf, countOf, isEstimated, mergeAggregate, quantilesMs, showSums } from './aggregate.ts'
import { countSets, windowTiers as heldTiers, isCountable, openBudget, splitUp } from './count-sets.ts'
import { rankKeys, sumUpHeldGroups } from './grouping.ts'
import { labelKeys } from './label-keys.ts'
import { type MeasuredAnswer, readWindow } from './source/read-window.ts'
import type { StatsSource, StatsStore } from './source/source.ts'
import { nameOfScope, seriesKeyOf } from './stats-scope.ts'
import type { BreakdownRow } from './stats-shapes.ts'

export const breakdownGroupings = ['agent', 'model', 'tool', 'kind'] as const
export const breakdownOrders = ['cost_usd', 'events', 'errors', 'p95_duration_ms'] as const

export type BreakdownQuery = {
  readonly workspaceId: string
  readonly window: Window
  readonly groupBy: (typeof breakdownGroupings)[number]
  readonly orderBy: (typeof breakdownOrders)[number]
  readonly agentId: string | undefined
  readonly limit: number
}

const sizeOf: Record<BreakdownQuery['orderBy'], (aggregate: Aggregate) => number> = {
  cost_usd: (aggregate) => counterOf(aggregate, 'costPicoUsd'),
  events: (aggregate) => counterOf(aggregate, 'events'),
  errors: (aggregate) => counterOf(aggregate, 'errors'),
  p95_duration_ms: (aggregate) => quantilesMs(aggregate).p95,
}

type Split = { readonly largest: readonly (readonly [string, Aggregate])[]; readonly rest: Aggregate | null }

/** Returns the largest groups, and all others as one row, or null if there are none. */
export async function breakDown(
  store: StatsStore,
  query: BreakdownQuery,
): Promise<{ items: BreakdownRow[]; other: BreakdownRow | null }> {
  const { workspaceId, window, groupBy } = query
  const { largest, rest } = await readWindow(store, workspaceId, window, async (source) => {
    const measured = await split(source, query)
    return { ...measured, recount: async () => await recount(store, query, measured) }
  })
  const label = await labelKeys(
    store.db,
    workspaceId,
    groupBy,
    largest.map(([key]) => key),
  )
  return {
    items: largest.map(([key, aggregate]) => showRow(key, label(key), aggregate)),
    other: rest === null ? null : showRow('other', 'other', rest),
  }
}

async function split(source: StatsSource, query: BreakdownQuery): Promise<MeasuredAnswer<Split>> {
  const { window, groupBy, agentId, orderBy, limit } = query
  const parts = { durations: true, traces: false, inputs: true }
  const { byKey, beyond, events } = await sumUpHeldGroups(source, window, { groupBy, agentId }, parts)
  const largest: [string, Aggregate][] = []
  let rest = beyond
  const pause = openPauses()
  for (const key of rankKeys(byKey, sizeOf[orderBy])) {
    const aggregate = byKey.get(key)
    if (aggregate === undefined) continue
    // The counts that are made exactly afterwards are those of this answer.
    if (largest.length < limit) largest.push([key, { ...aggregate, counted: {} }])
    else mergeAggregate((rest ??= source.makeAggregate('cells')), aggregate)
    await pause()
  }
  return { answer: { largest, rest }, events }
}

async function recount(
  store: StatsStore,
  query: BreakdownQuery,
  { answer: { largest, rest }, events }: MeasuredAnswer<Split>,
): Promise<void> {
  // In the order of the keys, so that counts stay held when rows change their ranks.
  const named = largest.toSorted(([a], [b]) => (a < b ? -1 : 1))
  const aggregates = [...named.map(([, aggregate]) => aggregate), ...(rest === null ? [] : [rest])]
  const places = new Map(named.map(([key], place) => [key, place]))
  const isAsked = aggregates.map(
    (aggregate) => isEstimated(aggregate, 'inputs') && isCountable(countOf(aggregate, 'inputs')),
  )
  if (!isAsked.includes(true)) return
  const placeOf = (cell: CellKey): number | null => {
    const key = seriesKeyOf(query, cell)
    const place = key === null ? null : (places.get(key) ?? largest.length)
    return place !== null && isAsked[place] === true ? place : null
  }
  const { workspaceId, window } = query
  const reads = splitUp(window, events)
  const placing = nameOfScope(query, [...places.keys()], isAsked)
  const asked = { workspaceId, names: ['inputs'], reads, bucketOf: () => 0, placeOf, placing, heldTiers } as const
  const counts = await countSets(store, asked, openBudget())
  if (counts === null) return
  for (const [place, aggregate] of aggregates.entries())
    if (isAsked[place] === true) aggregate.counted.inputs = counts('inputs', 0, place)
}

const showRow = (key: string, label: string, aggregate: Aggregate): BreakdownRow => ({
  key,
  label,
  ...showSums(aggregate),
  distinct_inputs: countOf(aggregate, 'inputs'),
})
