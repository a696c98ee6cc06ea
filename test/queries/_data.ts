// Random events for the tests of the stats, and the same sums computed by plain code.
import type { EventSeed } from '../_kit/events.ts'
import { hexId } from '../_kit/events.ts'
import type { Random } from '../_kit/random.ts'

export const models = ['gpt-4.1-mini', 'claude-sonnet-4', 'gemini-2.5-pro', null] as const
export const agents = ['planner', 'coder', 'critic'] as const

/**
 * Returns events over the given span of time, with every optional field sometimes missing; `ids` returns the ids of the event at an index.
 */
export function makeEvents(
  random: Random,
  count: number,
  fromMs: number,
  lengthMs: number,
  ids: (at: number) => { trace?: string; span?: string } = () => ({}),
): Required<EventSeed>[] {
  const maybe = <T>(value: T): T | null => (random.chance(0.2) ? null : value)
  return Array.from({ length: count }, (_, at) => {
    const kind = random.pick(['llm', 'llm', 'embedding', 'tool', 'tool', 'agent', 'chain'] as const)
    const isCall = kind === 'llm' || kind === 'embedding'
    const micros = String(random.int(1_000)).padStart(3, '0')
    return {
      start: new Date(fromMs + random.int(lengthMs)).toISOString().replace('Z', `${micros}Z`),
      trace: hexId(1 + random.int(count / 5), 32),
      span: hexId(at + 1, 16),
      parent: null,
      agent: random.pick(agents),
      session: maybe(`session ${random.int(9)}`),
      kind,
      counted: random.chance(0.8),
      status: random.chance(0.15) ? 'error' : 'ok',
      model: isCall ? random.pick(models) : null,
      tool: kind === 'tool' ? maybe(random.pick(['search', 'fetch', 'calculate', 'other'])) : null,
      inputHash: kind === 'tool' ? maybe(`sha256:${random.int(12)}`) : null,
      served: kind === 'tool' && random.chance(0.3),
      holdout: false,
      durationUs: maybe(random.int(5_000_000)),
      input: isCall ? maybe(random.int(10_000)) : null,
      output: isCall ? maybe(random.int(2_000)) : null,
      cached: isCall ? maybe(random.int(5_000)) : null,
      cacheWrite: isCall ? maybe(random.int(900)) : null,
      reasoning: isCall ? maybe(random.int(700)) : null,
      costUsd: isCall ? maybe(random.int(1_000_000) / 1e7) : null,
      savingsUsd: isCall ? maybe((random.int(1_000_000) - 200_000) / 1e7) : null,
      providedCostUsd: null,
      attested: false,
      attestedUnread: false,
      readOnly: null,
      toolVersion: null,
      scopeHash: null,
      contentHash: null,
      keyId: null,
      callId: null,
      consumed: [],
      read: [],
      decisionId: null,
      taskType: null,
      qualityScore: null,
      errorType: null,
      scope: null,
      scopeVersion: null,
      dialect: null,
      agentUnnamed: null,
      flags: [],
      ...ids(at),
    }
  })
}

type Seed = Required<EventSeed>

export const startMs = (seed: Seed): number => Math.floor(new Date(seed.start).getTime())

const total = (seeds: readonly Seed[], read: (seed: Seed) => number | null): number =>
  seeds.filter(({ counted }) => counted).reduce((sum, seed) => sum + (read(seed) ?? 0), 0)

const howMany = (seeds: readonly Seed[], holds: (seed: Seed) => boolean): number => seeds.filter(holds).length

/** percentile_cont: linear between the two nearest ranks. In milliseconds; 0 without events. */
export function percentileMs(seeds: readonly Seed[], share: number): number {
  const sorted = seeds.flatMap(({ durationUs }) => (durationUs === null ? [] : [durationUs])).sort((a, b) => a - b)
  const place = share * (sorted.length - 1)
  const below = sorted[Math.floor(place)]
  const above = sorted[Math.ceil(place)]
  return below === undefined || above === undefined
    ? 0
    : (below + (above - below) * (place - Math.floor(place))) / 1_000
}

/** The fields that a point of a time series and a row of a breakdown share. */
export const sumUp = (seeds: readonly Seed[]) => ({
  events: seeds.length,
  llm_calls: howMany(seeds, ({ kind, counted }) => counted && kind === 'llm'),
  tool_calls: howMany(seeds, ({ kind, counted }) => counted && kind === 'tool'),
  served_calls: howMany(seeds, ({ kind, counted, served }) => counted && kind === 'tool' && served),
  errors: howMany(seeds, ({ status }) => status === 'error'),
  input_tokens: total(seeds, ({ input }) => input),
  output_tokens: total(seeds, ({ output }) => output),
  cached_tokens: total(seeds, ({ cached }) => cached),
  cost_usd: total(seeds, ({ costUsd }) => costUsd),
  unpriced_calls: howMany(
    seeds,
    ({ kind, counted, costUsd, input, output }) =>
      counted && ['llm', 'embedding'].includes(kind) && costUsd === null && (input !== null || output !== null),
  ),
  p50_duration_ms: percentileMs(seeds, 0.5),
  p95_duration_ms: percentileMs(seeds, 0.95),
})

export const distinct = (values: readonly (string | null)[]): number =>
  new Set(values.filter((value) => value !== null)).size

/** The totals of a summary, without its window and models. */
export const summarizeSeeds = (seeds: readonly Seed[]) => {
  const { events, llm_calls, errors, input_tokens, output_tokens, cached_tokens, cost_usd, ...rest } = sumUp(seeds)
  return {
    total_events: events,
    llm_calls,
    traces: distinct(seeds.map(({ trace }) => trace)),
    sessions: distinct(seeds.map(({ session }) => session)),
    errors,
    input_tokens,
    output_tokens,
    cached_tokens,
    cache_write_tokens: total(seeds, ({ cacheWrite }) => cacheWrite),
    reasoning_tokens: total(seeds, ({ reasoning }) => reasoning),
    cost_usd,
    unpriced_calls: rest.unpriced_calls,
    estimated_cache_savings_usd: total(seeds, ({ savingsUsd }) => savingsUsd),
    p50_duration_ms: rest.p50_duration_ms,
    p95_duration_ms: rest.p95_duration_ms,
  }
}

/** Returns whether two answers are equal, with floating-point sums compared to 12 digits. */
export function isClose(a: unknown, b: unknown): boolean {
  if (typeof a === 'number' && typeof b === 'number')
    return Math.abs(a - b) <= 1e-12 * Math.max(1, Math.abs(a), Math.abs(b))
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return a === b
  const names = Object.keys(a)
  return (
    names.length === Object.keys(b).length &&
    names.every((name) => isClose((a as Record<string, unknown>)[name], (b as Record<string, unknown>)[name]))
  )
}
