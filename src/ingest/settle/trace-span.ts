// Floor 3. A span as settling reads it, and what settling makes of it.
import type { Kind } from '../../event/event.ts'
import { type Resolved, type ResolveInput, resolve } from '../../otlp/trace/resolve.ts'

export type SpanRow = {
  workspace_id: string
  trace_id: string
  span_id: string
  parent_span_id: string | null
  start_time_us: number
  kind: Kind
  agent_own: string | null
  agent_fallback: string
  session_own: string | null
  user_own: string | null
  tool_name: string | null
  tool_call_id: string | null
  model: string | null
  input_hash: string | null
  has_usage: boolean
  duration_us: number | null
  response_id: string | null
  input_tokens: number | null
  output_tokens: number | null
  agent_id: string
  agent_name: string
  session_id: string | null
  user_id: string | null
  counted: boolean
  agent_unnamed: boolean | null
  scope_name: string | null
  usage_detail: number
  is_error: boolean
  told_twice: boolean
  error_carried: boolean
}

export type SettledSpan = { readonly span: SpanRow; readonly now: Resolved }

/** All stored spans of a trace, as resolving left them. */
export type SettledTrace = {
  readonly workspaceId: string
  readonly traceId: string
  readonly spans: readonly SettledSpan[]
}

/** Each trace by itself. */
export const resolveTraces = (rows: readonly SpanRow[]): SettledTrace[] =>
  [...Map.groupBy(rows, (span) => `${span.workspace_id} ${span.trace_id}`).values()].flatMap((spans) => {
    const [first] = spans
    return first === undefined
      ? []
      : [{ workspaceId: first.workspace_id, traceId: first.trace_id, spans: resolveSpans(spans) }]
  })

function resolveSpans(spans: readonly SpanRow[]): SettledSpan[] {
  const resolved = resolve(spans.map(toResolveInput))
  return spans.flatMap((span, at) => {
    const now = resolved[at]
    return now === undefined ? [] : [{ span, now }]
  })
}

// Told one by one: spreading a part that settle-across would share costs more than all the rest.
const toResolveInput = (span: SpanRow): ResolveInput => ({
  spanId: span.span_id,
  parentSpanId: span.parent_span_id,
  kind: span.kind,
  agentOwn: span.agent_own,
  agentFallback: span.agent_fallback,
  sessionOwn: span.session_own,
  userOwn: span.user_own,
  toolName: span.tool_name,
  toolCallId: span.tool_call_id,
  hasUsage: span.has_usage,
  startTimeUs: span.start_time_us,
  endTimeUs: span.start_time_us + (span.duration_us ?? 0),
  scopeName: span.scope_name,
  model: span.model,
  responseId: span.response_id,
  inputTokens: span.input_tokens,
  outputTokens: span.output_tokens,
  isError: span.is_error,
  usageDetail: span.usage_detail,
})

/** Whether the stored span is not what it should be. */
export const differs = ({ span, now }: SettledSpan): boolean =>
  span.agent_name !== now.agentName ||
  span.session_id !== now.sessionId ||
  span.user_id !== now.userId ||
  span.counted !== now.counted ||
  span.told_twice !== now.toldTwice ||
  span.error_carried !== now.errorCarried ||
  span.agent_unnamed === now.hasAgent
