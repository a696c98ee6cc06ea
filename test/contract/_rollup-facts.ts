// Events whose rollup is stored byte by byte in rollup-format.json. They must never change.
import { type Fact, hashInput, makeFact } from '../../src/sketches/fact.ts'
import { hashText48 } from '../../src/sketches/hash.ts'

export const startMs = Date.parse('2026-03-01T00:00:00Z')

const agents = ['00000001-0000-7000-8000-000000000001', '00000002-0000-7000-8000-000000000002']

/** Calls of models and tools of two agents; each optional field occurs with and without a value. */
export const facts: readonly Fact[] = Array.from({ length: 24 }, (_, at) => ({
  ...makeFact(),
  startUs: (startMs + at * 1_000) * 1_000,
  durationUs: at % 7 === 0 ? Number.NaN : (at + 1) * 12_345,
  agentId: agents[at % 2] ?? '',
  kind: at % 3 === 0 ? 'tool' : 'llm',
  model: at % 3 === 0 ? null : `model-${at % 4}`,
  tool: at % 3 === 0 ? `werkzeug-ü-${at % 2}` : null,
  counted: at % 5 !== 0,
  error: at % 6 === 1,
  served: at % 9 === 3,
  unpriced: at % 8 === 2,
  inputTokens: at * 1_000,
  outputTokens: at * 100,
  cachedTokens: at * 10,
  cacheWriteTokens: at,
  reasoningTokens: at * 3,
  costUsd: at % 4 === 1 ? Number.NaN : at / 1_000,
  cacheSavingsUsd: at % 4 === 2 ? -at / 10_000 : Number.NaN,
  traceHash: hashText48(`trace ${at % 10}`),
  sessionHash: at % 3 === 2 ? -1 : hashText48(`session ${at % 4}`),
  inputHash: at % 3 === 0 ? hashInput(`werkzeug-ü-${at % 2}`, `input ${at % 6}`) : -1,
}))
