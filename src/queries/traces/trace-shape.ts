// The TraceSummary of the interface: its schema, its database row, and the conversion from row to schema.
import { z } from 'zod'
import { dateTimeOut, uuidOut } from '../../web/shapes.ts'
import { eventOut, tokenCountOut, traceIdOut, usdOut } from '../events/event-shape.ts'
import { roundUsd } from '../stats/usd.ts'

export type TraceRow = {
  trace_id: string
  name: string
  agent_id: string
  agent_name: string
  session_id: string | null
  user_id: string | null
  start_time: Date
  end_time: Date
  duration_us: number
  span_count: number
  llm_calls: number
  tool_calls: number
  served_calls: number
  holdout_calls: number
  error_count: number
  input_tokens: number
  output_tokens: number
  cached_tokens: number
  cache_write_tokens: number
  cost_usd: number | null
  unpriced_calls: number
  models: string[]
  tools: string[]
  settled: boolean
}

const countOut = z.number().int().nonnegative()

const traceFields = {
  trace_id: traceIdOut,
  name: z
    .string()
    .meta({ description: 'Name of the root span, or of the earliest span while no root span has arrived' }),
  agent_id: uuidOut,
  agent_name: z.string(),
  session_id: z.string().nullable(),
  user_id: z.string().nullable(),
  status: z.enum(['ok', 'error']).meta({ description: 'error if any span has the status error' }),
  start_time: dateTimeOut,
  end_time: dateTimeOut,
  duration_ms: z.number(),
  span_count: countOut,
  llm_calls: countOut,
  tool_calls: countOut,
  served_calls: countOut,
  holdout_calls: countOut,
  error_count: countOut.meta({
    description:
      'Failures: a failed call counts once, however many spans carry its error. At least 1 if any span has the status error',
  }),
  input_tokens: tokenCountOut,
  output_tokens: tokenCountOut,
  cached_tokens: tokenCountOut,
  cache_write_tokens: tokenCountOut,
  cost_usd: usdOut.nullable().meta({ description: 'Null if no counted call has a price' }),
  unpriced_calls: countOut,
  models: z.array(z.string()),
  tools: z.array(z.string()),
  settled: z.boolean().meta({ description: 'False while agents, sessions and counts can still change' }),
}

export const nextCursorOut = z.string().nullable().meta({ description: 'Fetches the next page; null on the last page' })

export const traceOut = z
  .object(traceFields)
  .meta({ id: 'TraceSummary', description: 'One trace, with totals over its spans' })

export const tracePageOut = z.object({ items: z.array(traceOut), next_cursor: nextCursorOut }).meta({ id: 'TracePage' })

export const traceDetailOut = z
  .object({
    ...traceFields,
    spans: z.array(eventOut).meta({ description: 'In the order of their start' }),
    next_cursor: nextCursorOut,
  })
  .meta({ id: 'TraceDetail', description: 'One trace with a page of its spans' })

/** Converts one trace to the form that the interface shows. */
export function showTrace(row: TraceRow): z.input<typeof traceOut> {
  return {
    trace_id: row.trace_id,
    name: row.name,
    agent_id: row.agent_id,
    agent_name: row.agent_name,
    session_id: row.session_id,
    user_id: row.user_id,
    status: row.error_count > 0 ? 'error' : 'ok',
    start_time: row.start_time.toISOString(),
    end_time: row.end_time.toISOString(),
    duration_ms: row.duration_us / 1_000,
    span_count: row.span_count,
    llm_calls: row.llm_calls,
    tool_calls: row.tool_calls,
    served_calls: row.served_calls,
    holdout_calls: row.holdout_calls,
    error_count: row.error_count,
    input_tokens: row.input_tokens,
    output_tokens: row.output_tokens,
    cached_tokens: row.cached_tokens,
    cache_write_tokens: row.cache_write_tokens,
    cost_usd: row.cost_usd === null ? null : roundUsd(row.cost_usd),
    unpriced_calls: row.unpriced_calls,
    models: row.models,
    tools: row.tools,
    settled: row.settled,
  }
}
