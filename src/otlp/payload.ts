// Floor 1. What is stored of a span beside its columns: the parts that only the view of one event shows.
import { deflateSync } from 'node:zlib'
import { attributesToJson } from './attribute-json.ts'
import type { Content, Event } from './event.ts'
import { applyContentMode, type ContentMode, redactAttributes } from './redact/content-mode.ts'
import type { Redactor } from './redact/redactor.ts'
import type { AttributeMap, Span } from './span.ts'

// Columns hold these, as bytes.
const storedApart = ['tracewright.tool.ciphertext', 'tracewright.tool.iv', 'tracewright.tool.tag']

/**
 * Deflated JSON of attributes, resource, scope, span events, links and content, as far as the workspace's content mode lets
 * them be kept. Adds the flags `redacted` and `content_dropped` to the event.
 */
export function encodePayload(span: Span, event: Event, mode: ContentMode, redactor: Redactor): Uint8Array {
  const kept = applyContentMode(mode, event.content, redactor)
  if (kept.redacted) event.flags.add('redacted')
  if (kept.failed) event.flags.add('content_dropped')

  const keep = (attributes: AttributeMap, content: Content | null): Record<string, unknown> => {
    const result = redactAttributes(mode, attributes, content, redactor)
    if (result.redacted) event.flags.add('redacted')
    if (result.failed) event.flags.add('content_dropped')
    return attributesToJson(result.attributes)
  }

  for (const key of storedApart) span.attributes.delete(key)
  const text = JSON.stringify({
    attributes: keep(span.attributes, kept.content),
    resource: { attributes: keep(span.resource.attributes, null), schema_url: span.resource.schemaUrl },
    scope: { name: span.scope.name, version: span.scope.version, attributes: keep(span.scope.attributes, null) },
    events: span.events.map(({ name, timeUnixNano, attributes }) => ({
      name,
      time: toIsoTime(timeUnixNano),
      attributes: keep(attributes, kept.content),
    })),
    links: span.links.map(({ traceId, spanId, attributes }) => ({
      trace_id: traceId,
      span_id: spanId,
      attributes: keep(attributes, null),
    })),
    dropped: {
      attributes: span.droppedAttributesCount,
      events: span.droppedEventsCount,
      links: span.droppedLinksCount,
    },
    ...describeContent(kept.content),
  })
  return deflateSync(text, { level: 1 })
}

function describeContent(content: Content | null): Record<string, unknown> {
  if (content === null) return {}
  return {
    ...(content.inputMessages === null ? {} : { input_messages: content.inputMessages }),
    ...(content.outputMessages === null ? {} : { output_messages: content.outputMessages }),
    ...((content.toolArguments ?? null) === null ? {} : { tool_arguments: content.toolArguments }),
    ...((content.toolResult ?? null) === null ? {} : { tool_result: content.toolResult }),
  }
}

const maxDateMs = 8.64e15

function toIsoTime(unixNano: bigint): string | null {
  const ms = Number(unixNano / 1_000_000n)
  return ms > maxDateMs ? null : new Date(ms).toISOString()
}
