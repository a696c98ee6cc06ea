// Spans for tests of floor 1, in the form that the decoder returns.

import type { Content, Event, Usage } from '../../src/event/event.ts'
import type { AttributeMap, AttributeValue, Span } from '../../src/event/span.ts'
import { normalise, readContent } from '../../src/normalise/normalise.ts'

export type Plain =
  | string
  | number
  | bigint
  | boolean
  | null
  | Uint8Array
  | readonly Plain[]
  | { readonly [key: string]: Plain }

function toValue(plain: Plain): AttributeValue {
  if (typeof plain !== 'object' || plain === null || plain instanceof Uint8Array) return plain
  if (Array.isArray(plain)) return plain.map(toValue)
  return toMap(plain as { readonly [key: string]: Plain })
}

export const toMap = (plain: { readonly [key: string]: Plain }): AttributeMap =>
  new Map(Object.entries(plain).map(([key, value]) => [key, toValue(value)]))

export type SpanGiven = {
  readonly name?: string
  readonly scope?: string
  readonly attributes?: { readonly [key: string]: Plain }
  readonly resource?: { readonly [key: string]: Plain }
  readonly events?: readonly { readonly name: string; readonly attributes: { readonly [key: string]: Plain } }[]
  readonly statusCode?: 0 | 1 | 2
  readonly spanKind?: number
  readonly statusMessage?: string
  readonly start?: bigint
  readonly end?: bigint
}

export const start = 1_790_000_000_000_000_000n

export function makeSpan(given: SpanGiven = {}): Span {
  return {
    traceId: '0af7651916cd43dd8448eb211c80319c',
    spanId: 'b7ad6b7169203331',
    parentSpanId: null,
    traceState: '',
    name: given.name ?? 'span',
    spanKind: given.spanKind ?? 3,
    startTimeUnixNano: given.start ?? start,
    endTimeUnixNano: given.end ?? start + 1_500_000n,
    attributes: toMap(given.attributes ?? {}),
    droppedAttributesCount: 0,
    events: (given.events ?? []).map(({ name, attributes }) => ({
      name,
      timeUnixNano: start,
      attributes: toMap(attributes),
    })),
    droppedEventsCount: 0,
    links: [],
    droppedLinksCount: 0,
    statusCode: given.statusCode ?? 0,
    statusMessage: given.statusMessage ?? '',
    resource: { attributes: toMap(given.resource ?? {}), schemaUrl: '' },
    scope: { name: given.scope ?? '', version: '', attributes: new Map() },
    flags: new Set(),
    received: null,
  }
}

/** Returns the event of a span, and its content. */
export function read(given: SpanGiven): Event & { readonly content: Content } {
  const span = makeSpan(given)
  return { ...normalise(span), content: readContent(span) }
}

/** [input, output, cached, cache write, reasoning] */
export const counts = (usage: Usage) => [
  usage.inputTokens,
  usage.outputTokens,
  usage.cachedTokens,
  usage.cacheWriteTokens,
  usage.reasoningTokens,
]

export const json = JSON.stringify
