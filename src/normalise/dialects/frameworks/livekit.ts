// The dialect of LiveKit Agents.
import type { Kind } from '../../../event/event.ts'
import { anyOf } from '../../../event/names.ts'
import { has } from '../../attribute.ts'
import type { Dialect } from '../../merge/definition.ts'
import { inAttributes } from '../../messages/sources.ts'
import type { SpanReading } from '../../span-reading.ts'

const modelNames = anyOf('gen_ai.request.model', 'gen_ai.response.model')
/** Every span that has one of these is what it says, or a call of a language model. */
const otherNames = anyOf(
  'gen_ai.operation.name',
  'lk.function_tool.name',
  'gen_ai.usage.input_tokens',
  'gen_ai.usage.output_tokens',
)

/**
 * Spans that recognize or synthesize speech name their model, as those of language models do, but no operation. Releases that state no
 * operation at all name the spans of language models `llm_…`, and report the usage of a session in real time on the span of the turn.
 */
const kindOfSpeech = ({ span, attributes }: SpanReading): Kind | null =>
  has(attributes, modelNames) && !span.name.startsWith('llm') && !has(attributes, otherNames) ? 'other' : null

export const liveKit: Dialect = {
  name: 'livekit',
  marks: {
    scopes: ['livekit*'],
    attributes: ['lk.function_tool.name', 'lk.chat_ctx', 'lk.user_input', 'lk.response.text'],
  },
  names: {
    toolMarks: ['lk.function_tool.name'],
    toolName: ['lk.function_tool.name'],
    toolCallId: ['lk.function_tool.id'],
    toolArguments: ['lk.function_tool.arguments'],
    toolResult: ['lk.function_tool.output'],
    /** Older releases have no other name for it. */
    cachedTokens: ['gen_ai.usage.input_cached_tokens'],
  },
  messages: [inAttributes(['lk.chat_ctx', 'lk.user_input'], ['lk.response.text'])],
  content: { apart: ['lk.*'] },
  reads: { kind: { on: { own: true }, read: kindOfSpeech } },
}
