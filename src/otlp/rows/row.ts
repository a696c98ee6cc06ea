// Floor 1. One event as a row of the staging table, in the order that ingest copies it.
import type { Priced } from '../../pricing/price-book.ts'
import type { Event } from '../event.ts'
import type { Resolved } from '../trace/resolve.ts'
import type { CopyWriter } from './copy-writer.ts'
import type { PayloadPlace } from './payload-blocks.ts'

export type StageRow = {
  readonly workspaceId: string
  /** Position among the request's decoded spans. */
  readonly rowNo: number
  readonly event: Event
  readonly resolved: Resolved
  readonly priced: Priced
  /** Where everything that lists do not need is stored. */
  readonly payload: PayloadPlace
}

type Column = readonly [name: string, write: (writer: CopyWriter, row: StageRow) => void]

const text =
  (read: (row: StageRow) => string | null): Column[1] =>
  (writer, row) => {
    const value = read(row)
    if (value === null) writer.nul()
    else writer.text(value)
  }

const int8 =
  (read: (row: StageRow) => number | null): Column[1] =>
  (writer, row) => {
    const value = read(row)
    if (value === null) writer.nul()
    else writer.int8(BigInt(value))
  }

const float8 =
  (read: (row: StageRow) => number | null): Column[1] =>
  (writer, row) => {
    const value = read(row)
    if (value === null) writer.nul()
    else writer.float8(value)
  }

const bytes =
  (read: (row: StageRow) => Uint8Array | undefined): Column[1] =>
  (writer, row) => {
    const value = read(row)
    if (value === undefined) writer.nul()
    else writer.bytes(value)
  }

/** The columns of the staging table (sql/query/ingest/make-stage.sql), in its order. */
const columns: readonly Column[] = [
  // Written by the thread as 0; the group commit sets it to the request's number, at `batchNoOffset` of the row.
  ['batch_no', (writer) => writer.int4(0)],
  ['row_no', (writer, row) => writer.int4(row.rowNo)],
  ['workspace_id', (writer, row) => writer.uuid(row.workspaceId)],
  ['start_time', (writer, row) => writer.timestamp(row.event.startTimeUnixNano)],
  ['trace_id', (writer, row) => writer.hex(row.event.traceId)],
  ['span_id', (writer, row) => writer.hex(row.event.spanId)],
  [
    'parent_span_id',
    (writer, { event }) => (event.parentSpanId === null ? writer.nul() : writer.hex(event.parentSpanId)),
  ],
  ['agent_name', text(({ resolved }) => resolved.agentName)],
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
  ['error_message', text(({ event }) => event.errorMessage)],
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
  ['input_tokens', int8(({ event }) => event.usage.inputTokens)],
  ['output_tokens', int8(({ event }) => event.usage.outputTokens)],
  ['cached_tokens', int8(({ event }) => event.usage.cachedTokens)],
  ['cache_write_tokens', int8(({ event }) => event.usage.cacheWriteTokens)],
  ['reasoning_tokens', int8(({ event }) => event.usage.reasoningTokens)],
  ['cost_usd', float8(({ priced }) => priced.costUsd)],
  ['cache_savings_usd', float8(({ priced }) => priced.cacheSavingsUsd)],
  ['provided_cost_usd', float8(({ event }) => event.providedCostUsd)],
  ['pricing_source', text(({ priced }) => priced.source)],
  ['flags', (writer, { event }) => writer.textArray([...event.flags].sort())],
  ['payload_id', (writer, { payload }) => writer.uuid(payload.blockId)],
  ['payload_no', (writer, { payload }) => writer.int2(payload.no)],
  ['ciphertext', bytes(({ event }) => event.encrypted?.ciphertext)],
  ['iv', bytes(({ event }) => event.encrypted?.iv)],
  ['tag', bytes(({ event }) => event.encrypted?.tag)],
]

/** The column list of the COPY statement. */
export const stageColumnNames: readonly string[] = columns.map(([name]) => name)

/** Where a row's batch_no value stands: after the field count (2 bytes) and the field's length (4 bytes). */
export const batchNoOffset = 6

/** Appends one row. */
export function writeStageRow(writer: CopyWriter, row: StageRow): void {
  writer.startRow(columns.length)
  for (const [, write] of columns) write(writer, row)
}
