// Reads whether a span failed, and with which error.
import { firstAnswer, isAnyTrue, isMine } from './asked-reads.ts'
import { asText, bounded, firstText, maxErrorMessageChars, maxNameChars } from './attribute.ts'
import type { Reading } from './reading.ts'
import { ownText } from './text-steps.ts'

export type SpanFailure = {
  readonly status: 'ok' | 'error'
  readonly errorType: string | null
  readonly errorMessage: string | null
}

/** `<class 'openai.RateLimitError'>`, as Semantic Kernel writes a type. */
const printedClass = /^<class '([^']+)'>$/

const none: SpanFailure = { status: 'ok', errorType: null, errorMessage: null }

/** Whether a framework raised the exception to steer its own work (`isSignal`). */
const isSignal = (reading: Reading, type: string | null, message: string | null): boolean =>
  reading.dialects.reads.isSignal.reads.some(({ of, read }) => isMine(reading, of) && read(type, message))

/** Returns the outcome of the span. Any sign of failure that a dialect knows suffices. Cost: 5 look-ups and a walk over the event names. */
export function readFailure(reading: Reading): SpanFailure {
  const { span, attributes, flags, dialects } = reading
  const exception = span.events.findLast((event) => event.name === 'exception')?.attributes
  const errorType = firstText(attributes, dialects.names.errorType)
  const failed =
    (span.statusCode === 2 && !isAnyTrue(reading, dialects.reads.isStatusBorrowed)) ||
    errorType !== null ||
    exception !== undefined ||
    isAnyTrue(reading, dialects.reads.hasFailed)
  if (!failed) return none
  const stated = errorType ?? asText(exception?.get('exception.type'))
  const type = stated === null ? null : (printedClass.exec(stated)?.[1] ?? stated)
  const message =
    firstText(attributes, dialects.names.errorMessage) ??
    asText(span.statusMessage) ??
    asText(exception?.get('exception.message')) ??
    ownText(reading, dialects.own.errorMessage) ??
    firstAnswer(reading, dialects.reads.failureMessage)
  if (isSignal(reading, type, message)) return none
  return {
    status: 'error',
    errorType: type === null ? null : bounded(type, maxNameChars, flags),
    errorMessage: message === null ? null : bounded(message, maxErrorMessageChars, flags),
  }
}
