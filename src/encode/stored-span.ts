// Reads a stored payload: one span of a block, in the form that the view of its event shows.
import type { Content, Message, MessagePart } from '../event/event.ts'
import type { Flag } from '../event/flag.ts'
import type { Attributes, Span } from '../event/span.ts'
import { readContent } from '../normalise/normalise.ts'
import { hold, openIntake, takeSpan } from '../otlp/intake/intake.ts'
import { defaultIngestLimits, type IngestLimits } from '../otlp/intake/limits.ts'
import { readResource, readScope } from '../otlp/protobuf/resource-protobuf.ts'
import { readSpan } from '../otlp/protobuf/span-protobuf.ts'
import { type Cursor, openCursor } from '../otlp/protobuf/wire.ts'
import { eachMessage } from '../otlp/protobuf/wire-message.ts'
import { type ContentSide, contentSideOf } from '../redact/content-attributes.ts'
import { attributesToJson } from './attribute-json.ts'

type JsonAttributes = Record<string, unknown>

type ShownMessage = { role: string; parts: MessagePart[] }

/** JSON values with the field names of the API. */
export type Payload = {
  readonly attributes: JsonAttributes
  readonly resource: { readonly attributes: JsonAttributes; readonly schema_url: string }
  readonly scope: { readonly name: string; readonly version: string; readonly attributes: JsonAttributes }
  readonly events: { name: string; time: string | null; attributes: JsonAttributes }[]
  readonly links: { trace_id: string; span_id: string; attributes: JsonAttributes }[]
  readonly dropped: { readonly attributes: number; readonly events: number; readonly links: number }
  readonly input_messages?: ShownMessage[]
  readonly output_messages?: ShownMessage[]
  readonly tool_arguments?: unknown
  readonly tool_result?: unknown
}

/** Accepts any time: what is stored was accepted before. */
const anyTime = 2n ** 64n
const window = { earliest: 0n, latest: anyTime, maxDuration: anyTime, ahead: anyTime, tooOld: '', tooNew: '' }

const maxBytes = 67_108_864

/** Redaction can make a text longer than the limits of ingest. What is stored is shown in full. */
const limits: IngestLimits = {
  ...defaultIngestLimits,
  spanBytes: maxBytes,
  keyBytes: maxBytes,
  valueBytes: maxBytes,
  contentValueBytes: maxBytes,
  nameBytes: maxBytes,
}

/** Reads the span with the index `no` of an OTLP ExportTraceServiceRequest, and no other. Throws if it is missing or damaged. */
function readStoredSpan(request: Uint8Array, no: number): Span {
  const spans: Span[] = []
  const intake = { ...openIntake(0, limits, (span) => spans.push(span)), window }
  let left = no
  const copy = (cursor: Cursor): Cursor => ({ ...cursor })
  eachMessage(openCursor(request), 0x0a, (resourceSpans) => {
    const around = copy(resourceSpans)
    eachMessage(resourceSpans, 0x12, (scopeSpans) => {
      const scopeStart = copy(scopeSpans)
      eachMessage(scopeSpans, 0x12, (span) => {
        if (left-- !== 0) return
        const resource = hold(intake, 'resource', (mending) => readResource(copy(around), mending))
        const scope = hold(intake, 'scope', (mending) => readScope(copy(scopeStart), mending))
        takeSpan(intake, resource, scope, copy(span), readSpan, () => false)
      })
    })
  })
  const [span] = spans
  if (span === undefined) throw new Error('a payload block is corrupt')
  return span
}

/** Returns what the view of one event shows beside its columns, and the flags for what had to be cut. About 0.1 ms. */
export function readStoredPayload(
  request: Uint8Array,
  no: number,
): { readonly payload: Payload; readonly flags: ReadonlySet<Flag> } {
  const span = readStoredSpan(request, no)
  const content = readContent(span)
  const held = heldSides(content)
  const show = (attributes: Attributes): JsonAttributes => attributesToJson(withoutHeld(attributes, held))
  const payload: Payload = {
    attributes: show(span.attributes),
    resource: { attributes: attributesToJson(span.resource.attributes), schema_url: span.resource.schemaUrl },
    scope: {
      name: span.scope.name,
      version: span.scope.version,
      attributes: attributesToJson(span.scope.attributes),
    },
    events: span.events.map(({ name, timeUnixNano, attributes }) => ({
      name,
      time: toIsoTime(timeUnixNano),
      attributes: show(attributes),
    })),
    links: span.links.map(({ traceId, spanId, attributes }) => ({
      trace_id: traceId,
      span_id: spanId,
      attributes: attributesToJson(attributes),
    })),
    dropped: {
      attributes: span.droppedAttributesCount,
      events: span.droppedEventsCount,
      links: span.droppedLinksCount,
    },
    ...describeContent(content),
  }
  return { payload, flags: span.flags }
}

/** Returns the sides of content attributes that the normalised content already shows. */
function heldSides(content: Content): ReadonlySet<ContentSide> {
  const held = new Set<ContentSide>()
  if (content.inputMessages !== null || (content.toolArguments ?? null) !== null) held.add('in').add('both')
  if (content.outputMessages !== null || (content.toolResult ?? null) !== null) held.add('out').add('both')
  return held
}

function withoutHeld(attributes: Attributes, held: ReadonlySet<ContentSide>): Attributes {
  if (held.size === 0) return attributes
  return new Map(
    [...attributes].filter(([key]) => {
      const side = contentSideOf(key)
      return side === null || !held.has(side)
    }),
  )
}

const showMessage = ({ role, parts }: Message): ShownMessage => ({ role, parts: [...parts] })

function describeContent(content: Content): Partial<Payload> {
  return {
    ...(content.inputMessages === null ? {} : { input_messages: content.inputMessages.map(showMessage) }),
    ...(content.outputMessages === null ? {} : { output_messages: content.outputMessages.map(showMessage) }),
    ...((content.toolArguments ?? null) === null ? {} : { tool_arguments: content.toolArguments }),
    ...((content.toolResult ?? null) === null ? {} : { tool_result: content.toolResult }),
  }
}

const maxDateMs = 8.64e15

function toIsoTime(unixNano: bigint): string | null {
  const ms = Number(unixNano / 1_000_000n)
  return ms > maxDateMs ? null : new Date(ms).toISOString()
}
