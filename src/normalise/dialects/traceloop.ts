// The dialect of OpenLLMetry, by Traceloop.
import type { Kind } from '../../event/event.ts'
import { anyOf } from '../../event/names.ts'
import { first, firstText, has } from '../attribute.ts'
import type { Dialect, MessageRead } from '../merge/definition.ts'
import { inAttributes, indexed } from '../messages/sources.ts'
import { isOf, type SpanReading } from '../span-reading.ts'
import { asksForEmbedding } from './clients/aws-sdk.ts'

const name = 'traceloop'

const kindNames = anyOf('traceloop.span.kind')
const entityNames = anyOf('traceloop.entity.name')

const scopeOfBedrock = 'opentelemetry.instrumentation.bedrock'
const scopesWithoutCache: ReadonlySet<string> = new Set(['@traceloop/instrumentation-anthropic', scopeOfBedrock])

const responseModelNames = anyOf('gen_ai.response.model')

/** Of a session in real time, an answer names the model that gave it. Audio that is spoken is reported under the same name, without a model. */
const kindOfRealtime = ({ span, attributes }: SpanReading): Kind | null =>
  span.name === 'openai.realtime' && has(attributes, responseModelNames) ? 'llm' : null

/** The names of the SDK for Go, and of the first releases for Python. OpenInference has the same names for another form. */
const messagesOfFirstNames = indexed('llm.prompts.', 'llm.completions.')
const messagesOfGo: MessageRead = (reading, way) => (isOf(reading, name) ? messagesOfFirstNames(reading, way) : null)

export const traceloop: Dialect = {
  name,
  marks: {
    scopes: ['@traceloop/*', 'traceloop*', scopeOfBedrock],
    attributes: [
      'traceloop.span.kind',
      'traceloop.workflow.name',
      'llm.request.type',
      'llm.is_streaming',
      'gen_ai.is_streaming',
    ],
  },
  kinds: [
    {
      attribute: 'traceloop.span.kind',
      kinds: { workflow: 'chain', task: 'chain', agent: 'agent', tool: 'tool' },
    },
    {
      attribute: 'llm.request.type',
      kinds: { chat: 'llm', completion: 'llm', embedding: 'embedding', rerank: 'reranker' },
    },
  ],
  names: {
    llmMarks: ['gen_ai.prompt.0.content', 'gen_ai.completion.0.content'],
    impliedOperation: ['llm.request.type'],
    contextAgent: [
      ({ attributes }) => (first(attributes, kindNames) === 'agent' ? firstText(attributes, entityNames) : null),
    ],
    workflow: ['traceloop.workflow.name'],
    agentVersion: ['traceloop.entity.version'],
    session: ['traceloop.association.properties.session_id', 'traceloop.association.properties.thread_id'],
    user: ['traceloop.association.properties.user_id'],
    provider: ['traceloop.association.properties.ls_provider', 'llm.vendor'],
    requestModel: ['llm.request.model'],
    responseModel: ['llm.response.model'],
    finishReasons: ['llm.response.finish_reason', 'llm.response.stop_reason'],
    inputTokens: ['llm.usage.prompt_tokens'],
    outputTokens: ['llm.usage.completion_tokens'],
    totalTokens: ['llm.usage.total_tokens'],
    cachedTokens: ['gen_ai.usage.cache_read_input_tokens'],
    cacheWriteTokens: ['gen_ai.usage.cache_creation_input_tokens'],
    reasoningTokens: ['gen_ai.usage.reasoning_tokens'],
    toolName: [
      ({ attributes }) => (first(attributes, kindNames) === 'tool' ? firstText(attributes, entityNames) : null),
    ],
    toolArguments: ['traceloop.entity.input'],
    toolResult: ['traceloop.entity.output'],
    toolRequestMarks: [
      'gen_ai.completion.0.tool_calls.0.name',
      'gen_ai.completion.0.function_call.name',
      'llm.completions.0.tool_calls.0.name',
    ],
  },
  late: {
    user: ['llm.user'],
    finishReasons: ['gen_ai.completion.0.finish_reason'],
  },
  messages: [
    indexed('gen_ai.prompt.', 'gen_ai.completion.'),
    messagesOfGo,
    // The first name is also used by older OpenTelemetry conventions and by LangSmith.
    inAttributes(['gen_ai.prompt', 'traceloop.entity.input'], ['gen_ai.completion', 'traceloop.entity.output']),
  ],
  content: {
    in: ['gen_ai.prompt.#', 'traceloop.entity.input'],
    out: ['gen_ai.completion.#', 'traceloop.entity.output'],
    apart: ['llm.request.functions.*'],
  },
  reads: {
    kind: { on: { attributes: responseModelNames.all }, read: kindOfRealtime },
    /** It calls an embedding of Bedrock a completion. */
    isEmbedding: {
      on: { own: true },
      read: (reading) => reading.span.scope.name === scopeOfBedrock && asksForEmbedding(reading),
    },
    /**
     * It reports the input count of Anthropic or Bedrock, which excludes the cache, under the standard's name, which includes the cache.
     */
    excludesCache: {
      on: { own: true },
      read: ({ span }) => scopesWithoutCache.has(span.scope.name),
    },
  },
}
