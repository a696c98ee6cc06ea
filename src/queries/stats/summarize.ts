// Computes the totals of a window, and those of each model.
import type { z } from 'zod'
import type { CellKey } from '../../sketches/cell.ts'
import {
  type Counters,
  counterAt,
  isModelCall,
  makeCounters,
  mergeCounters,
  picosPerUsd,
} from '../../sketches/counters.ts'
import type { Window } from '../window.ts'
import {
  type Aggregate,
  counterOf,
  countOf,
  isEstimated,
  mergeAggregate,
  quantilesMs,
  usdOf,
  type WholeAggregate,
} from './aggregate.ts'
import { countSets, windowTiers as heldTiers, isCountable, openBudget, splitUp } from './count-sets.ts'
import { type MeasuredAnswer, readWindow } from './source/read-window.ts'
import type { StatsSource, StatsStore } from './source/source.ts'
import type { summaryOut } from './stats-shapes.ts'
import { roundUsd } from './usd.ts'

type Summary = z.input<typeof summaryOut>

const maxModels = 1_000

/** Returns the totals and models of a window, read in one snapshot; only those of one agent if `agentId` is given. */
export async function summarize(
  store: StatsStore,
  workspaceId: string,
  window: Window,
  agentId: string | undefined,
): Promise<Summary> {
  const whole = await readWindow(store, workspaceId, window, async (source) => {
    const measured = agentId === undefined ? await sumUpAll(source, window) : await sumUpAgent(source, window, agentId)
    return { ...measured, recount: async () => await recount(store, workspaceId, window, agentId, measured) }
  })
  const { p50, p95 } = quantilesMs(whole)
  return {
    from_time: window.from.toISOString(),
    to_time: window.to.toISOString(),
    total_events: counterOf(whole, 'events'),
    llm_calls: counterOf(whole, 'llmCalls'),
    traces: countOf(whole, 'traces'),
    sessions: countOf(whole, 'sessions'),
    errors: counterOf(whole, 'errors'),
    input_tokens: counterOf(whole, 'inputTokens'),
    output_tokens: counterOf(whole, 'outputTokens'),
    cached_tokens: counterOf(whole, 'cachedTokens'),
    cache_write_tokens: counterOf(whole, 'cacheWriteTokens'),
    reasoning_tokens: counterOf(whole, 'reasoningTokens'),
    cost_usd: usdOf(whole, 'costPicoUsd'),
    unpriced_calls: counterOf(whole, 'unpricedCalls'),
    estimated_cache_savings_usd: usdOf(whole, 'savingsPicoUsd'),
    p50_duration_ms: p50,
    p95_duration_ms: p95,
    models: showModels(whole.models),
  }
}

async function sumUpAll(source: StatsSource, window: Window): Promise<MeasuredAnswer<WholeAggregate>> {
  const whole = { ...source.makeAggregate('totals'), models: new Map<string | null, Counters>() }
  const events = await source.read({ window, cutsMs: [], into: { whole } })
  return { answer: whole, events }
}

async function sumUpAgent(
  source: StatsSource,
  window: Window,
  agentId: string,
): Promise<MeasuredAnswer<WholeAggregate>> {
  const whole = { ...source.makeAggregate('cells'), models: new Map<string | null, Counters>() }
  const byModel = new Map<string | null, Aggregate>()
  const events = await source.read({
    window,
    cutsMs: [],
    into: {
      parts: { durations: true, traces: true, inputs: false },
      sessionsFor: (id) => (id === agentId ? whole.sessions : null),
      cellTallyOf: (_startMs, cell) => {
        if (cell.agentId !== agentId) return null
        if (!isModelCall(cell)) return whole
        const aggregate = byModel.get(cell.model) ?? source.makeAggregate('cells')
        byModel.set(cell.model, aggregate)
        return aggregate
      },
    },
  })
  for (const [model, aggregate] of byModel) {
    mergeAggregate(whole, aggregate)
    whole.models.set(model, aggregate.counters)
  }
  return { answer: whole, events }
}

async function recount(
  store: StatsStore,
  workspaceId: string,
  window: Window,
  agentId: string | undefined,
  { answer: whole, events }: MeasuredAnswer<WholeAggregate>,
): Promise<void> {
  const placeOf = agentId === undefined ? null : (cell: CellKey) => (cell.agentId === agentId ? 0 : null)
  const names = (['traces', 'sessions'] as const).filter(
    (name) => isEstimated(whole, name) && isCountable(countOf(whole, name)),
  )
  if (names.length === 0) return
  const reads = splitUp(window, events)
  const placing = agentId ?? 'all'
  const asked = { workspaceId, names, reads, bucketOf: () => 0, placeOf, placing, heldTiers } as const
  const counts = await countSets(store, asked, openBudget())
  if (counts !== null) for (const name of names) whole.counted[name] = counts(name, 0, 0)
}

/** Lists the models with counted calls, most expensive first. */
function showModels(models: WholeAggregate['models']): Summary['models'] {
  const byName = new Map<string, Counters>()
  for (const [model, counters] of models) {
    const name = model ?? 'unknown'
    const sum = byName.get(name) ?? makeCounters()
    mergeCounters(sum, counters)
    byName.set(name, sum)
  }
  const shown = [...byName].filter(([, counters]) => (counters[counterAt.counted] ?? 0) > 0)
  const costOf = (counters: Counters): number => counters[counterAt.costPicoUsd] ?? 0
  shown.sort(([a, ofA], [b, ofB]) => costOf(ofB) - costOf(ofA) || (a < b ? -1 : 1))
  return shown.slice(0, maxModels).map(([model, counters]) => ({
    model,
    llm_calls: counters[counterAt.llmCalls] ?? 0,
    input_tokens: counters[counterAt.inputTokens] ?? 0,
    output_tokens: counters[counterAt.outputTokens] ?? 0,
    cached_tokens: counters[counterAt.cachedTokens] ?? 0,
    cost_usd: roundUsd(costOf(counters) / picosPerUsd),
  }))
}
