// What single instrumentations of OpenInference report in a way of their own.
import type { Kind } from '../../event/event.ts'
import { anyOf } from '../../event/names.ts'
import { canonicalProvider } from '../../pricing/provider.ts'
import { asText, first, firstText, has } from '../attribute.ts'
import { isObject, type JsonObject } from '../json.ts'
import { firstProvider } from '../provider-name.ts'
import type { SpanReading } from '../span-reading.ts'
import { readCount } from '../usage/count.ts'
import { excludesCacheItself } from '../usage/excluding-cache.ts'
import type { ReportedUsage } from '../usage/reported-usage.ts'

export const kindNames = anyOf('openinference.span.kind')
export const inputNames = anyOf('input.value')
/** The output of a span. For a model call it is often the provider's whole answer. */
export const outputNames = anyOf('output.value')
export const usageNames = anyOf('llm.token_count.prompt', 'llm.token_count.completion', 'llm.token_count.total')
const modelNames = anyOf('llm.model_name')

const claudeAgentScope = 'openinference.instrumentation.claude_agent_sdk'
const beeAiScope = 'openinference.instrumentation.beeai'
const haystackScope = 'openinference.instrumentation.haystack'
const vertexScope = 'openinference.instrumentation.vertexai'
const dspyScope = 'openinference.instrumentation.dspy'
const agnoScope = 'openinference.instrumentation.agno'
const openAiScope = 'openinference.instrumentation.openai'
const instructorScope = 'openinference.instrumentation.instructor'
const ag2Scope = 'openinference.instrumentation.ag2'
const anthropicScope = 'openinference.instrumentation.anthropic'
const googleScope = 'openinference.instrumentation.google_genai'
const pipecatScope = 'openinference.instrumentation.pipecat'
const liteLlmScope = 'openinference.instrumentation.litellm'
const envoyScope = 'envoyproxy/ai-gateway'

/** `backend.openai.chat.new_token`: the path of an event of BeeAI, which is reported as a span inside the span of the call. */
const eventPathNames = anyOf('metadata.path')
const templateNames = anyOf('llm.prompt_template.template')
const messageNames = anyOf('llm.input_messages.0.message.role', 'llm.input_messages.0.message.content')
const requestTypeNames = anyOf('llm.request.type', 'gen_ai.operation.name')

/** Whether another instrumentation, whose attributes a span processor of OpenInference renamed, made the span as an embedding. */
export const isMadeAsEmbedding = ({ attributes }: SpanReading): boolean =>
  /^embeddings?$/.test(firstText(attributes, requestTypeNames) ?? '')

/** Whether the span only fills in a template. An application may set its template on the spans of its model calls too. */
const isTemplate = ({ attributes }: SpanReading): boolean =>
  has(attributes, templateNames) &&
  !has(attributes, modelNames) &&
  !has(attributes, usageNames) &&
  !has(attributes, messageNames)

/** Requests in the form of another vendor, such as Anthropic. */
const rawRequest = /raw_?predict/i

/** Returns the kind of a request to Vertex AI that does not name the model, as those do that generate content. */
function kindOfPrediction(reading: SpanReading): Kind | null {
  const { span, attributes } = reading
  if (has(attributes, modelNames) || rawRequest.test(span.name)) return null
  const output = firstText(attributes, outputNames)
  const isAnswered = output?.includes('"predictions"') && output.includes('"embeddings"')
  return isAnswered || /embed/i.test(modelOfRequest(reading) ?? '') ? 'embedding' : 'other'
}

/**
 * The types of the answers of models. All requests of OpenAI's client for Python, such as those for files and batches, are reported as model
 * calls, under the name of the type of the answer. Streams and parsed answers have the same types.
 */
const answerOfOpenAi = /^(?:Chat)?Completion$|^(?:Beta)?(?:Compacted)?Response$/
/** A response in the background has these states until it is complete. Each request for its state is reported as a model call. */
const pending: ReadonlySet<unknown> = new Set(['queued', 'in_progress'])

function isAnswerOfOpenAi(reading: SpanReading): boolean {
  const { span, attributes } = reading
  if (has(attributes, usageNames)) return true
  if (!answerOfOpenAi.test(span.name) && !has(attributes, modelNames)) return false
  return !pending.has(reading.object(outputNames)?.['status'])
}

/**
 * By scope, the names of spans that are reported as model calls, but count tokens or are about speech, images, files or batches. Later releases
 * of Envoy AI Gateway state a kind of its own for counting tokens.
 */
const noModelCalls: ReadonlyMap<string, RegExp> = new Map([
  [anthropicScope, /\.count_tokens$/],
  [pipecatScope, /^pipecat\.(?:stt|tts)$/],
  [liteLlmScope, /^a?image_generation$/],
  [envoyScope, /^CountTokens$|Images|Transcription|Translation|Speech|File|Batch/],
])

/** `InteractionsResource.get`, `AsyncInteractionsResource.get` */
const isFetchOfInteraction = ({ span }: SpanReading): boolean =>
  span.scope.name === googleScope && span.name.endsWith('.get')

const hasCount = ({ attributes }: SpanReading): boolean =>
  usageNames.all.some((name) => Number(attributes.get(name) ?? 0) > 0)

/** `InteractionsResource.create` also begins an interaction in the background, which is then fetched: its answer has no steps yet. */
function isUnanswered({ span, attributes }: SpanReading): boolean {
  if (!span.name.endsWith('.create') || span.statusCode === 2) return false
  const output = first(attributes, outputNames) ?? null
  return output === null || output === 'null' || output === '[]'
}

const metadataNames = anyOf('metadata')

/**
 * Returns the id of an interaction with Gemini that the span fetches; null for all other spans. The span that creates the interaction does not
 * have the id: if it has usage, and the interaction is fetched again, both count.
 */
export function readIdOfInteraction(reading: SpanReading): string | null {
  const id = isFetchOfInteraction(reading) ? reading.object(metadataNames)?.['interaction_id'] : null
  return typeof id === 'string' ? asText(id) : null
}

/** `add.__call__`, `add.acall` */
const methodOfTool = /\.(?:__call__|acall)$/

/** Returns the name of a tool of DSPy without the method; null for tools of others. */
export const readDspyTool = ({ span }: SpanReading): string | null =>
  span.scope.name === dspyScope ? span.name.replace(methodOfTool, '') : null

const argumentNames = anyOf('tool_call.function.arguments')

/** Returns the arguments of a tool of DSPy or AG2, whose input contains more than them; null for all others. */
export function readInnerArguments(reading: SpanReading): JsonObject | null {
  switch (reading.span.scope.name) {
    case ag2Scope:
      return reading.object(argumentNames)
    case dspyScope: {
      const input = reading.object(inputNames)
      const given = input?.['kwargs']
      return isObject(given) && Object.keys(input ?? {}).length === 1 ? given : null
    }
    default:
      return null
  }
}

/** Returns the right kind of a span of these instrumentations, null where the stated one is right. */
export function restateKind(reading: SpanReading, kind: Kind): Kind | null {
  const { span, attributes } = reading
  if (kind === 'llm' && noModelCalls.get(span.scope.name ?? '')?.test(span.name)) return 'other'
  switch (span.scope.name) {
    // Claude's agents call their models in a separate process: their usage is only on the span of the agent, summed up over a turn.
    case claudeAgentScope:
      return kind === 'agent' && has(attributes, usageNames) ? 'llm' : null
    // Events inside a call or an agent are spans of the same kind, with the name of the event.
    case beeAiScope:
      return has(attributes, eventPathNames) ? 'other' : null
    case openAiScope:
      return kind === 'llm' && !isAnswerOfOpenAi(reading) ? 'other' : null
    // The preparation of a request, and the request.
    case instructorScope:
      return kind === 'tool' ? 'chain' : null
    case haystackScope:
      return kind === 'llm' && isTemplate(reading) ? 'chain' : null
    case vertexScope:
      return kind === 'llm' ? kindOfPrediction(reading) : null
    // An interaction in the background is fetched again and again until it is complete.
    case googleScope:
      if (kind !== 'llm' || hasCount(reading)) return null
      return isFetchOfInteraction(reading) || isUnanswered(reading) ? 'other' : null
    // The step by which an agent of DSPy says that it is done.
    case dspyScope:
      return kind === 'tool' && readDspyTool(reading) === 'finish' ? 'chain' : null
    default:
      // The processor for Microsoft's Agent Framework knows no embeddings.
      return kind === 'chain' && has(attributes, kindNames) && isMadeAsEmbedding(reading) ? 'embedding' : null
  }
}

const modelOfEndpoint = /\/models\/([^/]+)$/

/** Returns the model in the request, which is kept as the input: Bedrock's, and Vertex AI's of an embedding. */
export function modelOfRequest(reading: SpanReading): string | null {
  const request = reading.object(inputNames)
  if (reading.span.scope.name !== vertexScope) {
    const modelId = request?.['modelId']
    return typeof modelId === 'string' ? asText(modelId) : null
  }
  const endpoint = request?.['endpoint']
  return typeof endpoint === 'string' ? (modelOfEndpoint.exec(endpoint)?.[1] ?? null) : null
}

/** Sets the input of an embedding of Vertex AI, whose answer has a count for each text. */
export function fillFromPredictions(reading: SpanReading, told: ReportedUsage): void {
  if (reading.span.scope.name !== vertexScope || told.input !== null) return
  const predictions = reading.object(outputNames)?.['predictions']
  if (!Array.isArray(predictions)) return
  for (const prediction of predictions) {
    const embeddings: unknown = isObject(prediction) ? prediction['embeddings'] : null
    const statistics: unknown = isObject(embeddings) ? embeddings['statistics'] : null
    const count = isObject(statistics) ? readCount(statistics['token_count'], reading.flags) : null
    if (count !== null) told.input = (told.input ?? 0) + count
  }
}

const systemNames = anyOf('llm.system')
const providerNames = anyOf('llm.provider')

/**
 * Whether Agno repeats a count of input tokens that does not include the cache: that of Claude on any platform, and that of Bedrock. A
 * gateway, whose names of models have a vendor (`anthropic/claude-sonnet-4-5`), counts as OpenAI does.
 */
export function excludesCacheOfAgno({ span, attributes }: SpanReading): boolean {
  if (span.scope.name !== agnoScope) return false
  const provider = firstProvider(attributes, providerNames, canonicalProvider)
  const model = firstText(attributes, modelNames) ?? ''
  if (excludesCacheItself(provider, model)) return true
  return first(attributes, systemNames) === 'anthropic' && !model.startsWith('anthropic/')
}
