// SDK. The number of spans in a request. It shrinks while the service fails on batches, until a span that causes the failure is alone.

/** How often the service failed on this span alone, and how many batches it had accepted at the last of these failures. */
export type Failures = { failures: number; takenBefore: number }

export type BatchLimit = {
  /** Returns how many spans the next batch may have. */
  readonly spans: () => number
  /** To be called after the service has accepted a batch. */
  readonly grow: () => void
  /** To be called after the service has failed on a batch. Returns false where the batch cannot have fewer spans. */
  readonly shrink: () => boolean
  /**
   * To be called after the service has failed on one span alone. Returns true after three such failures with accepted batches in between:
   * the span is the cause.
   */
  readonly isHopeless: (span: Failures) => boolean
}

export const noFailures: Readonly<Failures> = { failures: 0, takenBefore: -1 }
const step = 4
const mostFailures = 3

export function openBatchLimit(mostSpans: number): BatchLimit {
  let spans = mostSpans
  let taken = 0
  return {
    spans: () => spans,
    grow() {
      taken += 1
      spans = Math.min(mostSpans, spans * step)
    },
    shrink() {
      const before = spans
      spans = Math.max(1, Math.floor(spans / step))
      return spans < before
    },
    isHopeless(span) {
      // A failure counts only if a batch was accepted since the last one:
      // a service that fails on everything proves nothing about this span.
      if (taken > span.takenBefore) span.failures += 1
      span.takenBefore = taken
      return span.failures >= mostFailures
    },
  }
}
