// Encodes plain objects as OTLP requests in protobuf or JSON, for tests. Nothing is checked, so invalid spans can be built too.
import { randomBytes } from 'node:crypto'
import { exportRequestType } from '../../src/otlp/protobuf/schema.ts'
import { toOtlpJson } from './spans-json.ts'

/** A number to encode as doubleValue although it is an integer, such as `new Double(5)`. NaN and Infinity are encoded so anyway. */
export class Double {
  readonly value: number

  constructor(value: number) {
    this.value = value
  }
}

export type AttributeInput =
  | string
  | number
  | bigint
  | boolean
  | null
  | Double
  | Uint8Array
  | readonly AttributeInput[]
  | { readonly [key: string]: AttributeInput }

/** A plain object, or entries where a key occurs twice or the order matters. */
export type AttributesInput =
  | { readonly [key: string]: AttributeInput }
  | readonly (readonly [string, AttributeInput])[]

/** A Date, Unix milliseconds (with fractions), or Unix nanoseconds as bigint. */
export type TimeInput = Date | number | bigint

/** Hex text, or raw bytes for an id of a wrong length. */
export type IdInput = string | Uint8Array

export type SpanInput = {
  readonly traceId?: IdInput
  readonly spanId?: IdInput
  readonly parentSpanId?: IdInput
  readonly traceState?: string
  readonly name?: string
  readonly kind?: number
  /** Default: one second ago. */
  readonly start?: TimeInput
  /** Default: `durationMs` after the start. */
  readonly end?: TimeInput
  /** Default: 5. */
  readonly durationMs?: number
  readonly attributes?: AttributesInput
  readonly events?: readonly { name?: string; time?: TimeInput; attributes?: AttributesInput }[]
  readonly links?: readonly { traceId?: IdInput; spanId?: IdInput; attributes?: AttributesInput }[]
  readonly status?: { code?: number; message?: string }
  readonly droppedAttributesCount?: number
  readonly droppedEventsCount?: number
  readonly droppedLinksCount?: number
}

export type ResourceSpansInput = {
  readonly resource?: AttributesInput
  readonly schemaUrl?: string
  readonly scope?: { name?: string; version?: string; attributes?: AttributesInput }
  readonly spans: readonly OtlpSpan[]
}

export type OtlpValue = {
  stringValue?: string
  boolValue?: boolean
  intValue?: string
  doubleValue?: number
  bytesValue?: Uint8Array
  arrayValue?: { values: OtlpValue[] }
  kvlistValue?: { values: OtlpKeyValue[] }
}

export type OtlpKeyValue = { key: string; value?: OtlpValue }

/** A span in protobufjs' shape: camelCase, 64-bit integers as decimal text. */
export type OtlpSpan = ReturnType<typeof makeSpan>

export const randomTraceId = (): string => randomBytes(16).toString('hex')

export const randomSpanId = (): string => randomBytes(8).toString('hex')

const idBytes = (id: IdInput): Uint8Array => (typeof id === 'string' ? Buffer.from(id, 'hex') : id)

/** Converts a time to Unix nanoseconds. */
export function toNanos(time: TimeInput): bigint {
  if (typeof time === 'bigint') return time
  const ms = typeof time === 'number' ? time : time.getTime()
  return BigInt(Math.round(ms * 1_000)) * 1_000n
}

/** Returns the AnyValue of a plain JavaScript value: integers and bigints become intValue, other numbers doubleValue. */
export function makeValue(input: AttributeInput): OtlpValue {
  if (input === null) return {}
  if (typeof input === 'string') return { stringValue: input }
  if (typeof input === 'boolean') return { boolValue: input }
  if (typeof input === 'bigint') return { intValue: input.toString() }
  if (typeof input === 'number') {
    return Number.isSafeInteger(input) ? { intValue: input.toString() } : { doubleValue: input }
  }
  if (input instanceof Double) return { doubleValue: input.value }
  if (input instanceof Uint8Array) return { bytesValue: input }
  if (Array.isArray(input)) return { arrayValue: { values: input.map(makeValue) } }
  return { kvlistValue: { values: makeAttributes(input as { readonly [key: string]: AttributeInput }) } }
}

export function makeAttributes(input: AttributesInput = {}): OtlpKeyValue[] {
  const entries = Array.isArray(input)
    ? (input as readonly (readonly [string, AttributeInput])[])
    : Object.entries(input)
  return entries.map(([key, value]) => ({ key, value: makeValue(value) }))
}

/** Returns one span for `encodeRequest`. Absent fields get valid values, and ids are random. */
export function makeSpan(input: SpanInput = {}) {
  const start = toNanos(input.start ?? Date.now() - 1_000)
  const end = input.end === undefined ? start + toNanos(input.durationMs ?? 5) : toNanos(input.end)
  return {
    traceId: idBytes(input.traceId ?? randomTraceId()),
    spanId: idBytes(input.spanId ?? randomSpanId()),
    traceState: input.traceState ?? '',
    parentSpanId: idBytes(input.parentSpanId ?? ''),
    name: input.name ?? 'chat',
    kind: input.kind ?? 3,
    startTimeUnixNano: start.toString(),
    endTimeUnixNano: end.toString(),
    attributes: makeAttributes(input.attributes),
    droppedAttributesCount: input.droppedAttributesCount ?? 0,
    events: (input.events ?? []).map((event) => ({
      timeUnixNano: event.time === undefined ? start.toString() : toNanos(event.time).toString(),
      name: event.name ?? 'event',
      attributes: makeAttributes(event.attributes),
    })),
    droppedEventsCount: input.droppedEventsCount ?? 0,
    links: (input.links ?? []).map((link) => ({
      traceId: idBytes(link.traceId ?? randomTraceId()),
      spanId: idBytes(link.spanId ?? randomSpanId()),
      attributes: makeAttributes(link.attributes),
    })),
    droppedLinksCount: input.droppedLinksCount ?? 0,
    status: { code: input.status?.code ?? 0, message: input.status?.message ?? '' },
  }
}

/** Returns `count` spans of one trace. The first is the parent of the others; `input` may differ by index. */
export function makeTraceSpans(count: number, input: SpanInput | ((index: number) => SpanInput) = {}): OtlpSpan[] {
  const traceId = randomTraceId()
  const rootId = randomSpanId()
  return Array.from({ length: count }, (_, index) =>
    makeSpan({
      traceId,
      ...(index === 0 ? { spanId: rootId } : { parentSpanId: rootId }),
      ...(typeof input === 'function' ? input(index) : input),
    }),
  )
}

/** Returns one resource with one scope. Default resource: `service.name` "agent-under-test". */
export function makeResourceSpans(input: ResourceSpansInput) {
  return {
    resource: { attributes: makeAttributes(input.resource ?? { 'service.name': 'agent-under-test' }) },
    schemaUrl: input.schemaUrl ?? '',
    scopeSpans: [
      {
        scope: {
          name: input.scope?.name ?? 'test-scope',
          version: input.scope?.version ?? '1.0.0',
          attributes: makeAttributes(input.scope?.attributes),
        },
        spans: [...input.spans],
      },
    ],
  }
}

export type OtlpResourceSpans = ReturnType<typeof makeResourceSpans>

const isSpans = (input: readonly OtlpSpan[] | readonly OtlpResourceSpans[]): input is readonly OtlpSpan[] =>
  input[0] !== undefined && 'spanId' in input[0]

/** Returns the uncompressed body of an ExportTraceServiceRequest. Bare spans get a default resource and scope. */
export function encodeRequest(
  input: readonly OtlpSpan[] | readonly OtlpResourceSpans[],
  format: 'protobuf' | 'json' = 'protobuf',
): Buffer {
  const resourceSpans = isSpans(input) ? [makeResourceSpans({ spans: input })] : input
  if (format === 'json') return Buffer.from(JSON.stringify(toOtlpJson({ resourceSpans })))
  return Buffer.from(exportRequestType.encode({ resourceSpans }).finish())
}
