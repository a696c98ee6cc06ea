// The calls of a trace, in the form in which they are compared with those of other traces.
import { compareText } from '../../base/compare-text.ts'
import type { Kind } from '../../event/event.ts'
import type { TracedCall } from '../../resolve/across-traces.ts'
import { outermostOf } from './outermost.ts'
import type { SettledSpan, SettledTrace, SpanRow } from './trace-span.ts'

/** A stored span of a call in another trace: a row of `ingest/find-calls-elsewhere`. */
export type ElsewhereRow = {
  place: number
  workspace_id: string
  trace_id: string
  span_id: string
  kind: Kind
  parent_span_id: string | null
  agent_fallback: string
  agent_name: string
  start_time_us: number
  duration_us: number | null
  scope_name: string | null
  model: string | null
  request_model: string | null
  response_id: string | null
  input_tokens: number | null
  output_tokens: number | null
  is_error: boolean
  usage_detail: number
  cache_tokens: number
  reasoning_tokens: number | null
  counted: boolean
  told_twice: boolean
  infers_tools: boolean
  tells_tools: boolean
}

/** A call of a trace that is being settled, with its span. */
export type OwnCall = { readonly call: TracedCall; readonly trace: SettledTrace; readonly settled: SettledSpan }

/**
 * Spans without a scope name are skipped: an older release stored them. Of the spans of one scope that report one call, because its response
 * was fetched again, only one is returned: the one that counts, else the oldest.
 */
export function listCalls(trace: SettledTrace): OwnCall[] {
  const isOutermost = outermostOf(trace)
  const chosen = new Map<string, SettledSpan>()
  for (const settled of trace.spans) {
    const { span, now } = settled
    if (now.callAt < 0 || span.scope_name === null) continue
    const key = `${now.callAt} ${span.scope_name}`
    const known = chosen.get(key)
    if (known === undefined || compareReports(settled, known) < 0) chosen.set(key, settled)
  }
  return [...chosen.values()].map((settled) => {
    const { span, now } = settled
    const agent = namedAgent(now.agentName, span)
    const facts = { isOutermost: isOutermost(span), tellsTools: span.tool_requests !== null, agent }
    return { call: toTracedCall(span, facts, String(now.callAt)), trace, settled }
  })
}

/** Sorts first the span that counts, then the oldest. */
const compareReports = (one: SettledSpan, other: SettledSpan): number =>
  Number(other.now.counted) - Number(one.now.counted) ||
  one.span.start_time_us - other.span.start_time_us ||
  compareText(one.span.span_id, other.span.span_id)

/** Null: the agent is the service. */
export const namedAgent = (name: string, span: Pick<SpanRow, 'agent_fallback'>): string | null =>
  name === span.agent_fallback ? null : name

type CallRow = Pick<ElsewhereRow, keyof ElsewhereRow & keyof SpanRow>

type CallFacts = Pick<TracedCall, 'isOutermost' | 'tellsTools' | 'agent'>

export const toTracedCall = (row: CallRow, facts: CallFacts, callKey: string): TracedCall => ({
  ...facts,
  workspaceId: row.workspace_id,
  traceId: row.trace_id,
  spanId: row.span_id,
  kind: row.kind,
  service: row.agent_fallback,
  callKey,
  startTimeUs: row.start_time_us,
  endTimeUs: row.start_time_us + (row.duration_us ?? 0),
  scopeName: row.scope_name,
  model: row.model,
  requestModel: row.request_model,
  responseId: row.response_id,
  inputTokens: row.input_tokens,
  outputTokens: row.output_tokens,
  reasoningTokens: row.reasoning_tokens,
  isError: row.is_error,
  cacheTokens: row.cache_tokens,
  usageDetail: row.usage_detail,
})
