// The dialect of the built-in tracing of Mistral's SDK. Release 1 names spans after HTTP operations, later ones use OpenTelemetry's names.
import { anyOf } from '../../../event/names.ts'
import { has } from '../../attribute.ts'
import type { Dialect } from '../../merge/definition.ts'

const errorNames = anyOf('mistral_ai.error.message', 'mistral_ai.error.code')
const usageNames = anyOf('gen_ai.usage.input_tokens', 'gen_ai.usage.prompt_tokens')

/** Span names of release 1: `chat_completion_v1_chat_completions_post`, `stream_fim`. */
const completion = /^(?:(?:chat|fim|agents)_completion_|stream_(?:chat|fim|agents)$)/

export const mistralSdk: Dialect = {
  name: 'mistral-sdk',
  marks: { scopes: ['mistralai_sdk*'], attributes: ['mistral_ai.operation.id'] },
  late: {
    errorType: ['mistral_ai.error.type'],
    errorMessage: ['mistral_ai.error.message'],
  },
  own: {
    totalTokens: ['mistral_ai.request.total_tokens'],
    toolArguments: ['mistral_ai.tool.call.arguments', 'mistral_ai.function.call.arguments'],
  },
  content: { in: ['mistral_ai.tool.call.arguments', 'mistral_ai.function.call.arguments'] },
  reads: {
    kind: {
      on: { own: true },
      read({ span: { name } }) {
        if (name.startsWith('embeddings_')) return 'embedding'
        return completion.test(name) ? 'llm' : null
      },
    },
    /** An agent of Mistral's platform answers one request, as a model does. Spans inside it report its answer, but not its usage. */
    restatedKind: {
      on: { own: true },
      read: ({ attributes }, kind) => (kind === 'agent' && has(attributes, usageNames) ? 'llm' : null),
    },
    /** Release 1 does not set the status of the span. */
    hasFailed: { on: { own: true }, read: ({ attributes }) => has(attributes, errorNames) },
  },
}
