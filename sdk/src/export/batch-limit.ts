// SDK. How many spans a request may have while a service that answers fails on them: fewer each time, until the one that it fails on is alone.

/** What is noted of a span: how often it was failed on by itself, and how many batches had been taken by then. */
export type Failures = { failures: number; takenBefore: number }

export type BatchLimit = {
  /** Spans of the next batch at most. */
  readonly spans: () => number
  /** A batch was taken. */
  readonly grow: () => void
  /** A batch was failed on. False where it can have no fewer spans. */
  readonly shrink: () => boolean
  /** One span was failed on by itself. True where that was often enough, and others were taken each time between: it is the span. */
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
      // A service that fails on everything says nothing of this one.
      if (taken > span.takenBefore) span.failures += 1
      span.takenBefore = taken
      return span.failures >= mostFailures
    },
  }
}
