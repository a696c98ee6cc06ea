// Floor 3. The events of some short spans of time as counting sees them, all in one query.
import { type Fact, hashInput, makeFact } from '../measure/fact.ts'
import { hash32, hashText } from '../measure/hash.ts'
import type { Kind } from '../otlp/event.ts'
import { type CopiedRow, type Copy, readBoolean, readDouble, readText, readTimeUs, told } from './copy-out.ts'
import { quoteTime, quoteUuid } from './quote.ts'
import type { Span } from './spans.ts'

/**
 * Gives each event of some short spans, at most `maxFacts` of each span, with the place of the span in the list; in no order. It is one record, filled again each time. What
 * only cells tell apart, agents and tools and their inputs, comes if it is asked for. About 2 µs each. One branch a span, with bounds of its own, which tell the planner the chunks that it may leave out. Index: events_pkey.
 */
export function copyFacts(
  workspaceId: string,
  spans: readonly Span[],
  { maxFacts, cells }: { readonly maxFacts: number | null; readonly cells: boolean },
  take: (place: number, fact: Fact) => void,
): Copy {
  const fact = makeFact()
  const named = cells
    ? 'agent_id::text, kind, model, tool_name, input_hash'
    : "''::text, kind, model, null::text, null::text"
  const branches = spans.map(
    ({ fromMs, toMs }, place) => `(select ${place}::float8, start_time, trace_id, session_id, ${named},
  counted, status = 'error', served, holdout, duration_us::float8, input_tokens::float8, output_tokens::float8,
  cached_tokens::float8, cache_write_tokens::float8, reasoning_tokens::float8, cost_usd, cache_savings_usd
from events
where workspace_id = ${quoteUuid(workspaceId)} and start_time >= ${quoteTime(fromMs)} and start_time < ${quoteTime(toMs)}
limit ${maxFacts})`,
  )
  return {
    query: branches.join('\nunion all\n'),
    take(row) {
      const place = told(readDouble(row))
      readFact(fact, row)
      take(place, fact)
    },
  }
}

// The fields are read in the order of the columns, straight into the record: each would be some hundred bytes more to collect.
function readFact(fact: Fact, row: CopiedRow): void {
  fact.startUs = readTimeUs(row)
  fact.traceHash = hashBytes(row)
  const session = readText(row)
  fact.sessionHash = session === null ? -1 : hashText(session)
  fact.agentId = told(readText(row))
  fact.kind = told(readText(row)) as Kind
  fact.model = readText(row)
  fact.tool = readText(row)
  const inputHash = readText(row)
  fact.inputHash = inputHash === null ? -1 : hashInput(fact.tool, inputHash)
  fact.counted = readBoolean(row)
  fact.error = readBoolean(row)
  fact.served = readBoolean(row)
  fact.holdout = readBoolean(row)
  fact.durationUs = readDouble(row) ?? Number.NaN
  const inputTokens = readDouble(row)
  const outputTokens = readDouble(row)
  fact.inputTokens = inputTokens ?? 0
  fact.outputTokens = outputTokens ?? 0
  fact.cachedTokens = readDouble(row) ?? 0
  fact.cacheWriteTokens = readDouble(row) ?? 0
  fact.reasoningTokens = readDouble(row) ?? 0
  const costUsd = readDouble(row)
  fact.costUsd = costUsd ?? Number.NaN
  fact.unpriced = costUsd === null && (inputTokens !== null || outputTokens !== null)
  fact.cacheSavingsUsd = readDouble(row) ?? Number.NaN
}

function hashBytes(row: CopiedRow): number {
  const length = row.bytes.readInt32BE(row.at)
  const from = row.at + 4
  row.at = from + length
  return hash32(row.bytes, from, length)
}
