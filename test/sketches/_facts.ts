// Random facts, without any expectation of how they are counted.

import { kinds } from '../../src/event/event.ts'
import { type Fact, hashInput, makeFact } from '../../src/sketches/fact.ts'
import { hashText48 } from '../../src/sketches/hash.ts'
import type { Random } from '../_kit/random.ts'

const agents = [1, 2, 3].map((number) => `0000000${number}-0000-7000-8000-00000000000${number}`)
const models = ['gpt-4.1-mini', 'claude-sonnet-4', 'größtes Modell', null]
const tools = ['search', 'read_file', null]

export const startMs = Date.parse('2026-03-01T00:00:00Z')

/** Facts within `minutes` of the first of March, every optional field sometimes missing. */
export function makeFacts(random: Random, count: number, minutes = 1): Fact[] {
  return Array.from({ length: count }, () => {
    const tool = random.pick(tools)
    return {
      ...makeFact(),
      startUs: startMs * 1_000 + random.int(minutes * 60_000_000),
      durationUs: random.chance(0.1) ? Number.NaN : random.int(10 ** (1 + random.int(8))),
      agentId: random.pick(agents),
      kind: random.pick(kinds),
      model: random.pick(models),
      tool,
      counted: random.chance(0.8),
      error: random.chance(0.1),
      served: random.chance(0.1),
      unpriced: random.chance(0.1),
      inputTokens: random.int(100_000),
      outputTokens: random.int(10_000),
      cachedTokens: random.int(1_000),
      cacheWriteTokens: random.int(1_000),
      reasoningTokens: random.int(1_000),
      costUsd: random.chance(0.2) ? Number.NaN : random.int(1_000_000) / 1e7,
      cacheSavingsUsd: random.chance(0.5) ? Number.NaN : (random.int(1_000_000) - 300_000) / 1e7,
      traceHash: hashText48(`trace ${random.int(200)}`),
      sessionHash: random.chance(0.3) ? -1 : hashText48(`session ${random.int(50)}`),
      inputHash: random.chance(0.5) ? -1 : hashInput(tool, `input ${random.int(100)}`),
    }
  })
}
