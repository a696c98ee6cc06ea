// Floor 3. The largest agents, models, tools or kinds of a window.
import type { Window } from '../window.ts'
import { rankKeys, sumUpGroups } from './grouping.ts'
import { labelKeys } from './label-keys.ts'
import { type Measured, measureWindow, type Source, type StatsStore } from './source.ts'
import type { BreakdownRow } from './stats-shapes.ts'
import { counterOf, countOf, mergeTally, quantilesMs, showSums, type Tally } from './tally.ts'

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

/** The largest, and all others as one row, or null where there are none. */
export async function breakDown(
  store: StatsStore,
  query: BreakdownQuery,
): Promise<{ items: BreakdownRow[]; other: BreakdownRow | null }> {
  const { workspaceId, window, groupBy } = query
  const { largest, rest } = await measureWindow(
    store,
    workspaceId,
    window,
    async (source) => await split(source, query),
  )
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

const showRow = (key: string, label: string, tally: Tally): BreakdownRow => ({
  key,
  label,
  ...showSums(tally),
  distinct_inputs: countOf(tally, 'inputs'),
  unpriced_calls: counterOf(tally, 'unpricedCalls'),
})
