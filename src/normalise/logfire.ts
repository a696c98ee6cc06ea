// Floor 1. Logfire tells a streamed model call in two spans: one ends when the stream begins, the other is written when it has ended, with
// the answer, the usage and how long it took.
import { anyOf } from '../otlp/names.ts'
import type { Span } from '../otlp/span.ts'
import { has } from './attribute.ts'
import type { Reading } from './reading.ts'

const answerNames = anyOf(
  'gen_ai.response.id',
  'gen_ai.usage.input_tokens',
  'gen_ai.usage.output_tokens',
  'gen_ai.output.messages',
  'response_data',
)
const maxDurationS = 86_400

const isOfProvider = ({ scope }: Span): boolean => scope.name === 'logfire.openai' || scope.name === 'logfire.anthropic'

/** Whether this is the request of a stream that began: the call itself is told when the stream has ended. */
export const isStreamRequest = ({ span, attributes }: Reading): boolean =>
  isOfProvider(span) &&
  attributes.get('logfire.span_type') === 'span' &&
  span.statusCode !== 2 &&
  !has(attributes, answerNames)

/** How long the stream took that ended when this span was written, in microseconds; null for every other span. */
export function readStreamUs({ span, attributes }: Reading): number | null {
  if (!isOfProvider(span) || attributes.get('logfire.span_type') !== 'log') return null
  const template = attributes.get('logfire.msg_template')
  if (typeof template !== 'string' || !template.startsWith('streaming response from ')) return null
  const seconds = Number(attributes.get('duration'))
  return seconds >= 0 && seconds <= maxDurationS ? Math.round(seconds * 1_000_000) : null
}
