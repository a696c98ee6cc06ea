// Reads the events of some short spans of time as facts, all in one query.

import type { Kind } from '../event/event.ts'
import { type Fact, makeFact } from '../sketches/fact.ts'
import {
  type CopiedRow,
  type Copy,
  readBoolean,
  readBytes,
  readDouble,
  readText,
  readTimeUs,
  required,
} from '../store/copy-out.ts'
import { eachFactOf, type FactRow } from './read-facts.ts'
import type { TimeSpan } from './spans.ts'
import { quoteTime, quoteUuid } from './sql-literals.ts'

/**
 * Passes each event of some short spans to `take`, and each tool call that is inferred from it, with the index of the span; in no order.
 * Reads at most `maxFacts` events per span. The same record is filled again each time. With `cells` it includes what only cells
 * distinguish: agents, tools and their inputs. About 2 µs each. The query has one branch per span, with its own bounds, so that the planner
 * can exclude chunks. Index: events_pkey.
 */
export function copyFacts(
  workspaceId: string,
  spans: readonly TimeSpan[],
  { maxFacts, cells }: { readonly maxFacts: number | null; readonly cells: boolean },
  take: (place: number, fact: Fact) => void,
): Copy {
  const fact = makeFact()
  // Reused as well: an object per row would be some hundred bytes more garbage.
  const read = {} as FactRow
  const named = cells
    ? 'agent_id::text, kind, model, tool_name, input_hash'
    : "''::text, kind, model, null::text, null::text"
  const branches = spans.map(
    ({ fromMs, toMs }, place) => `(select ${place}::float8, start_time, trace_id, session_id, ${named},
  counted, status = 'error' and not 'error_carried' = any (flags), 'unpriced' = any (flags), served, holdout, duration_us::float8,
  input_tokens::float8, output_tokens::float8, cached_tokens::float8, cache_write_tokens::float8, reasoning_tokens::float8, cost_usd, cache_savings_usd, inferred_tools
from events
where workspace_id = ${quoteUuid(workspaceId)} and start_time >= ${quoteTime(fromMs)} and start_time < ${quoteTime(toMs)}
limit ${maxFacts})`,
  )
  return {
    query: branches.join('\nunion all\n'),
    take(row) {
      const place = required(readDouble(row))
      eachFactOf(fact, readFact(read, row), (one) => take(place, one))
    },
  }
}

// The fields are read in the order of the columns.
function readFact(into: FactRow, row: CopiedRow): FactRow {
  into.start_us = readTimeUs(row)
  into.trace_id = required(readBytes(row))
  into.session_id = readText(row)
  into.agent_id = required(readText(row))
  into.kind = required(readText(row)) as Kind
  into.model = readText(row)
  into.tool_name = readText(row)
  into.input_hash = readText(row)
  into.counted = readBoolean(row)
  into.error = readBoolean(row)
  into.unpriced = readBoolean(row)
  into.served = readBoolean(row)
  into.holdout = readBoolean(row)
  into.duration_us = readDouble(row)
  into.input_tokens = readDouble(row)
  into.output_tokens = readDouble(row)
  into.cached_tokens = readDouble(row)
  into.cache_write_tokens = readDouble(row)
  into.reasoning_tokens = readDouble(row)
  into.cost_usd = readDouble(row)
  into.cache_savings_usd = readDouble(row)
  into.inferred_tools = readText(row)
  return into
}
