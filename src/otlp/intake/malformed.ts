// The errors that reading a request throws: for malformed bytes and for too many spans.
import type { RejectReason } from '../reject.ts'

/**
 * Thrown inside a reader, and caught where the span, the resource or scope, or the request is read. `reason` is the rejection reason of a
 * span; for a resource and a request it is not used. The message never contains customer content.
 */
export class Malformed extends Error {
  override readonly name = 'Malformed'
  readonly reason: RejectReason

  constructor(message: string, reason: RejectReason = 'undecodable_span') {
    super(message)
    this.reason = reason
  }
}

/** Thrown at the first span above the limit, before any span is read. */
export class TooManySpans extends Error {
  override readonly name = 'TooManySpans'
}
