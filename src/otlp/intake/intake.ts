// What one request comes to: its spans, and a bounded account of those that were rejected.

import type { Flag } from '../../event/flag.ts'
import type { Rejection, RejectReason } from '../reject.ts'
import type { Resource, Scope, Span } from '../span.ts'
import type { Mending } from './clean.ts'
import { finishSpan, makeTimeWindow, type SpanDraft, type TimeWindow } from './finish-span.ts'
import type { IngestLimits } from './limits.ts'
import { Malformed } from './malformed.ts'
import { countRejection, openTally, type RejectionTally } from './rejection-tally.ts'

export type Intake = {
  readonly limits: IngestLimits
  readonly window: TimeWindow
  readonly mending: Mending
  /** Given each span as soon as it is read, so that it need not outlive what is made of it. */
  readonly onSpan: (span: Span) => void
  readonly rejections: RejectionTally
}

/** A resource or scope, read once for all its spans: its value and what was mended on it, or why its spans are rejected. */
export type Held<T> =
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
  mending: { limits, flags: new Set(), nestedLeft: limits.nestedValuesPerRequest },
  onSpan,
  rejections,
})

/** Reads a resource or scope; one that is broken rejects its spans, with the reason undecodable_resource, and nothing else. */
export function hold<T>(intake: Intake, what: 'resource' | 'scope', read: (mending: Mending) => T): Held<T> {
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
 * Takes the span `at` a place: it is given to `onSpan`, or counted as rejected. `isLog` tells, once a span proved to be unreadable or
 * without ids, whether it is a log record.
 */
export function takeSpan<At>(
  intake: Intake,
  resource: Held<Resource>,
  scope: Held<Scope>,
  at: At,
  read: (at: At, mending: Mending) => SpanDraft,
  isLog: (at: At) => boolean,
): void {
  const { mending, rejections } = intake
  if (!resource.ok) return countRejection(rejections, resource.rejection)
  if (!scope.ok) return countRejection(rejections, scope.rejection)
  mending.flags = new Set()
  let span: Span
  try {
    span = finishSpan(read(at, mending), resource.value, scope.value, intake.window, mending)
  } catch (error) {
    if (!(error instanceof Malformed)) throw error
    const { reason, message } = error
    return countRejection(rejections, logReasons.has(reason) && isLog(at) ? logRejection : { reason, detail: message })
  }
  // Only now: who reads the span tells by its flags whether something of it was mended.
  if (resource.flags.size > 0) for (const flag of resource.flags) span.flags.add(flag)
  if (scope.flags.size > 0) for (const flag of scope.flags) span.flags.add(flag)
  intake.onSpan(span)
}

/** Reasons that a log record, read as a span, comes to. */
const logReasons: ReadonlySet<RejectReason> = new Set(['undecodable_span', 'invalid_trace_id', 'invalid_span_id'])

export const logRejection: Rejection = {
  reason: 'looks_like_logs',
  detail: 'This looks like an OTLP log record. This endpoint accepts only traces; send logs to a logs endpoint.',
}
