// Floor 1. What is stored of a span beside its columns: the parts that only the view of one event shows.

import type { Content, Event } from '../event.ts'
import { applyContentMode, type ContentMode, redactAttributes } from '../redact/content-mode.ts'
import type { Redactor } from '../redact/redactor.ts'
import type { AttributeMap, Span } from '../span.ts'
import { attributesToJson } from './attribute-json.ts'

// Columns hold these, as bytes.
const storedApart = ['tracewright.tool.ciphertext', 'tracewright.tool.iv', 'tracewright.tool.tag']

export type PayloadEncoder = {
  /**
   * JSON of attributes, resource, scope, span events, links and content, as far as the workspace's content mode lets
   * them be kept. Adds the flags `redacted` and `content_dropped` to the event.
   */
  encode(span: Span, event: Event): string
}

type Kept = { readonly json: Record<string, unknown>; readonly redacted: boolean; readonly failed: boolean }

/** For the spans of one request, which share resources and scopes: these are looked through once. */
export function openPayloadEncoder(mode: ContentMode, redactor: Redactor): PayloadEncoder {
  const shared = new Map<AttributeMap, Kept>()

  function keep(attributes: AttributeMap, content: Content | null): Kept {
    const result = redactAttributes(mode, attributes, content, redactor)
    return { json: attributesToJson(result.attributes), redacted: result.redacted, failed: result.failed }
  }

  function keepShared(attributes: AttributeMap): Kept {
    const before = shared.get(attributes)
    if (before !== undefined) return before
    const kept = keep(attributes, null)
    shared.set(attributes, kept)
    return kept
  }

  return {
    encode(span, event) {
      const content = applyContentMode(mode, event.content, redactor)
      const note = ({ redacted, failed }: Pick<Kept, 'redacted' | 'failed'>): void => {
        if (redacted) event.flags.add('redacted')
        if (failed) event.flags.add('content_dropped')
      }
      const show = (kept: Kept): Record<string, unknown> => {
        note(kept)
        return kept.json
      }
      note(content)
      for (const key of storedApart) span.attributes.delete(key)
      return JSON.stringify({
        attributes: show(keep(span.attributes, content.content)),
        resource: { attributes: show(keepShared(span.resource.attributes)), schema_url: span.resource.schemaUrl },
        scope: {
          name: span.scope.name,
          version: span.scope.version,
          attributes: show(keepShared(span.scope.attributes)),
        },
        events: span.events.map(({ name, timeUnixNano, attributes }) => ({
          name,
          time: toIsoTime(timeUnixNano),
          attributes: show(keep(attributes, content.content)),
        })),
        links: span.links.map(({ traceId, spanId, attributes }) => ({
          trace_id: traceId,
          span_id: spanId,
          attributes: show(keep(attributes, null)),
        })),
        dropped: {
          attributes: span.droppedAttributesCount,
          events: span.droppedEventsCount,
          links: span.droppedLinksCount,
        },
        ...describeContent(content.content),
      })
    },
  }
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
