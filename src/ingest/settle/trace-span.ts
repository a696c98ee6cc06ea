// A span as settling reads it, and the result of settling it.
import type { Kind } from '../../event/event.ts'
import { parseToolRequests, writeToolNames } from '../../event/tool-lines.ts'
import { findInferredTools, type ToolSpan } from '../../resolve/inferred-tools.ts'
import { type Resolved, type ResolveInput, resolve } from '../../resolve/resolve.ts'
import { sdkMarkOf } from '../../resolve/tool-reports.ts'

export type TraceKey = { readonly workspace_id: string; readonly trace_id: Buffer }

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
  /** A rule served the call or held it out. */
  is_matched: boolean
  is_attested: boolean
  model: string | null
  request_model: string | null
  input_hash: string | null
  duration_us: number | null
  response_id: string | null
  input_tokens: number | null
  output_tokens: number | null
  agent_id: string
  agent_name: string
  /** The agent is provisional, and no trace has been settled with it so far. */
  agent_unsettled: boolean
  session_id: string | null
  user_id: string | null
  counted: boolean
  agent_unnamed: boolean | null
  scope_name: string | null
  usage_detail: number
  cache_tokens: number
  is_error: boolean
  told_twice: boolean
  nested_call: boolean
  id_repeated: boolean
  error_carried: boolean
  reasoning_tokens: number | null
  /** As `writeToolRequests` and `writeToolNames` write them. */
  tool_requests: string | null
  inferred_tools: string | null
  /** The span was stored after the transaction that inserted the trace. */
  is_later: boolean
}

/** As the database returns it: null instead of false and 0, and the place of the trace among those asked for, from 1, instead of its key. */
export type StoredSpanRow = Omit<SpanRow, Absent | keyof TraceKey> & { [Column in Absent]: SpanRow[Column] | null } & {
  place: number
}

type Absent =
  | 'is_matched'
  | 'is_attested'
  | 'agent_unsettled'
  | 'usage_detail'
  | 'cache_tokens'
  | 'is_error'
  | 'told_twice'
  | 'nested_call'
  | 'id_repeated'
  | 'error_carried'
  | 'is_later'

export type SettledSpan = {
  readonly span: SpanRow
  readonly now: Resolved
  /** The tools that the span asks for and that no span reports, as `writeToolNames` writes them. */
  readonly inferredTools: string | null
}

/** All stored spans of a trace, after resolution. */
export type SettledTrace = {
  readonly workspaceId: string
  readonly traceId: string
  readonly spans: readonly SettledSpan[]
}

/** Adds the key of the trace to the row itself, and replaces null in it. */
function fillRow(stored: StoredSpanRow, workspaceId: string, traceId: string): SpanRow {
  const row: StoredSpanRow & { workspace_id?: string; trace_id?: string } = stored
  row.workspace_id = workspaceId
  row.trace_id = traceId
  row.is_matched ??= false
  row.is_attested ??= false
  row.agent_unsettled ??= false
  row.usage_detail ??= 0
  row.cache_tokens ??= 0
  row.is_error ??= false
  row.told_twice ??= false
  row.nested_call ??= false
  row.id_repeated ??= false
  row.error_carried ??= false
  row.is_later ??= false
  return row as SpanRow
}

/** Resolves each trace separately. `due`: the traces that the rows were asked for. A trace without rows is left out. Changes the rows. */
export function resolveTraces(due: readonly TraceKey[], rows: readonly StoredSpanRow[]): SettledTrace[] {
  const byPlace = Map.groupBy(rows, (row) => row.place)
  return due.flatMap(({ workspace_id: workspaceId, trace_id }, at) => {
    const stored = byPlace.get(at + 1)
    if (stored === undefined) return []
    const traceId = trace_id.toString('hex')
    return [{ workspaceId, traceId, spans: resolveSpans(stored.map((row) => fillRow(row, workspaceId, traceId))) }]
  })
}

function resolveSpans(spans: readonly SpanRow[]): SettledSpan[] {
  const inputs = spans.map(toResolveInput)
  const resolved = resolve(inputs)
  const inferred = findInferredTools(inputs, resolved)
  return spans.flatMap((span, at) => {
    const now = resolved[at]
    return now === undefined ? [] : [{ span, now, inferredTools: writeToolNames(inferred.get(at) ?? []) }]
  })
}

// Properties are listed one by one: spreading a part shared with settle-across would cost more than all the rest.
const toResolveInput = (span: SpanRow): ResolveInput & ToolSpan => ({
  spanId: span.span_id,
  parentSpanId: span.parent_span_id,
  kind: span.kind,
  agentOwn: span.agent_own,
  agentFallback: span.agent_fallback,
  sessionOwn: span.session_own,
  userOwn: span.user_own,
  toolName: span.tool_name,
  toolCallId: span.tool_call_id,
  sdkMark: sdkMarkOf(span.is_matched, span.is_attested),
  hasUsage: span.input_tokens !== null || span.output_tokens !== null,
  startTimeUs: span.start_time_us,
  endTimeUs: span.start_time_us + (span.duration_us ?? 0),
  scopeName: span.scope_name,
  model: span.model,
  requestModel: span.request_model,
  responseId: span.response_id,
  inputTokens: span.input_tokens,
  outputTokens: span.output_tokens,
  reasoningTokens: span.reasoning_tokens,
  toolRequests: parseToolRequests(span.tool_requests),
  isError: span.is_error,
  cacheTokens: span.cache_tokens,
  usageDetail: span.usage_detail,
})

/** Whether the stored span differs from its settled state. */
export const differs = ({ span, now, inferredTools }: SettledSpan): boolean =>
  span.agent_name !== now.agentName ||
  span.session_id !== now.sessionId ||
  span.user_id !== now.userId ||
  span.counted !== now.counted ||
  span.told_twice !== now.toldTwice ||
  span.nested_call !== now.nestedCall ||
  span.id_repeated !== now.idRepeated ||
  span.reasoning_tokens !== now.reasoningTokens ||
  span.inferred_tools !== inferredTools ||
  span.error_carried !== now.errorCarried ||
  span.agent_unnamed === now.hasAgent

export type AgentKey = { readonly workspaceId: string; readonly id: string }

/** Provisional agents that keep spans of these traces, and with which no trace has been settled so far. */
export function listUnsettledAgents(traces: readonly SettledTrace[]): AgentKey[] {
  const agents = new Map<string, AgentKey>()
  for (const { workspaceId, spans } of traces)
    for (const { span, now } of spans)
      if (span.agent_unsettled && span.agent_name === now.agentName)
        agents.set(span.agent_id, { workspaceId, id: span.agent_id })
  return [...agents.values()]
}
