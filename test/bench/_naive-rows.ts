// Reads a request as the control pipelines do: protobufjs objects, one row object a span, attributes as JSON.
import { createHash } from 'node:crypto'
import { exportRequestType } from '../../src/otlp/protobuf/schema.ts'
import type { ControlColumn } from './_control-table.ts'

export type NaiveRow = Record<ControlColumn, string | null>

/** A 64-bit integer as protobufjs returns it. */
type Long = { readonly high: number; readonly low: number; toNumber(): number }
type AnyValue = {
  /** Names the field that is set. */
  value?: 'stringValue' | 'boolValue' | 'intValue' | 'doubleValue' | 'bytesValue' | 'arrayValue' | 'kvlistValue'
  stringValue: string
  boolValue: boolean
  intValue: Long
  doubleValue: number
  bytesValue: Buffer
  arrayValue: { values?: AnyValue[] }
  kvlistValue: { values?: KeyValue[] }
}
type KeyValue = { key: string; value?: AnyValue }
type Span = {
  traceId: Buffer
  spanId: Buffer
  parentSpanId?: Buffer
  name?: string
  startTimeUnixNano: Long
  endTimeUnixNano: Long
  attributes?: KeyValue[]
  status?: { code?: number; message?: string }
}
type Request = {
  resourceSpans?: { resource?: { attributes?: KeyValue[] }; scopeSpans?: { spans?: Span[] }[] }[]
}
type Json = string | number | boolean | null | Json[] | { [key: string]: Json }
type Attributes = Record<string, Json>

/** Returns the rows of a request. Throws if the body is not an ExportTraceServiceRequest. */
export function readNaiveRows(body: Uint8Array, workspaceId: string): NaiveRow[] {
  const { resourceSpans = [] } = exportRequestType.decode(body) as unknown as Request
  const rows: NaiveRow[] = []
  for (const { resource, scopeSpans = [] } of resourceSpans) {
    const resourceAttributes = readAttributes(resource?.attributes)
    const resourceJson = JSON.stringify(resourceAttributes)
    for (const { spans = [] } of scopeSpans) {
      for (const span of spans) rows.push(makeRow(span, workspaceId, resourceAttributes, resourceJson))
    }
  }
  return rows
}

function readValue(value: AnyValue | undefined): Json {
  switch (value?.value) {
    case 'stringValue':
      return value.stringValue
    case 'boolValue':
      return value.boolValue
    case 'intValue':
      return value.intValue.toNumber()
    case 'doubleValue':
      return value.doubleValue
    case 'bytesValue':
      return value.bytesValue.toString('base64')
    case 'arrayValue':
      return (value.arrayValue.values ?? []).map(readValue)
    case 'kvlistValue':
      return readAttributes(value.kvlistValue.values)
    case undefined:
      return null
  }
}

const readNanos = ({ high, low }: Long): bigint => (BigInt(high >>> 0) << 32n) | BigInt(low >>> 0)

const readAttributes = (attributes: readonly KeyValue[] = []): Attributes =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, readValue(value)]))

/** Returns the first of these attributes that is present, as text. */
function pick(attributes: Attributes, ...names: string[]): string | null {
  for (const name of names) {
    const value = attributes[name]
    if (value != null) return typeof value === 'string' ? value : JSON.stringify(value)
  }
  return null
}

// USD for a million tokens, fixed: prices are not what this pipeline measures.
const prices: Record<string, readonly [number, number]> = {
  'gpt-4o': [2.5, 10],
  'gpt-4o-mini': [0.15, 0.6],
  'claude-sonnet-4-20250514': [3, 15],
  'gemini-2.5-pro': [1.25, 10],
}

function makeRow(span: Span, workspaceId: string, resource: Attributes, resourceJson: string): NaiveRow {
  const attributes = readAttributes(span.attributes)
  const get = (...names: string[]): string | null => pick(attributes, ...names)
  const operation = get('gen_ai.operation.name')
  const model = get('gen_ai.response.model', 'gen_ai.request.model')
  const input = get('gen_ai.usage.input_tokens', 'gen_ai.usage.prompt_tokens')
  const output = get('gen_ai.usage.output_tokens', 'gen_ai.usage.completion_tokens')
  const price = prices[model ?? '']
  const toolInput = get('gen_ai.tool.call.arguments')
  const startNs = readNanos(span.startTimeUnixNano)
  const finishReasons = attributes['gen_ai.response.finish_reasons']
  return {
    workspace_id: workspaceId,
    start_time: readTime(startNs),
    trace_id: `\\x${span.traceId.toString('hex')}`,
    span_id: `\\x${span.spanId.toString('hex')}`,
    parent_span_id: span.parentSpanId?.length ? `\\x${span.parentSpanId.toString('hex')}` : null,
    agent_name: get('gen_ai.agent.name') ?? pick(resource, 'service.name'),
    session_id: get('gen_ai.conversation.id', 'session.id'),
    user_id: get('user.id', 'enduser.id'),
    kind: operation === 'execute_tool' ? 'tool' : operation === 'chat' ? 'llm' : 'other',
    operation,
    name: span.name ?? '',
    status: span.status?.code === 2 ? 'error' : 'ok',
    error_type: get('error.type'),
    error_message: span.status?.message ?? null,
    agent_version: get('gen_ai.agent.version'),
    task_type: get('task.type'),
    environment: get('deployment.environment') ?? pick(resource, 'deployment.environment.name'),
    provider: get('gen_ai.provider.name', 'gen_ai.system'),
    request_model: get('gen_ai.request.model'),
    model,
    response_id: get('gen_ai.response.id'),
    finish_reasons: Array.isArray(finishReasons)
      ? `{${finishReasons.map((reason) => JSON.stringify(reason)).join(',')}}`
      : '{}',
    tool_name: get('gen_ai.tool.name'),
    tool_call_id: get('gen_ai.tool.call.id'),
    input_hash: toolInput === null ? null : createHash('sha256').update(toolInput).digest('hex'),
    content_hash: null,
    served: 'false',
    holdout: 'false',
    decision_id: null,
    duration_us: String((readNanos(span.endTimeUnixNano) - startNs) / 1_000n),
    ttft_ms: get('gen_ai.server.time_to_first_token'),
    input_tokens: input,
    output_tokens: output,
    cached_tokens: get('gen_ai.usage.cached_tokens'),
    cache_write_tokens: get('gen_ai.usage.cache_creation_tokens'),
    reasoning_tokens: get('gen_ai.usage.reasoning_tokens'),
    cost_usd: price === undefined ? null : String((Number(input) * price[0] + Number(output) * price[1]) / 1e6),
    provided_cost_usd: get('gen_ai.usage.cost'),
    attributes: JSON.stringify(attributes),
    resource: resourceJson,
  }
}

/** Formats Unix nanoseconds as a time with microseconds. */
function readTime(ns: bigint): string {
  const text = new Date(Number(ns / 1_000_000n)).toISOString()
  return `${text.slice(0, -1)}${String((ns / 1_000n) % 1_000n).padStart(3, '0')}Z`
}
