// The numbers of a point of a time series in a flat array, small enough to be cached for each hour of a year.

import { counterOf, type Summed, showSums, type Traces } from './aggregate.ts'
import type { StatsPoint } from './stats-shapes.ts'

/** The numbers of points. Each point has `pointLength` numbers, from an offset on. */
export type PointNumbers = readonly number[]

const at = {
  events: 0,
  llmCalls: 1,
  toolCalls: 2,
  servedCalls: 3,
  errors: 4,
  inputTokens: 5,
  outputTokens: 6,
  cachedTokens: 7,
  costUsd: 8,
  p50DurationMs: 9,
  p95DurationMs: 10,
  traces: 11,
  cacheWriteTokens: 12,
  /** Not rounded: series are ordered by it. */
  costPicoUsd: 13,
  /** 1 if the number of traces is an estimate. */
  isEstimate: 14,
  unpricedCalls: 15,
} as const

export const pointLength = 16

/** Appends the numbers of a point. */
export function appendPoint(into: number[], summed: Summed, traces: Traces): void {
  const sums = showSums(summed)
  into.push(sums.events, sums.llm_calls, sums.tool_calls, sums.served_calls, sums.errors)
  into.push(sums.input_tokens, sums.output_tokens, sums.cached_tokens, sums.cost_usd)
  into.push(sums.p50_duration_ms, sums.p95_duration_ms, traces.count)
  into.push(counterOf(summed, 'cacheWriteTokens'), counterOf(summed, 'costPicoUsd'), traces.isEstimate ? 1 : 0)
  into.push(sums.unpriced_calls)
}

export const measureAt = (
  numbers: PointNumbers,
  place: number,
  measure: 'events' | 'toolCalls' | 'costPicoUsd',
): number => numbers[place + at[measure]] ?? 0

export const tracesAt = (numbers: PointNumbers, place: number): Traces => ({
  count: numbers[place + at.traces] ?? 0,
  isEstimate: numbers[place + at.isEstimate] === 1,
})

/** Builds a point from the numbers at the offset. Each is listed by name: copying them into the middle of another object takes longer. */
export const showPoint = (startMs: number, numbers: PointNumbers, place = 0): StatsPoint => ({
  time: new Date(startMs).toISOString(),
  events: numbers[place + at.events] ?? 0,
  llm_calls: numbers[place + at.llmCalls] ?? 0,
  tool_calls: numbers[place + at.toolCalls] ?? 0,
  served_calls: numbers[place + at.servedCalls] ?? 0,
  errors: numbers[place + at.errors] ?? 0,
  input_tokens: numbers[place + at.inputTokens] ?? 0,
  output_tokens: numbers[place + at.outputTokens] ?? 0,
  cached_tokens: numbers[place + at.cachedTokens] ?? 0,
  cost_usd: numbers[place + at.costUsd] ?? 0,
  unpriced_calls: numbers[place + at.unpricedCalls] ?? 0,
  p50_duration_ms: numbers[place + at.p50DurationMs] ?? 0,
  p95_duration_ms: numbers[place + at.p95DurationMs] ?? 0,
  traces: numbers[place + at.traces] ?? 0,
  cache_write_tokens: numbers[place + at.cacheWriteTokens] ?? 0,
})
