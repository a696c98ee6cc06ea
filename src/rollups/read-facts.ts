// Reads stored events as facts.

import type { Kind } from '../event/event.ts'
import { parseToolNames } from '../event/tool-lines.ts'
import { becomeInferredTool, type Fact, hashInput } from '../sketches/fact.ts'
import { hash48, hashText48 } from '../sketches/hash.ts'
import type { Runner } from '../store/database.ts'

/** The columns of rollups/read-facts. */
export type FactRow = {
  start_us: number
  trace_id: Buffer
  session_id: string | null
  agent_id: string
  kind: Kind
  model: string | null
  tool_name: string | null
  input_hash: string | null
  counted: boolean
  error: boolean
  unpriced: boolean
  served: boolean
  holdout: boolean
  duration_us: number | null
  input_tokens: number | null
  output_tokens: number | null
  cached_tokens: number | null
  cache_write_tokens: number | null
  reasoning_tokens: number | null
  cost_usd: number | null
  cache_savings_usd: number | null
  /** In the format of `writeToolNames`. */
  inferred_tools: string | null
}

/**
 * Returns all events of a window in memory at once: at most `maxFacts`, or, for null, of a window that is known to be short. The bounds are
 * dates or texts that PostgreSQL parses. About 3 µs each.
 */
export async function readFacts(
  on: Runner,
  workspaceId: string,
  window: { readonly from: Date | string; readonly to: Date | string },
  maxFacts: number | null,
): Promise<FactRow[]> {
  return await on.rows<FactRow>('rollups/read-facts', [workspaceId, window.from, window.to, maxFacts])
}

/** Fills the record with an event and passes it to `take`, then with each tool call that is inferred from the event. */
export function eachFactOf(fact: Fact, row: FactRow, take: (fact: Fact) => void): void {
  take(fillFact(fact, row))
  for (const tool of parseToolNames(row.inferred_tools)) take(becomeInferredTool(fact, tool))
}

function fillFact(fact: Fact, row: FactRow): Fact {
  fact.startUs = row.start_us
  fact.durationUs = row.duration_us ?? Number.NaN
  fact.agentId = row.agent_id
  fact.kind = row.kind
  fact.model = row.model
  fact.tool = row.tool_name
  fact.counted = row.counted
  fact.error = row.error
  fact.served = row.served
  fact.holdout = row.holdout
  fact.inferred = false
  fact.unpriced = row.unpriced
  fact.inputTokens = row.input_tokens ?? 0
  fact.outputTokens = row.output_tokens ?? 0
  fact.cachedTokens = row.cached_tokens ?? 0
  fact.cacheWriteTokens = row.cache_write_tokens ?? 0
  fact.reasoningTokens = row.reasoning_tokens ?? 0
  fact.costUsd = row.cost_usd ?? Number.NaN
  fact.cacheSavingsUsd = row.cache_savings_usd ?? Number.NaN
  fact.traceHash = hash48(row.trace_id)
  fact.sessionHash = row.session_id === null ? -1 : hashText48(row.session_id)
  fact.inputHash = row.input_hash === null ? -1 : hashInput(row.tool_name, row.input_hash)
  return fact
}
