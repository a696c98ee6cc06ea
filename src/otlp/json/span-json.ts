// Reads a span, resource or scope from parsed OTLP/JSON.

import type { Resource, Scope, SpanEvent, SpanLink } from '../../event/span.ts'
import { openBag } from '../intake/attribute-bag.ts'
import { type DecodeContext, fitText, holderCost, spendNested } from '../intake/clean.ts'
import { isSpanId, isTraceId, openDraft, type SpanDraft } from '../intake/finish-span.ts'
import { asCount, asEnum, asId, asList, asNanos, asObject, asText, pick, type WireObject } from './json-fields.ts'
import { readAttributes } from './value-json.ts'

const kindNames = ['UNSPECIFIED', 'INTERNAL', 'SERVER', 'CLIENT', 'PRODUCER', 'CONSUMER'].map(
  (name) => `SPAN_KIND_${name}`,
)
const statusNames = ['UNSET', 'OK', 'ERROR'].map((name) => `STATUS_CODE_${name}`)
const traceIdBytes = 16
const spanIdBytes = 8

const readName = (value: unknown, field: string, context: DecodeContext): string =>
  fitText(asText(value, field), context.limits.nameBytes, context)

/** Reads a span. Throws Malformed if a field has a wrong JSON type. */
export function readSpan(input: unknown, context: DecodeContext): SpanDraft {
  const span = asObject(input, 'The span')
  const bag = openBag('span')
  const draft = openDraft(bag.map)
  draft.traceId = asId(pick(span, 'traceId', 'trace_id'), traceIdBytes, 'traceId')
  draft.spanId = asId(pick(span, 'spanId', 'span_id'), spanIdBytes, 'spanId')
  draft.parentSpanId = asId(pick(span, 'parentSpanId', 'parent_span_id'), spanIdBytes, 'parentSpanId')
  draft.traceState = readName(pick(span, 'traceState', 'trace_state'), 'traceState', context)
  draft.name = readName(span.name, 'name', context)
  draft.spanKind = asEnum(span.kind, kindNames, 'kind')
  draft.startTimeUnixNano = asNanos(pick(span, 'startTimeUnixNano', 'start_time_unix_nano'), 'startTimeUnixNano')
  draft.endTimeUnixNano = asNanos(pick(span, 'endTimeUnixNano', 'end_time_unix_nano'), 'endTimeUnixNano')
  readAttributes(span.attributes, bag, context)
  draft.attributesCut = bag.dropped
  draft.droppedAttributesCount = asCount(
    pick(span, 'droppedAttributesCount', 'dropped_attributes_count'),
    'droppedAttributesCount',
  )
  for (const event of asList(span.events, 'events')) readEvent(event, draft, context)
  draft.droppedEventsCount = asCount(pick(span, 'droppedEventsCount', 'dropped_events_count'), 'droppedEventsCount')
  for (const link of asList(span.links, 'links')) readLink(link, draft, context)
  draft.droppedLinksCount = asCount(pick(span, 'droppedLinksCount', 'dropped_links_count'), 'droppedLinksCount')
  if (span.status !== undefined && span.status !== null) {
    const status = asObject(span.status, 'status')
    draft.statusCode = asEnum(status.code, statusNames, 'status.code')
    draft.statusMessage = fitText(asText(status.message, 'status.message'), context.limits.valueBytes, context)
  }
  return draft
}

function readEvent(input: unknown, draft: SpanDraft, context: DecodeContext): void {
  if (draft.events.length >= context.limits.events || !spendNested(context, holderCost)) {
    context.flags.add('truncated')
    draft.eventsCut++
    return
  }
  const event = asObject(input, 'Each event')
  const bag = openBag('event')
  readAttributes(event.attributes, bag, context)
  const read: SpanEvent = {
    name: readName(event.name, 'events[].name', context),
    timeUnixNano: asNanos(pick(event, 'timeUnixNano', 'time_unix_nano'), 'events[].timeUnixNano'),
    attributes: bag.map,
  }
  draft.events.push(read)
}

function readLink(input: unknown, draft: SpanDraft, context: DecodeContext): void {
  if (draft.links.length >= context.limits.links || !spendNested(context, holderCost)) {
    context.flags.add('truncated')
    draft.linksCut++
    return
  }
  const link = asObject(input, 'Each link')
  const bag = openBag('link')
  readAttributes(link.attributes, bag, context)
  const traceId = asId(pick(link, 'traceId', 'trace_id'), traceIdBytes, 'links[].traceId')
  const spanId = asId(pick(link, 'spanId', 'span_id'), spanIdBytes, 'links[].spanId')
  if (!isTraceId(traceId) || !isSpanId(spanId)) {
    draft.linksCut++
    return
  }
  const read: SpanLink = { traceId, spanId, attributes: bag.map }
  draft.links.push(read)
}

/** Reads a resource (`input` undefined: there is none) and its schema URL. */
export function readResource(input: unknown, schemaUrl: unknown, context: DecodeContext): Resource {
  const bag = openBag('resource')
  if (input !== undefined && input !== null) readAttributes(asObject(input, 'resource').attributes, bag, context)
  return { attributes: bag.map, schemaUrl: readName(schemaUrl, 'schemaUrl', context) }
}

export function readScope(input: unknown, context: DecodeContext): Scope {
  const bag = openBag('scope')
  const scope: WireObject = input === undefined || input === null ? {} : asObject(input, 'scope')
  readAttributes(scope.attributes, bag, context)
  return {
    name: readName(scope.name, 'name', context),
    version: readName(scope.version, 'version', context),
    attributes: bag.map,
  }
}

/** True if the object has a field of a log record and no start time of a span. */
export function isLogRecord(input: unknown): boolean {
  if (typeof input !== 'object' || input === null || Array.isArray(input)) return false
  const object = input as WireObject
  if (pick(object, 'startTimeUnixNano', 'start_time_unix_nano') !== undefined) return false
  return logFields.some((name) => Object.hasOwn(object, name))
}

const logFields = ['timeUnixNano', 'observedTimeUnixNano', 'severityNumber', 'severityText', 'body']
