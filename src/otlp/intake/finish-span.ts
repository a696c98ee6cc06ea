// Checks a span that was read from either encoding. The result is a Span or a Rejection.

import type { Attributes, Resource, Scope, Span, SpanEvent, SpanLink } from '../../event/span.ts'
import type { DecodeContext } from './clean.ts'
import type { IngestLimits } from './limits.ts'
import { Malformed } from './malformed.ts'

/** A span while it is being read. An id is lower-case hex, '' where absent, null where it has a wrong form. */
export type SpanDraft = {
  traceId: string | null
  spanId: string | null
  parentSpanId: string | null
  traceState: string
  name: string
  spanKind: number
  startTimeUnixNano: bigint
  endTimeUnixNano: bigint
  attributes: Attributes
  /** The number that the sender reports as dropped; `…Cut` is the number dropped here. */
  droppedAttributesCount: number
  attributesCut: number
  readonly events: SpanEvent[]
  droppedEventsCount: number
  eventsCut: number
  readonly links: SpanLink[]
  droppedLinksCount: number
  linksCut: number
  statusCode: number
  statusMessage: string
  /** As in Span. */
  received: Uint8Array | null
  /** Nothing was skipped: no unknown field, and none that occurs twice. Also false for a span with events or links. */
  isExact: boolean
}

export const openDraft = (attributes: Attributes): SpanDraft => ({
  traceId: '',
  spanId: '',
  parentSpanId: '',
  traceState: '',
  name: '',
  spanKind: 0,
  startTimeUnixNano: 0n,
  endTimeUnixNano: 0n,
  attributes,
  droppedAttributesCount: 0,
  attributesCut: 0,
  events: [],
  droppedEventsCount: 0,
  eventsCut: 0,
  links: [],
  droppedLinksCount: 0,
  linksCut: 0,
  statusCode: 0,
  statusMessage: '',
  received: null,
  isExact: true,
})

/** When a span may have started and how long it may last, in Unix nanoseconds. */
export type TimeWindow = {
  readonly earliest: bigint
  readonly latest: bigint
  readonly maxDuration: bigint
  /** A span that ends later than this was timed by a clock that is ahead. */
  readonly ahead: bigint
  /** The limits as rejection details for the sender. The text is the same for every span, since a tally keeps few texts. */
  readonly tooOld: string
  readonly tooNew: string
}

const traceIdLength = 32
const spanIdLength = 16
const noTraceId = '0'.repeat(traceIdLength)
const noSpanId = '0'.repeat(spanIdLength)
const maxSpanKind = 5
const maxCount = 0x7fffffff
const nanosPerMs = 1_000_000n

const dayMs = 86_400_000
/** More than the clocks of synchronized machines differ. */
const clockToleranceMs = 1_000

const describeAge = (ms: number): string => (ms % dayMs === 0 ? `${ms / dayMs} d` : `${ms / 1_000} s`)

export function makeTimeWindow(nowMs: number, limits: IngestLimits): TimeWindow {
  const at = (ms: number) => BigInt(Math.floor(ms)) * nanosPerMs
  return {
    earliest: at(nowMs - limits.maxAgeMs),
    latest: at(nowMs + limits.maxAheadMs),
    maxDuration: at(limits.maxDurationMs),
    ahead: at(nowMs + clockToleranceMs),
    tooOld: `The span started more than ${describeAge(limits.maxAgeMs)} before it was received (TRACEWRIGHT_INGEST_MAX_AGE_S). Times are in nanoseconds.`,
    tooNew: `The span starts more than ${limits.maxAheadMs / 1_000} s after it was received (TRACEWRIGHT_INGEST_MAX_AHEAD_S). Times are in nanoseconds.`,
  }
}

/** Throws Malformed if the encoded span is too large. Call it before the span is read. */
export function requireSpanSize(bytes: number, limits: IngestLimits): void {
  if (bytes > limits.spanBytes)
    throw new Malformed(`The span is larger than ${limits.spanBytes} bytes.`, 'span_too_large')
}

/** Returns the span, with `mending.flags` as its flags. Throws Malformed, with the reason, if it cannot be stored. */
export function finishSpan(
  draft: SpanDraft,
  resource: Resource,
  scope: Scope,
  window: TimeWindow,
  context: DecodeContext,
): Span {
  const { flags } = context
  const { traceId, spanId, startTimeUnixNano, endTimeUnixNano, statusCode, spanKind } = draft
  if (!isTraceId(traceId)) {
    throw new Malformed(
      'The trace id must be 16 bytes (in OTLP/JSON 32 hex digits), not all of them zero.',
      'invalid_trace_id',
    )
  }
  if (!isSpanId(spanId)) {
    throw new Malformed(
      'The span id must be 8 bytes (in OTLP/JSON 16 hex digits), not all of them zero.',
      'invalid_span_id',
    )
  }
  checkStart(startTimeUnixNano, window)
  const lasted = endTimeUnixNano - startTimeUnixNano
  const hasDuration = lasted >= 0n && lasted < window.maxDuration
  if (!hasDuration) flags.add('duration_unknown')
  if ((hasDuration ? endTimeUnixNano : startTimeUnixNano) > window.ahead) flags.add('clock_ahead')
  if (draft.name === '') flags.add('name_missing')
  return {
    traceId,
    spanId,
    parentSpanId: pickParent(draft.parentSpanId, spanId, context),
    traceState: draft.traceState,
    name: draft.name === '' ? 'unknown' : draft.name,
    spanKind: spanKind >= 0 && spanKind <= maxSpanKind ? spanKind : 0,
    startTimeUnixNano,
    endTimeUnixNano,
    attributes: draft.attributes,
    droppedAttributesCount: Math.min(draft.droppedAttributesCount + draft.attributesCut, maxCount),
    events: draft.events,
    droppedEventsCount: Math.min(draft.droppedEventsCount + draft.eventsCut, maxCount),
    links: draft.links,
    droppedLinksCount: Math.min(draft.droppedLinksCount + draft.linksCut, maxCount),
    statusCode: statusCode === 1 || statusCode === 2 ? statusCode : 0,
    statusMessage: draft.statusMessage,
    resource,
    scope,
    flags,
    received: draft.received,
  }
}

/** True for the hex of 16 bytes that are not all zero. */
export const isTraceId = (id: string | null): id is string =>
  id !== null && id.length === traceIdLength && id !== noTraceId

/** True for the hex of 8 bytes that are not all zero. */
export const isSpanId = (id: string | null): id is string =>
  id !== null && id.length === spanIdLength && id !== noSpanId

function checkStart(start: bigint, window: TimeWindow): void {
  if (start === 0n) throw new Malformed('The span has no start time.', 'start_time_missing')
  if (start < window.earliest) throw new Malformed(window.tooOld, 'start_time_too_old')
  if (start > window.latest) throw new Malformed(window.tooNew, 'start_time_in_future')
}

/** Some senders report an all-zero parent id where there is no parent. */
function pickParent(parent: string | null, spanId: string, context: DecodeContext): string | null {
  if (parent === '' || parent === noSpanId) return null
  if (isSpanId(parent) && parent !== spanId) return parent
  context.flags.add('parent_invalid')
  return null
}
