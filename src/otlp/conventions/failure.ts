// Floor 1. Whether a span failed, and of what.
import { asText, bounded, maxNameChars } from './attribute.ts'
import type { Reading } from './reading.ts'

/** Characters of an error message that are kept. */
const maxErrorMessageChars = 2_048

export type Failure = {
  readonly status: 'ok' | 'error'
  readonly errorType: string | null
  readonly errorMessage: string | null
}

const none: Failure = { status: 'ok', errorType: null, errorMessage: null }

/** The outcome of the span by any sign of failure that a dialect gives. Cost: 5 look-ups and a walk over the event names. */
export function readFailure({ span, attributes, flags, isClaudeCode }: Reading): Failure {
  const exception = span.events.findLast((event) => event.name === 'exception')?.attributes
  const errorType = asText(attributes.get('error.type'))
  const failed =
    span.statusCode === 2 ||
    errorType !== null ||
    exception !== undefined ||
    attributes.get('ai.response.finishReason') === 'error' ||
    attributes.get('langfuse.observation.level') === 'ERROR' ||
    (isClaudeCode && (attributes.get('success') === false || attributes.get('success') === 'false'))
  if (!failed) return none
  const type = errorType ?? asText(exception?.get('exception.type'))
  const message =
    asText(attributes.get('langfuse.observation.status_message')) ??
    asText(span.statusMessage) ??
    asText(exception?.get('exception.message')) ??
    (isClaudeCode ? asText(attributes.get('error')) : null)
  return {
    status: 'error',
    errorType: type === null ? null : bounded(type, maxNameChars, flags),
    errorMessage: message === null ? null : bounded(message, maxErrorMessageChars, flags),
  }
}
