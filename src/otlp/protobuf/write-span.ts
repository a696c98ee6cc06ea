// Writes spans, resources and scopes as OTLP protobuf, for spans that cannot be stored as they were received.
import type { Attributes, AttributeValue, Resource, Scope, Span, SpanEvent, SpanLink } from '../../event/span.ts'
import type { MessageWriter } from './message-writer.ts'
import { openCursor, readTag, skipField } from './wire.ts'

const attributeTag = 0x4a

/** Writes the fields of a Span message. */
export function writeSpan(writer: MessageWriter, span: Span): void {
  writer.hex(0x0a, span.traceId)
  writer.hex(0x12, span.spanId)
  if (span.traceState !== '') writer.text(0x1a, span.traceState)
  if (span.parentSpanId !== null) writer.hex(0x22, span.parentSpanId)
  writer.text(0x2a, span.name)
  writer.varint(0x30, span.spanKind)
  writer.fixed64(0x39, span.startTimeUnixNano)
  writer.fixed64(0x41, span.endTimeUnixNano)
  writeAttributes(writer, attributeTag, span.attributes)
  writeCount(writer, 0x50, span.droppedAttributesCount)
  for (const event of span.events) writeEvent(writer, event)
  writeCount(writer, 0x60, span.droppedEventsCount)
  for (const link of span.links) writeLink(writer, link)
  writeCount(writer, 0x70, span.droppedLinksCount)
  const status = writer.begin(0x7a)
  if (span.statusMessage !== '') writer.text(0x12, span.statusMessage)
  writer.varint(0x18, span.statusCode)
  writer.end(status)
}

/** A new value for the attribute of a span with the index `place`, whose key is `key`. */
export type NewValue = { readonly place: number; readonly key: string; readonly value: AttributeValue }

/** Writes the fields of a received Span with these values changed; `changes` must be in ascending order of `place`. The rest is unchanged. */
export function rewriteSpan(writer: MessageWriter, received: Uint8Array, changes: readonly NewValue[]): void {
  const cursor = openCursor(received)
  let place = 0
  let written = 0
  for (const change of changes) {
    for (let isThere = false; !isThere; ) {
      const start = cursor.pos
      const tag = readTag(cursor)
      skipField(cursor, tag)
      if (tag !== attributeTag || place++ < change.place) continue
      writer.fields(received.subarray(written, start))
      writeAttribute(writer, attributeTag, change.key, change.value)
      written = cursor.pos
      isThere = true
    }
  }
  writer.fields(received.subarray(written))
}

/** Writes the resource and the schema URL, as fields of ResourceSpans. */
export function writeResource(writer: MessageWriter, { attributes, schemaUrl }: Resource): void {
  const resource = writer.begin(0x0a)
  writeAttributes(writer, 0x0a, attributes)
  writer.end(resource)
  if (schemaUrl !== '') writer.text(0x1a, schemaUrl)
}

/** Writes the scope, as a field of ScopeSpans. */
export function writeScope(writer: MessageWriter, { name, version, attributes }: Scope): void {
  const scope = writer.begin(0x0a)
  writer.text(0x0a, name)
  writer.text(0x12, version)
  writeAttributes(writer, 0x1a, attributes)
  writer.end(scope)
}

function writeCount(writer: MessageWriter, tag: number, count: number): void {
  if (count > 0) writer.varint(tag, count)
}

function writeEvent(writer: MessageWriter, { name, timeUnixNano, attributes }: SpanEvent): void {
  const event = writer.begin(0x5a)
  writer.fixed64(0x09, timeUnixNano)
  writer.text(0x12, name)
  writeAttributes(writer, 0x1a, attributes)
  writer.end(event)
}

function writeLink(writer: MessageWriter, { traceId, spanId, attributes }: SpanLink): void {
  const link = writer.begin(0x6a)
  writer.hex(0x0a, traceId)
  writer.hex(0x12, spanId)
  writeAttributes(writer, 0x22, attributes)
  writer.end(link)
}

function writeAttributes(writer: MessageWriter, tag: number, attributes: Attributes): void {
  for (const [key, value] of attributes) writeAttribute(writer, tag, key, value)
}

function writeAttribute(writer: MessageWriter, tag: number, key: string, value: AttributeValue): void {
  const pair = writer.begin(tag)
  writer.text(0x0a, key)
  const any = writer.begin(0x12)
  writeValue(writer, value)
  writer.end(any)
  writer.end(pair)
}

/** Writes the field of an AnyValue, and nothing for null. */
function writeValue(writer: MessageWriter, value: AttributeValue): void {
  if (typeof value === 'string') writer.text(0x0a, value)
  else if (typeof value === 'boolean') writer.varint(0x10, value ? 1 : 0)
  else if (typeof value === 'bigint' || Number.isSafeInteger(value)) writer.varint(0x18, value as bigint | number)
  else if (typeof value === 'number') writer.double(0x21, value)
  else if (value instanceof Uint8Array) writer.bytes(0x3a, value)
  else if (value instanceof Map) {
    const map = writer.begin(0x32)
    writeAttributes(writer, 0x0a, value)
    writer.end(map)
  } else if (value !== null) writeList(writer, value)
}

function writeList(writer: MessageWriter, values: readonly AttributeValue[]): void {
  const list = writer.begin(0x2a)
  for (const value of values) {
    const item = writer.begin(0x0a)
    writeValue(writer, value)
    writer.end(item)
  }
  writer.end(list)
}
