// The dialect of the Vercel AI SDK. From release 7 on, the SDK uses the names of OpenTelemetry.
import type { Kind } from '../../event/event.ts'
import { anyOf } from '../../event/names.ts'
import type { Attributes } from '../../event/span.ts'
import { canonicalProvider, isKnownProvider } from '../../pricing/provider.ts'
import { first, firstText, has } from '../attribute.ts'
import { isObject, type JsonObject } from '../json.ts'
import type { Dialect, TextRead } from '../merge/definition.ts'
import { inAttributes, pieces } from '../messages/sources.ts'
import { firstProvider } from '../provider-name.ts'
import type { SpanReading } from '../span-reading.ts'
import { readCount } from '../usage/count.ts'
import { fillFromProviderUsage } from '../usage/provider-usage.ts'
import type { ReportedUsage } from '../usage/reported-usage.ts'

const idNames = anyOf('ai.operationId')
const nameNames = anyOf('operation.name')
const finishNames = anyOf('ai.response.finishReason')
const metadataNames = anyOf('ai.response.providerMetadata')
const openInferenceNames = anyOf('openinference.span.kind')
const inputPartNames = anyOf('ai.usage.inputTokenDetails.noCacheTokens')
const agentNames = anyOf('ai.request.headers.user-agent')
/** `ai/6.0.326` */
const sinceSix = /^ai\/(?:[6-9]|\d\d)/
const scopeSinceSeven = 'gen_ai'
const toolTypeNames = anyOf('gen_ai.tool.type')
const dottedProviderNames = anyOf('ai.model.provider', 'aisdk.model.provider')

/** The operations of the SDK up to release 6. Only the inner `do…` spans are calls; the spans around them repeat model and usage. */
const operations: ReadonlyMap<string, readonly [kind: Kind, operation: string]> = new Map([
  ['ai.generateText.doGenerate', ['llm', 'chat']],
  ['ai.streamText.doStream', ['llm', 'chat']],
  ['ai.generateObject.doGenerate', ['llm', 'chat']],
  ['ai.streamObject.doStream', ['llm', 'chat']],
  ['ai.embed.doEmbed', ['embedding', 'embeddings']],
  ['ai.embedMany.doEmbed', ['embedding', 'embeddings']],
  ['ai.rerank.doRerank', ['reranker', 'rerank']],
  ['ai.toolCall', ['tool', 'execute_tool']],
])

function operationId(attributes: Attributes): string | null {
  const id = firstText(attributes, idNames) ?? firstText(attributes, nameNames)?.split(' ', 1)[0]
  return id?.startsWith('ai.') ? id : null
}

const impliedOperation: TextRead = ({ attributes }) => {
  const id = operationId(attributes)
  return id === null ? null : (operations.get(id)?.[1] ?? id)
}

/** Vercel writes `provider.endpoint`. If the whole is not a known provider, the part before the dot is the provider's name. */
function undotted(raw: string): string | null {
  const provider = canonicalProvider(raw)
  return provider === null || isKnownProvider(provider) ? provider : canonicalProvider(provider.split('.')[0] ?? '')
}

const statedTier: TextRead = (reading) => {
  const openai = reading.object(metadataNames)?.['openai']
  const tier = isObject(openai) ? openai['serviceTier'] : undefined
  return typeof tier === 'string' && tier !== '' ? tier : null
}

/** Whether the input includes the cache, as in SDK 6 and later. These also report the parts, but not for calls that generate an object. */
const addsCacheUp = ({ attributes }: SpanReading): boolean =>
  has(attributes, inputPartNames) || sinceSix.test(firstText(attributes, agentNames) ?? '')

function fillFromMetadata(metadata: JsonObject, reading: SpanReading, told: ReportedUsage): void {
  const { flags } = reading
  const { openai, anthropic, bedrock, google, vertex } = metadata
  if (isObject(openai)) {
    told.cached ??= readCount(openai['cachedPromptTokens'], flags)
    told.reasoning ??= readCount(openai['reasoningTokens'], flags)
  }
  // SDK 5 and older report Anthropic's own input, which excludes the cache; SDK 6 adds the cache to it.
  for (const provider of [anthropic, bedrock]) {
    const usage = isObject(provider) ? provider['usage'] : undefined
    if (isObject(usage)) fillFromProviderUsage(usage, told, flags)
  }
  // The metadata repeats only the cache counts of Bedrock's usage.
  const cache = isObject(bedrock) ? bedrock['usage'] : undefined
  if (isObject(cache) && !('inputTokens' in cache) && !addsCacheUp(reading)) told.cacheIsAdditive = true
  for (const provider of [google, vertex]) {
    const usage = isObject(provider) ? provider['usageMetadata'] : undefined
    if (isObject(usage)) fillFromProviderUsage(usage, told, flags)
  }
  if (!isObject(anthropic)) return
  // SDK 4 does not pass on the provider's usage, and reports the cache read only here.
  if (!isObject(anthropic['usage']) && typeof anthropic['cacheReadInputTokens'] === 'number')
    told.cacheIsAdditive = true
  told.cached ??= readCount(anthropic['cacheReadInputTokens'], flags)
  told.cacheWrite ??= readCount(anthropic['cacheCreationInputTokens'], flags)
}

/** Ids that the SDK makes up if the provider gives none. */
const ownId = /^ai(?:txt|obj)-/

/**
 * Whether the status was copied from a failed span. OpenInference's processor takes each span that ends after a failure for the root of the
 * trace, and gives it the status and the message of the failure. The SDK itself writes a message only together with an exception.
 */
const isStatusBorrowed = ({ span, attributes }: SpanReading): boolean =>
  span.statusMessage !== '' &&
  (has(attributes, idNames) || span.scope.name === scopeSinceSeven) &&
  has(attributes, openInferenceNames) &&
  !span.events.some(({ name }) => name === 'exception')

/**
 * SDK 7 also writes a span for a tool that the provider ran inside the model call, and states the type `extension` only there. In the
 * standard this type means the opposite: a tool that the agent runs. Such a span is no tool call of the agent.
 */
const isNotRun = ({ span, attributes }: SpanReading): boolean =>
  span.scope.name === scopeSinceSeven && firstText(attributes, toolTypeNames) === 'extension'

export const vercel: Dialect = {
  name: 'vercel',
  marks: { scopes: ['ai'], attributes: ['ai.operationId', 'ai.model.id', 'aisdk.model.id'] },
  operations: { agent_step: 'chain', rerank: 'reranker' },
  names: {
    impliedOperation: [impliedOperation],
    contextAgent: ['ai.telemetry.functionId'],
    session: [
      'ai.telemetry.metadata.sessionId',
      'ai.telemetry.metadata.session_id',
      'ai.settings.context.sessionId',
      'ai.settings.context.session_id',
    ],
    user: ['ai.telemetry.metadata.userId', 'ai.settings.context.userId', 'ai.settings.context.user_id'],
    provider: [({ attributes }) => firstProvider(attributes, dottedProviderNames, undotted)],
    requestModel: ['ai.model.id', 'aisdk.model.id'],
    responseModel: ['ai.response.model'],
    responseId: ['ai.response.id'],
    finishReasons: ['ai.response.finishReason'],
    ttftMs: ['ai.response.msToFirstChunk', 'ai.stream.msToFirstChunk'],
    inputTokens: ['ai.usage.inputTokens', 'ai.usage.promptTokens'],
    outputTokens: ['ai.usage.outputTokens', 'ai.usage.completionTokens'],
    totalTokens: ['ai.usage.totalTokens'],
    cachedTokens: ['ai.usage.inputTokenDetails.cacheReadTokens', 'ai.usage.cachedInputTokens'],
    cacheWriteTokens: ['ai.usage.inputTokenDetails.cacheWriteTokens'],
    reasoningTokens: ['ai.usage.outputTokenDetails.reasoningTokens', 'ai.usage.reasoningTokens'],
    embeddingTokens: ['ai.usage.tokens'],
    toolRequestMarks: ['ai.response.toolCalls', 'ai.result.toolCalls'],
    toolName: ['ai.toolCall.name'],
    toolCallId: ['ai.toolCall.id'],
    toolArguments: ['ai.toolCall.args'],
    toolResult: ['ai.toolCall.result'],
  },
  late: {
    /** Used by SDK 3. */
    finishReasons: ['gen_ai.finishReason'],
    serviceTier: [statedTier],
  },
  messages: [
    inAttributes(['ai.prompt.messages', 'ai.prompt'], []),
    pieces('ai.response.text', 'ai.response.reasoning', 'ai.response.toolCalls', 'ai.response.object'),
    pieces('ai.result.text', 'ai.result.reasoning', 'ai.result.toolCalls', 'ai.result.object'),
  ],
  content: {
    in: ['ai.prompt', 'ai.prompt.messages', 'ai.toolCall.args', 'ai.toolCall.input', 'ai.value', 'ai.values'],
    out: [
      'ai.response.text',
      'ai.response.object',
      'ai.response.toolCalls',
      'ai.response.reasoning',
      'ai.response.files',
      'ai.result.*',
      'ai.toolCall.result',
      'ai.toolCall.output',
    ],
    apart: ['ai.prompt.tools', 'ai.embedding', 'ai.embeddings'],
  },
  reads: {
    kind({ attributes }) {
      const id = operationId(attributes)
      return id === null ? null : (operations.get(id)?.[0] ?? 'chain')
    },
    isNotRun: { on: { attributes: toolTypeNames.all }, read: isNotRun },
    hasFailed: {
      on: { attributes: finishNames.all },
      read: ({ attributes }) => first(attributes, finishNames) === 'error',
    },
    isStatusBorrowed: { on: { attributes: openInferenceNames.all }, read: isStatusBorrowed },
    isRunId: (id) => ownId.test(id),
    usage: {
      on: { attributes: metadataNames.all },
      read(reading, told) {
        const metadata = reading.object(metadataNames)
        if (metadata !== null) fillFromMetadata(metadata, reading, told)
      },
    },
  },
}
