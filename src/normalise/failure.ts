// Floor 1. Whether a span failed, and of what.
import { anyOf } from '../otlp/names.ts'
import { asText, bounded, first, firstText, maxNameChars } from './attribute.ts'
import type { Reading } from './reading.ts'

/** Characters of an error message that are kept. */
const maxErrorMessageChars = 2_048

const typeNames = anyOf('error.type')
const finishNames = anyOf('ai.response.finishReason')
const levelNames = anyOf('langfuse.observation.level')
const messageNames = anyOf('langfuse.observation.status_message')

export type Failure = {
  readonly status: 'ok' | 'error'
  readonly errorType: string | null
  readonly errorMessage: string | null
}

const none: Failure = { status: 'ok', errorType: null, errorMessage: null }

/** The outcome of the span by any sign of failure that a dialect gives. Cost: 5 look-ups and a walk over the event names. */
export function readFailure({ span, attributes, flags, isClaudeCode }: Reading): Failure {
  const exception = span.events.findLast((event) => event.name === 'exception')?.attributes
  const errorType = firstText(attributes, typeNames)
  const failed =
    span.statusCode === 2 ||
    errorType !== null ||
    exception !== undefined ||
    first(attributes, finishNames) === 'error' ||
    first(attributes, levelNames) === 'ERROR' ||
    (isClaudeCode && (attributes.get('success') === false || attributes.get('success') === 'false'))
  if (!failed) return none
  const type = errorType ?? asText(exception?.get('exception.type'))
  const message =
    firstText(attributes, messageNames) ??
    asText(span.statusMessage) ??
    asText(exception?.get('exception.message')) ??
    (isClaudeCode ? asText(attributes.get('error')) : null)
  return {
    status: 'error',
    errorType: type === null ? null : bounded(type, maxNameChars, flags),
    errorMessage: message === null ? null : bounded(message, maxErrorMessageChars, flags),
  }
}
