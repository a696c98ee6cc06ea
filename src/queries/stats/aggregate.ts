// The aggregate of some events: with sketches, or exact if the events are few.

import { modelOf, type Total, totalPrecision } from '../../sketches/bucket.ts'
import { type CellSums, cellPrecision, mergeSums } from '../../sketches/cell.ts'
import { addFactCounters, counterAt, isModelCall, makeCounters, picosPerUsd } from '../../sketches/counters.ts'
import { clearDistinct, type Distinct, makeLooseDistinct, mergeDistinct } from '../../sketches/distinct.ts'
import { countDistinct } from '../../sketches/distinct-estimate.ts'
import { clearDurations, makeDurations, quantilesUs } from '../../sketches/durations.ts'
import type { Fact } from '../../sketches/fact.ts'
import type { SetName } from '../../sketches/sets.ts'
import type { Sums } from './stats-shapes.ts'
import { roundUsd } from './usd.ts'

/** The counters are always exact. `counted`: counts that were made exactly afterwards, which replace the estimates of the sketches. */
export type Aggregate = CellSums & {
  readonly sessions: Distinct
  readonly exact: Exact | null
  readonly counted: Partial<Record<SetName, number>>
}

/** The source of sums to show: a tally, or what is known of one row. */
export type Summed = Pick<Aggregate, 'counters' | 'durations'> & Partial<Pick<Aggregate, 'exact'>>

/** Adds the counters of each model, which only a summary shows. */
export type WholeAggregate = Aggregate & Pick<Total, 'models'>

type Exact = {
  readonly durationsUs: number[]
  readonly traces: Set<number>
  readonly inputs: Set<number>
  readonly sessions: Set<number>
}

/** What a tally sums: totals, cells, or single facts. */
export type AggregateForm = 'totals' | 'cells' | 'facts'

export function makeAggregate(form: AggregateForm): Aggregate {
  const precision = form === 'totals' ? totalPrecision : cellPrecision
  return {
    counters: makeCounters(),
    durations: makeDurations(),
    traces: makeLooseDistinct(precision),
    inputs: makeLooseDistinct(precision),
    sessions: makeLooseDistinct(precision),
    counted: {},
    exact: form === 'facts' ? { durationsUs: [], traces: new Set(), inputs: new Set(), sessions: new Set() } : null,
  }
}

/** Empties a tally and returns it. */
export function clearAggregate(aggregate: Aggregate): Aggregate {
  aggregate.counters.fill(0)
  clearDurations(aggregate.durations)
  for (const name of ['traces', 'inputs', 'sessions'] as const) {
    clearDistinct(aggregate[name])
    aggregate.exact?.[name].clear()
  }
  aggregate.exact?.durationsUs.splice(0)
  return aggregate
}

/** The tally must be of the form `facts`. */
export function addFactToTally(into: Aggregate, fact: Fact): void {
  if (into.exact === null) throw new Error('cannot add a fact to a tally of sketches')
  addFactCounters(into.counters, fact, 1)
  if (!Number.isNaN(fact.durationUs)) into.exact.durationsUs.push(fact.durationUs)
  into.exact.traces.add(fact.traceHash)
  if (fact.inputHash >= 0) into.exact.inputs.add(fact.inputHash)
  if (fact.sessionHash >= 0) into.exact.sessions.add(fact.sessionHash)
}

export function addFactToWhole(into: WholeAggregate, fact: Fact): void {
  addFactToTally(into, fact)
  if (fact.counted && isModelCall(fact)) addFactCounters(modelOf(into, fact.model), fact, 1)
}

/** Both tallies must have the same form. */
export function mergeAggregate(into: Aggregate, from: Aggregate): void {
  mergeSums(into, from)
  mergeDistinct(into.sessions, from.sessions)
  if (into.exact === null || from.exact === null) return
  for (const durationUs of from.exact.durationsUs) into.exact.durationsUs.push(durationUs)
  for (const name of ['traces', 'inputs', 'sessions'] as const) {
    for (const hash of from.exact[name]) into.exact[name].add(hash)
  }
}

export const countOf = (aggregate: Aggregate, name: SetName): number =>
  aggregate.counted[name] ?? (aggregate.exact === null ? countDistinct(aggregate[name]) : aggregate.exact[name].size)

/** Whether `countOf` returns only an estimate. */
export const isEstimated = (aggregate: Aggregate, name: SetName): boolean =>
  aggregate.counted[name] === undefined && aggregate.exact === null && aggregate[name].registers !== null

/** The number of traces of a point. An estimate may be replaced by an exact count later. */
export type Traces = { readonly count: number; readonly isEstimate: boolean }

export const tracesOf = (aggregate: Aggregate): Traces => ({
  count: countOf(aggregate, 'traces'),
  isEstimate: isEstimated(aggregate, 'traces'),
})

export const counterOf = (aggregate: Summed, name: keyof typeof counterAt): number =>
  aggregate.counters[counterAt[name]] ?? 0

export const usdOf = (aggregate: Summed, name: 'costPicoUsd' | 'savingsPicoUsd'): number =>
  roundUsd(counterOf(aggregate, name) / picosPerUsd)

/** Returns the median and the 95th percentile, interpolated as by PostgreSQL's percentile_cont; 0 if there is no duration. */
export const quantilesMs = ({ exact = null, durations }: Summed): { p50: number; p95: number } => {
  const sorted = exact === null ? null : Float64Array.from(exact.durationsUs).sort()
  const [p50 = 0, p95 = 0] =
    sorted === null ? quantilesUs(durations, shown) : shown.map((share) => quantileOf(sorted, share))
  return { p50: p50 / 1_000, p95: p95 / 1_000 }
}

const shown = [0.5, 0.95]

function quantileOf(sorted: Float64Array, share: number): number {
  const rank = share * (sorted.length - 1)
  const below = sorted[Math.floor(rank)]
  const above = sorted[Math.ceil(rank)]
  return below === undefined || above === undefined ? 0 : below + (above - below) * (rank - Math.floor(rank))
}

/** Returns the sums that points of a time series and rows of a breakdown have in common. */
export function showSums(aggregate: Summed): Sums {
  const { p50, p95 } = quantilesMs(aggregate)
  return {
    events: counterOf(aggregate, 'events'),
    llm_calls: counterOf(aggregate, 'llmCalls'),
    tool_calls: counterOf(aggregate, 'toolCalls'),
    served_calls: counterOf(aggregate, 'servedCalls'),
    errors: counterOf(aggregate, 'errors'),
    input_tokens: counterOf(aggregate, 'inputTokens'),
    output_tokens: counterOf(aggregate, 'outputTokens'),
    cached_tokens: counterOf(aggregate, 'cachedTokens'),
    cost_usd: usdOf(aggregate, 'costPicoUsd'),
    unpriced_calls: counterOf(aggregate, 'unpricedCalls'),
    p50_duration_ms: p50,
    p95_duration_ms: p95,
  }
}
