// The Event of the interface: its schema, its database row, and the conversion from row to schema.
import { z } from 'zod'
import { kinds } from '../../event/event.ts'
import { senderSource } from '../../pricing/price-book.ts'
import { workspaceSource } from '../../pricing/workspace-prices.ts'
import { dateTimeOut, uuidOut } from '../../web/shapes.ts'
import { roundUsd } from '../stats/usd.ts'

export type SelectedEvent = {
  start_time: Date
  /** The start to the microsecond, as text: a Date would cut it to the millisecond. */
  start_key: string
  trace_id: string
  span_id: string
  parent_span_id: string | null
  agent_id: string
  agent_name: string
  session_id: string | null
  kind: (typeof kinds)[number]
  name: string
  status: 'ok' | 'error'
  error_type: string | null
  error_message: string | null
  model: string | null
  provider: string | null
  tool_name: string | null
  tool_call_id: string | null
  input_hash: string | null
  tool_version: string | null
  scope_hash: string | null
  attested: boolean
  attested_unread: boolean
  read_only: boolean | null
  served: boolean
  holdout: boolean
  decision_id: string | null
  ttft_ms: number | null
  duration_us: number | null
  end_time: Date | null
  input_tokens: number | null
  output_tokens: number | null
  cached_tokens: number | null
  cache_write_tokens: number | null
  reasoning_tokens: number | null
  cost_usd: number | null
  provided_cost_usd: number | null
  pricing_source: string | null
  flags: string[]
}

const exampleTraceId = '5b8efff798038103d269b633813fc60c'
const exampleSpanId = 'eee19b7ec3c1b174'

export const traceIdOut = z.string().meta({ description: '32 lower-case hex characters', examples: [exampleTraceId] })
export const spanIdOut = z.string().meta({ description: '16 lower-case hex characters', examples: [exampleSpanId] })
export const tokenCountOut = z.number().int().nonnegative()
export const usdOut = z.number().meta({ examples: [0.0123] })

/** The fields of an Event, which the detail of an event extends. */
export const eventFields = {
  id: z.string().meta({
    description:
      '`<trace_id>.<span_id>`; followed by `.` and the start in Unix microseconds if the trace has several spans with this id (flag `id_repeated`, final once the trace is settled)',
    examples: [`${exampleTraceId}.${exampleSpanId}`],
  }),
  trace_id: traceIdOut,
  span_id: spanIdOut,
  parent_span_id: spanIdOut.nullable(),
  agent_id: uuidOut,
  agent_name: z.string(),
  session_id: z.string().nullable(),
  kind: z.enum(kinds),
  name: z.string(),
  status: z.enum(['ok', 'error']),
  error_type: z.string().nullable(),
  error_message: z.string().nullable(),
  model: z
    .string()
    .nullable()
    .meta({ examples: ['gpt-4.1-mini'] }),
  provider: z
    .string()
    .nullable()
    .meta({ examples: ['openai'] }),
  tool_name: z.string().nullable(),
  tool_call_id: z.string().nullable(),
  input_hash: z.string().nullable(),
  tool_version: z.string().nullable().meta({ description: 'The version that the tool declares' }),
  scope_hash: z
    .string()
    .nullable()
    .meta({ description: 'Hash of the scope, such as a user or tenant, that the result belongs to' }),
  attested: z.boolean().meta({ description: 'The sender attests that the same input gives the same result' }),
  attested_unread: z
    .boolean()
    .meta({ description: 'The sender attests that nothing depends on the content of the result' }),
  read_only: z
    .boolean()
    .nullable()
    .meta({ description: 'Whether the tool is read-only, as stated by the sender; null if not stated' }),
  served: z.boolean(),
  holdout: z.boolean(),
  decision_id: uuidOut.nullable(),
  ttft_ms: z.number().nullable(),
  start_time: dateTimeOut,
  end_time: dateTimeOut.nullable().meta({ description: 'Null if the duration is unknown' }),
  duration_ms: z.number().nullable(),
  input_tokens: tokenCountOut.nullable(),
  output_tokens: tokenCountOut.nullable(),
  cached_tokens: tokenCountOut.nullable(),
  cache_write_tokens: tokenCountOut.nullable(),
  reasoning_tokens: tokenCountOut.nullable(),
  cost_usd: usdOut
    .nullable()
    .meta({ description: 'Null if no price is known, or if an event of this kind has no price' }),
  provided_cost_usd: usdOut.nullable().meta({
    description:
      'The cost that the sender states. If it differs from `cost_usd` by more than 5 %, the flag `cost_disagrees` is set',
  }),
  pricing_source: z.enum([workspaceSource, 'table', senderSource]).nullable().meta({
    description:
      'The source of `cost_usd`: the prices of the workspace (`workspace`), the price list of the service (`table`), or the sender, for a model without a price in both. Null without a cost',
  }),
  flags: z.array(z.string()).meta({
    description:
      'What the service corrected or could not determine when it stored the span. `content_withheld`: the request exceeded the limit of text to redact, and the values that were not scanned are stored as `[redacted:unscanned]`',
    examples: [['unpriced']],
  }),
}

export const eventOut = z
  .object(eventFields)
  .meta({ id: 'Event', description: 'One stored span, in the same form for every instrumentation' })

function nameEvent({ trace_id, span_id, start_time, start_key, flags }: SelectedEvent): string {
  const id = `${trace_id}.${span_id}`
  if (!flags.includes('id_repeated')) return id
  const micros = (/\.(\d+)/.exec(start_key)?.[1] ?? '').padEnd(6, '0')
  return `${id}.${Math.floor(start_time.getTime() / 1_000)}${micros}`
}

/** Converts one event to the form that the interface shows. */
export function showEvent(row: SelectedEvent): z.input<typeof eventOut> {
  return {
    id: nameEvent(row),
    trace_id: row.trace_id,
    span_id: row.span_id,
    parent_span_id: row.parent_span_id,
    agent_id: row.agent_id,
    agent_name: row.agent_name,
    session_id: row.session_id,
    kind: row.kind,
    name: row.name,
    status: row.status,
    error_type: row.error_type,
    error_message: row.error_message,
    model: row.model,
    provider: row.provider,
    tool_name: row.tool_name,
    tool_call_id: row.tool_call_id,
    input_hash: row.input_hash,
    tool_version: row.tool_version,
    scope_hash: row.scope_hash,
    attested: row.attested,
    attested_unread: row.attested_unread,
    read_only: row.read_only,
    served: row.served,
    holdout: row.holdout,
    decision_id: row.decision_id,
    ttft_ms: row.ttft_ms,
    start_time: row.start_time.toISOString(),
    end_time: row.end_time?.toISOString() ?? null,
    duration_ms: row.duration_us === null ? null : row.duration_us / 1_000,
    input_tokens: row.input_tokens,
    output_tokens: row.output_tokens,
    cached_tokens: row.cached_tokens,
    cache_write_tokens: row.cache_write_tokens,
    reasoning_tokens: row.reasoning_tokens,
    cost_usd: row.cost_usd === null ? null : roundUsd(row.cost_usd),
    provided_cost_usd: row.provided_cost_usd === null ? null : roundUsd(row.provided_cost_usd),
    pricing_source: showSource(row.pricing_source),
    flags: row.flags,
  }
}

/** The stored source names a price list with its release or revision, and the entry. The interface shows only the kind of list. */
function showSource(stored: string | null): 'workspace' | 'table' | 'sender' | null {
  if (stored === null || stored === senderSource) return stored
  return stored.startsWith(`${workspaceSource}:`) ? workspaceSource : 'table'
}
