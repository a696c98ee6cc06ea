// Collects the result of reading one request: its spans, and a bounded tally of the rejected ones.

import type { Flag } from '../../event/flag.ts'
import type { Resource, Scope, Span } from '../../event/span.ts'
import type { Rejection, RejectReason } from '../reject.ts'
import type { DecodeContext } from './clean.ts'
import { finishSpan, makeTimeWindow, type SpanDraft, type TimeWindow } from './finish-span.ts'
import type { IngestLimits } from './limits.ts'
import { Malformed } from './malformed.ts'
import { countRejection, openTally, type RejectionTally } from './rejection-tally.ts'

export type Intake = {
  readonly limits: IngestLimits
  readonly window: TimeWindow
  readonly mending: DecodeContext
  /** Called with each span as soon as it is read, so that spans need not be kept in memory. */
  readonly onSpan: (span: Span) => void
  readonly rejections: RejectionTally
}

/** A resource or scope, read once for all its spans: its value and the flags for what was corrected, or why its spans are rejected. */
export type ReadOnce<T> =
  | { readonly ok: true; readonly value: T; readonly flags: ReadonlySet<Flag> }
  | { readonly ok: false; readonly rejection: Rejection }

export const openIntake = (
  nowMs: number,
  limits: IngestLimits,
  onSpan: (span: Span) => void,
  rejections: RejectionTally = openTally(),
): Intake => ({
  limits,
  window: makeTimeWindow(nowMs, limits),
  mending: { limits, flags: new Set(), nestedLeft: limits.nestedValuesPerRequest, lostEntries: 0 },
  onSpan,
  rejections,
})

/** Reads a resource or scope. If it is broken, only its spans are rejected, with the reason undecodable_resource. */
export function hold<T>(intake: Intake, what: 'resource' | 'scope', read: (context: DecodeContext) => T): ReadOnce<T> {
  const flags = new Set<Flag>()
  intake.mending.flags = flags
  try {
    return { ok: true, value: read(intake.mending), flags }
  } catch (error) {
    if (!(error instanceof Malformed)) throw error
    const detail = `The ${what} of the span cannot be decoded. ${error.message}`
    return { ok: false, rejection: { reason: 'undecodable_resource', detail } }
  }
}

/**
 * Reads the span at the position `at` and passes it to `onSpan`, or counts it as rejected. `isLog` is called for a span that is unreadable
 * or has invalid ids; it returns whether the span is a log record.
 */
export function takeSpan<At>(
  intake: Intake,
  resource: ReadOnce<Resource>,
  scope: ReadOnce<Scope>,
  at: At,
  read: (at: At, context: DecodeContext) => SpanDraft,
  isLog: (at: At) => boolean,
): void {
  const { mending: context, rejections } = intake
  if (!resource.ok) return countRejection(rejections, resource.rejection)
  if (!scope.ok) return countRejection(rejections, scope.rejection)
  context.flags = new Set()
  let span: Span
  try {
    span = finishSpan(read(at, context), resource.value, scope.value, intake.window, context)
  } catch (error) {
    if (!(error instanceof Malformed)) throw error
    const { reason, message } = error
    return countRejection(rejections, logReasons.has(reason) && isLog(at) ? logRejection : { reason, detail: message })
  }
  // Added after reading: while a span is read, any flag means that the span itself was corrected.
  if (resource.flags.size > 0) for (const flag of resource.flags) span.flags.add(flag)
  if (scope.flags.size > 0) for (const flag of scope.flags) span.flags.add(flag)
  intake.onSpan(span)
}

/** The reasons for which a log record that is read as a span can be rejected. */
const logReasons: ReadonlySet<RejectReason> = new Set(['undecodable_span', 'invalid_trace_id', 'invalid_span_id'])

export const logRejection: Rejection = {
  reason: 'looks_like_logs',
  detail: 'This looks like an OTLP log record. This endpoint accepts only traces; send logs to a logs endpoint.',
}
