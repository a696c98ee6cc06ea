// Floor 3. The events of some short spans of time as counting sees them, all in one query.
import type { Kind } from '../otlp/event.ts'
import {
  type CopiedRow,
  type Copy,
  readBoolean,
  readBytes,
  readDouble,
  readText,
  readTimeUs,
  told,
} from './copy-out.ts'
import { quoteTime, quoteUuid } from './quote.ts'
import type { FactRow } from './read-facts.ts'
import type { Span } from './spans.ts'

/**
 * Gives each event of some short spans, at most `maxFacts` of each span, with the place of the span in the list; in no order. What
 * only cells tell apart, agents and tools and their inputs, comes if it is asked for. About 2 µs each. One branch a span, with bounds of its own, which tell the planner the chunks that it may leave out. Index: events_pkey.
 */
export const copyFacts = (
  workspaceId: string,
  spans: readonly Span[],
  { maxFacts, cells }: { readonly maxFacts: number | null; readonly cells: boolean },
  take: (place: number, row: FactRow) => void,
): Copy => ({
  query: spans
    .map(
      ({ fromMs, toMs }, place) => `(select ${place}::float8, start_time, trace_id, session_id,
  ${cells ? 'agent_id::text' : "''::text"}, kind, model, ${cells ? 'tool_name, input_hash' : 'null::text, null::text'}, counted, status = 'error', served, holdout, duration_us::float8, input_tokens::float8,
  output_tokens::float8, cached_tokens::float8, cache_write_tokens::float8, reasoning_tokens::float8, cost_usd,
  cache_savings_usd
from events
where workspace_id = ${quoteUuid(workspaceId)} and start_time >= ${quoteTime(fromMs)} and start_time < ${quoteTime(toMs)}
limit ${maxFacts})`,
    )
    .join('\nunion all\n'),
  take: (row) => take(told(readDouble(row)), readFact(row)),
})

// The properties stand in the order of the columns, and are read in it.
const readFact = (row: CopiedRow): FactRow => ({
  start_us: readTimeUs(row),
  trace_id: told(readBytes(row)),
  session_id: readText(row),
  agent_id: told(readText(row)),
  kind: told(readText(row)) as Kind,
  model: readText(row),
  tool_name: readText(row),
  input_hash: readText(row),
  counted: readBoolean(row),
  error: readBoolean(row),
  served: readBoolean(row),
  holdout: readBoolean(row),
  duration_us: readDouble(row),
  input_tokens: readDouble(row),
  output_tokens: readDouble(row),
  cached_tokens: readDouble(row),
  cache_write_tokens: readDouble(row),
  reasoning_tokens: readDouble(row),
  cost_usd: readDouble(row),
  cache_savings_usd: readDouble(row),
})
