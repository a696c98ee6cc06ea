// Floor 1. One event as a row of the table of events, in the order that ingest copies it.
import type { Priced } from '../../pricing/price-book.ts'
import type { Event, Usage } from '../event.ts'
import type { Resolved } from '../trace/resolve.ts'
import type { CopyWriter } from './copy-writer.ts'
import type { PayloadPlace } from './payload-blocks.ts'

export type EventRow = {
  /** The 16 bytes of its id. */
  readonly workspaceId: Uint8Array
  /** Unix microseconds. */
  readonly startUs: number
  readonly event: Event
  /** Those of the event, where it is a call; no others have tokens of their own. */
  readonly usage: Usage
  /** As the content mode lets it be kept. */
  readonly errorMessage: string | null
  resolved: Resolved
  readonly priced: Priced
  /** Where everything that lists do not need is stored. */
  readonly payload: PayloadPlace
}

type Column = readonly [name: string, write: (writer: CopyWriter, row: EventRow) => void]

const text =
  (read: (row: EventRow) => string | null): Column[1] =>
  (writer, row) => {
    const value = read(row)
    if (value === null) writer.nul()
    else writer.text(value)
  }

const int8 =
  (read: (row: EventRow) => number | null): Column[1] =>
  (writer, row) => {
    const value = read(row)
    if (value === null) writer.nul()
    else writer.int8(value)
  }

const float8 =
  (read: (row: EventRow) => number | null): Column[1] =>
  (writer, row) => {
    const value = read(row)
    if (value === null) writer.nul()
    else writer.float8(value)
  }

const unknownAgent = new Uint8Array(16)

const columns: readonly Column[] = [
  // The first five are never null and of fixed width, so that the group commit finds them by `keyOffsets`.
  ['workspace_id', (writer, row) => writer.bytes(row.workspaceId)],
  ['start_time', (writer, row) => writer.timestamp(row.startUs)],
  ['trace_id', (writer, row) => writer.hex(row.event.traceId)],
  ['span_id', (writer, row) => writer.hex(row.event.spanId)],
  // Only the database knows the ids of agents: the group commit writes them in.
  ['agent_id', (writer) => writer.bytes(unknownAgent)],
  [
    'parent_span_id',
    (writer, { event }) => (event.parentSpanId === null ? writer.nul() : writer.hex(event.parentSpanId)),
  ],
  ['agent_own', text(({ event }) => event.agentOwn)],
  ['agent_fallback', text(({ event }) => event.agentFallback)],
  ['session_id', text(({ resolved }) => resolved.sessionId)],
  ['session_own', text(({ event }) => event.sessionId)],
  ['user_id', text(({ resolved }) => resolved.userId)],
  ['user_own', text(({ event }) => event.userId)],
  ['kind', text(({ event }) => event.kind)],
  ['counted', (writer, { resolved }) => writer.bool(resolved.counted)],
  ['operation', text(({ event }) => event.operation)],
  ['name', text(({ event }) => event.name)],
  ['status', text(({ event }) => event.status)],
  ['error_type', text(({ event }) => event.errorType)],
  ['error_message', text(({ errorMessage }) => errorMessage)],
  ['agent_version', text(({ event }) => event.agentVersion)],
  ['task_type', text(({ event }) => event.taskType)],
  ['environment', text(({ event }) => event.environment)],
  ['provider', text(({ event }) => event.provider)],
  ['request_model', text(({ event }) => event.requestModel)],
  ['model', text(({ event }) => event.model)],
  ['response_id', text(({ event }) => event.responseId)],
  ['finish_reasons', (writer, { event }) => writer.textArray(event.finishReasons)],
  ['tool_name', text(({ event }) => event.toolName)],
  ['tool_call_id', text(({ event }) => event.toolCallId)],
  ['input_hash', text(({ event }) => event.inputHash)],
  ['content_hash', text(({ event }) => event.contentHash)],
  ['key_id', text(({ event }) => event.encrypted?.keyId ?? null)],
  ['attested', (writer, { event }) => writer.bool(event.attested)],
  ['served', (writer, { event }) => writer.bool(event.served)],
  ['holdout', (writer, { event }) => writer.bool(event.holdout)],
  ['decision_id', (writer, { event }) => (event.decisionId === null ? writer.nul() : writer.uuid(event.decisionId))],
  ['consumed_tool_call_ids', (writer, { event }) => writer.textArray(event.consumedToolCallIds)],
  ['read_tool_call_ids', (writer, { event }) => writer.textArray(event.readToolCallIds)],
  ['duration_us', int8(({ event }) => event.durationUs)],
  ['ttft_ms', float8(({ event }) => event.ttftMs)],
  ['input_tokens', int8(({ usage }) => usage.inputTokens)],
  ['output_tokens', int8(({ usage }) => usage.outputTokens)],
  ['cached_tokens', int8(({ usage }) => usage.cachedTokens)],
  ['cache_write_tokens', int8(({ usage }) => usage.cacheWriteTokens)],
  ['reasoning_tokens', int8(({ usage }) => usage.reasoningTokens)],
  ['cost_usd', float8(({ priced }) => priced.costUsd)],
  ['cache_savings_usd', float8(({ priced }) => priced.cacheSavingsUsd)],
  ['provided_cost_usd', float8(({ event }) => event.providedCostUsd)],
  ['quality_score', float8(({ event }) => event.qualityScore)],
  ['pricing_source', text(({ priced }) => priced.source)],
  ['flags', (writer, { event }) => writer.textArray([...event.flags].sort())],
  ['payload_id', (writer, { payload }) => writer.bytes(payload.blockId)],
  ['payload_no', (writer, { payload }) => writer.int2(payload.no)],
]

/** The column list of the COPY statement. */
export const eventColumnNames: readonly string[] = columns.map(([name]) => name)

/** Where the values of the first columns stand in every row: behind the field count (2 bytes) and each field's length (4 bytes). */
export const keyOffsets = { workspaceId: 6, startTime: 26, traceId: 38, spanId: 58, agentId: 70 } as const

/** Appends one row. */
export function writeEventRow(writer: CopyWriter, row: EventRow): void {
  writer.startRow(columns.length)
  for (const [, write] of columns) write(writer, row)
}
