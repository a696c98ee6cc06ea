// The errors that reading a request may raise: the bytes are not what they claim to be, or are too many spans.
import type { RejectReason } from '../reject.ts'

/**
 * Thrown deep inside a reader and caught at the nearest border: a span, a resource or scope, or the request.
 * `reason` is what a span is rejected for; a resource and a request have reasons of their own. The message never holds customer content.
 */
export class Malformed extends Error {
  override readonly name = 'Malformed'
  readonly reason: RejectReason

  constructor(message: string, reason: RejectReason = 'undecodable_span') {
    super(message)
    this.reason = reason
  }
}

/** Thrown by a walk as soon as it has met one span more than the limit, before any span is read. */
export class TooManySpans extends Error {
  override readonly name = 'TooManySpans'
}
