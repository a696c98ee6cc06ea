// Ranks the agents, models, tools or kinds of a window by a measure.
import type { CellKey } from '../../measure/cell.ts'
import type { Window } from '../window.ts'
import { countSets, isCountable, openBudget, splitUp } from './count-sets.ts'
import { keyOf, rankKeys, sumUpGroups } from './grouping.ts'
import { labelKeys } from './label-keys.ts'
import { type Measured, measureWindow, type Source, type StatsStore } from './source.ts'
import type { BreakdownRow } from './stats-shapes.ts'
import { counterOf, countOf, isEstimated, mergeTally, quantilesMs, showSums, type Tally } from './tally.ts'

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

const sizeOf: Record<BreakdownQuery['orderBy'], (tally: Tally) => number> = {
  cost_usd: (tally) => counterOf(tally, 'costPicoUsd'),
  events: (tally) => counterOf(tally, 'events'),
  errors: (tally) => counterOf(tally, 'errors'),
  p95_duration_ms: (tally) => quantilesMs(tally).p95,
}

type Split = { readonly largest: readonly (readonly [string, Tally])[]; readonly rest: Tally | null }

/** Returns the largest groups, and all others as one row, or null if there are none. */
export async function breakDown(
  store: StatsStore,
  query: BreakdownQuery,
): Promise<{ items: BreakdownRow[]; other: BreakdownRow | null }> {
  const { workspaceId, window, groupBy } = query
  const { largest, rest } = await measureWindow(store, workspaceId, window, async (source) => {
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
    items: largest.map(([key, tally]) => showRow(key, label(key), tally)),
    other: rest === null ? null : showRow('other', 'other', rest),
  }
}

async function split(source: Source, query: BreakdownQuery): Promise<Measured<Split>> {
  const { window, groupBy, agentId, orderBy, limit } = query
  const parts = { durations: true, traces: false, inputs: true }
  const { byKey, beyond, events } = await sumUpGroups(source, window, { groupBy, agentId }, parts)
  const largest: [string, Tally][] = []
  let rest = beyond
  for (const key of rankKeys(byKey, sizeOf[orderBy])) {
    const tally = byKey.get(key)
    if (tally === undefined) continue
    if (largest.length < limit) largest.push([key, tally])
    else mergeTally((rest ??= source.makeTally('cells')), tally)
  }
  return { answer: { largest, rest }, events }
}

async function recount(
  { db }: StatsStore,
  query: BreakdownQuery,
  { answer: { largest, rest }, events }: Measured<Split>,
): Promise<void> {
  const tallies = [...largest.map(([, tally]) => tally), ...(rest === null ? [] : [rest])]
  const places = new Map(largest.map(([key], place) => [key, place]))
  const isAsked = tallies.map((tally) => isEstimated(tally, 'inputs') && isCountable(countOf(tally, 'inputs')))
  if (!isAsked.includes(true)) return
  const placeOf = (cell: CellKey): number | null => {
    const key = keyOf(query, cell)
    const place = key === null ? null : (places.get(key) ?? largest.length)
    return place !== null && isAsked[place] === true ? place : null
  }
  const { workspaceId, window } = query
  const asked = { workspaceId, names: ['inputs'], reads: splitUp(window, events), bucketOf: () => 0, placeOf } as const
  const counts = await countSets(db, asked, openBudget())
  if (counts === null) return
  for (const [place, tally] of tallies.entries())
    if (isAsked[place] === true) tally.counted.inputs = counts('inputs', 0, place)
}

const showRow = (key: string, label: string, tally: Tally): BreakdownRow => ({
  key,
  label,
  ...showSums(tally),
  distinct_inputs: countOf(tally, 'inputs'),
})
