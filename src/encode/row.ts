// Writes an event as a row of the table of events, in the column order of the COPY statement.

import { type Event, type Usage, usageDetailOf } from '../event/event.ts'
import { writeToolRequests } from '../event/tool-lines.ts'
import type { Priced } from '../pricing/price-book.ts'
import type { Resolved } from '../resolve/resolve.ts'
import type { CopyWriter } from './copy-writer.ts'
import type { PayloadPlace } from './payload-blocks.ts'

export type EventRow = {
  /** The 16 bytes of the id of the workspace. */
  readonly workspaceId: Uint8Array
  /** Unix microseconds. */
  readonly startUs: number
  /** The kept event: as far as the content mode permits. */
  readonly event: Event
  /** The usage of the event if it is a model call; only these have tokens. */
  usage: Usage
  resolved: Resolved
  readonly priced: Priced
  /** Where the payload is stored: everything that lists do not need. */
  readonly payload: PayloadPlace
}

const none: readonly string[] = []
const unknownAgent = new Uint8Array(16)

/** The column list of the COPY statement: `writeEventRow` writes the values in this order. */
export const eventColumnNames: readonly string[] = [
  'workspace_id',
  'start_time',
  'trace_id',
  'span_id',
  'agent_id',
  'parent_span_id',
  'agent_own',
  'agent_fallback',
  'session_id',
  'session_own',
  'user_id',
  'user_own',
  'kind',
  'counted',
  'operation',
  'name',
  'status',
  'error_type',
  'error_message',
  'agent_version',
  'task_type',
  'environment',
  'provider',
  'request_model',
  'model',
  'response_id',
  'finish_reasons',
  'tool_name',
  'tool_version',
  'tool_call_id',
  'read_only',
  'input_hash',
  'content_hash',
  'scope_hash',
  'key_id',
  'attested',
  'attested_unread',
  'served',
  'holdout',
  'decision_id',
  'consumed_tool_call_ids',
  'read_tool_call_ids',
  'duration_us',
  'ttft_ms',
  'input_tokens',
  'output_tokens',
  'cached_tokens',
  'cache_write_tokens',
  'reasoning_tokens',
  'cost_usd',
  'cache_savings_usd',
  'provided_cost_usd',
  'quality_score',
  'pricing_source',
  'flags',
  'scope_name',
  'usage_detail',
  'tool_requests',
  'scope_version',
  'dialect',
  'agent_unnamed',
  'payload_id',
  'payload_no',
]

/** The offsets of the first values in every row, which follow the field count (2 bytes) and the length of each field (4 bytes). */
export const keyOffsets = { workspaceId: 6, startTime: 26, traceId: 38, spanId: 58, agentId: 70 } as const

/** Appends one row. It is written out, because in a loop over columns each field would be an indirect call. */
export function writeEventRow(writer: CopyWriter, row: EventRow): void {
  const { event } = row
  writer.startRow(eventColumnNames.length)
  writeKey(writer, row)
  writeWho(writer, row)
  writeWhat(writer, row)
  writeModelAndTool(writer, event)
  writeDecision(writer, event)
  writeNumbers(writer, row)
  writer.textArray(event.flags.size === 0 ? none : [...event.flags].sort())
  writeTelling(writer, row)
  writer.bytes(row.payload.blockId)
  writer.int2(row.payload.no)
}

/** The first five values are never null and have a fixed width, so that the group commit finds them by `keyOffsets`. */
function writeKey(writer: CopyWriter, { workspaceId, startUs, event }: EventRow): void {
  writer.bytes(workspaceId)
  writer.timestamp(startUs)
  writer.hex(event.traceId)
  writer.hex(event.spanId)
  // Only the database knows the ids of agents: the group commit fills them in.
  writer.bytes(unknownAgent)
  if (event.parentSpanId === null) writer.nul()
  else writer.hex(event.parentSpanId)
}

function writeWho(writer: CopyWriter, { event, resolved }: EventRow): void {
  text(writer, event.agentOwn)
  writer.text(event.agentFallback)
  text(writer, resolved.sessionId)
  text(writer, event.sessionId)
  text(writer, resolved.userId)
  text(writer, event.userId)
}

function writeWhat(writer: CopyWriter, { event, resolved }: EventRow): void {
  writer.text(event.kind)
  writer.bool(resolved.counted)
  text(writer, event.operation)
  writer.text(event.name)
  writer.text(event.status)
  text(writer, event.errorType)
  text(writer, event.errorMessage)
  text(writer, event.agentVersion)
  text(writer, event.taskType)
  text(writer, event.environment)
}

function writeModelAndTool(writer: CopyWriter, event: Event): void {
  text(writer, event.provider)
  text(writer, event.requestModel)
  text(writer, event.model)
  text(writer, event.responseId)
  writer.textArray(event.finishReasons)
  text(writer, event.toolName)
  text(writer, event.toolVersion)
  text(writer, event.toolCallId)
  if (event.readOnly === null) writer.nul()
  else writer.bool(event.readOnly)
  text(writer, event.inputHash)
  text(writer, event.contentHash)
  text(writer, event.scopeHash)
  text(writer, event.encrypted === null ? null : event.encrypted.keyId)
}

function writeDecision(writer: CopyWriter, event: Event): void {
  writer.bool(event.attested)
  writer.bool(event.attestedUnread)
  writer.bool(event.served)
  writer.bool(event.holdout)
  if (event.decisionId === null) writer.nul()
  else writer.uuid(event.decisionId)
  writer.textArray(event.consumedToolCallIds)
  writer.textArray(event.readToolCallIds)
}

function writeNumbers(writer: CopyWriter, { event, usage, priced }: EventRow): void {
  int8(writer, event.durationUs)
  float8(writer, event.ttftMs)
  int8(writer, usage.inputTokens)
  int8(writer, usage.outputTokens)
  int8(writer, usage.cachedTokens)
  int8(writer, usage.cacheWriteTokens)
  int8(writer, usage.reasoningTokens)
  float8(writer, priced.costUsd)
  float8(writer, priced.cacheSavingsUsd)
  float8(writer, event.providedCostUsd)
  float8(writer, event.qualityScore)
  text(writer, priced.source)
}

/**
 * Writes what settling needs to distinguish two reports of one call from two calls, the tools that a model asked for (for inferred tool
 * calls), and the rest of what is known about the instrumentation.
 */
function writeTelling(writer: CopyWriter, { event, usage, priced, resolved }: EventRow): void {
  text(writer, event.scopeName)
  const detail = usageDetailOf(usage, priced.costUsd !== null)
  if (detail === 0) writer.nul()
  else writer.int2(detail)
  text(writer, writeToolRequests(event.toolRequests))
  text(writer, event.scopeVersion)
  text(writer, event.dialect)
  if (event.hasMainAgent) writer.nul()
  else writer.bool(!resolved.hasAgent)
}

function text(writer: CopyWriter, value: string | null): void {
  if (value === null) writer.nul()
  else writer.text(value)
}

function int8(writer: CopyWriter, value: number | null): void {
  if (value === null) writer.nul()
  else writer.int8(value)
}

function float8(writer: CopyWriter, value: number | null): void {
  if (value === null) writer.nul()
  else writer.float8(value)
}
