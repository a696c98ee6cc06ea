// The dialect of Braintrust, whose SDKs write JSON objects into a few attributes. Spans made by hand also have the members as attributes.
import type { Kind } from '../../event/event.ts'
import type { Flag } from '../../event/flag.ts'
import { anyOf } from '../../event/names.ts'
import type { Attributes, AttributeValue } from '../../event/span.ts'
import { first, firstText, toPlain } from '../attribute.ts'
import { isObject, type JsonObject, parseStructure } from '../json.ts'
import type { Dialect, TextRead } from '../merge/definition.ts'
import { inAttributes } from '../messages/sources.ts'
import type { SpanReading } from '../span-reading.ts'
import { fillFromProviderUsage, usageOfAnswer } from '../usage/provider-usage.ts'
import { readIdOfAnswer } from './openinference.ts'

const inputNames = anyOf('braintrust.input_json')
const outputNames = anyOf('braintrust.output_json')
const pathNames = anyOf('braintrust.metadata.request_path', 'braintrust.metadata.endpoint')

/** The members that are read, by the attribute that contains them. Applications add members of their own to the metadata. */
const members: Readonly<Record<string, readonly string[]>> = {
  'braintrust.span_attributes': ['type', 'name'],
  'braintrust.metadata': ['model', 'provider', 'request_path', 'endpoint'],
  'braintrust.metrics': [
    'prompt_tokens',
    'completion_tokens',
    'tokens',
    'prompt_cached_tokens',
    'prompt_cache_creation_tokens',
    'prompt_cache_creation_5m_tokens',
    'prompt_cache_creation_1h_tokens',
    'completion_reasoning_tokens',
    'time_to_first_token',
  ],
}

const isScalar = (value: unknown): value is string | number => typeof value === 'string' || typeof value === 'number'

function listMembers(attributes: Attributes, flags: Set<Flag>): ReadonlyMap<string | number, AttributeValue> {
  const found = new Map<string | number, AttributeValue>()
  for (const [name, keys] of Object.entries(members)) {
    const value = attributes.get(name)
    if (value === undefined || value === null) continue
    const object = typeof value === 'string' ? parseStructure(value, flags) : toPlain(value, flags)
    if (!isObject(object)) continue
    for (const key of keys) {
      const member = object[key]
      if (isScalar(member)) found.set(`${name}.${key}`, member)
    }
  }
  return found
}

/** Returns the same attributes, and the members of those that contain objects, each under a name of its own. */
function withMembers(attributes: Attributes, flags: Set<Flag>): Attributes {
  const found = listMembers(attributes, flags)
  return {
    size: attributes.size,
    get: (key) => attributes.get(key) ?? found.get(key),
    has: (key) => attributes.has(key) || found.has(key),
    [Symbol.iterator]: () => attributes[Symbol.iterator](),
  }
}

/** Among answers with an id, the SDKs keep only Anthropic's whole. */
const responseId: TextRead = ({ attributes }, kind) =>
  kind === 'llm' ? readIdOfAnswer(first(attributes, outputNames)) : null

/** The spans of model calls in the SDKs for Go and Ruby, which state no type. A failed one has nothing but its input. */
const callSpans: ReadonlySet<string> = new Set([
  'Chat Completion',
  'openai.chat.completions.create',
  'openai.responses.create',
  'anthropic.messages.create',
  'genai.models.generateContent',
  'ruby_llm.chat',
])

const kindOfSpan = ({ span }: SpanReading): Kind | null => (callSpans.has(span.name) ? 'llm' : null)

const rubyToolSpan = 'ruby_llm.tool.'

/** The SDK for Ruby reports the whole request of a tool as the input of its span. */
function readArguments(reading: SpanReading): JsonObject | null {
  const request = reading.span.name.startsWith(rubyToolSpan) ? reading.object(inputNames) : null
  const given = request?.['arguments']
  return isObject(given) ? given : null
}

/** The SDKs give embeddings the type of a model call. */
function isEmbedding({ span, attributes }: SpanReading): boolean {
  const path = firstText(attributes, pathNames)
  return /embed/i.test(path ?? span.name)
}

export const braintrust: Dialect = {
  name: 'braintrust',
  // `braintrust.parent` is no mark: Braintrust's span processor adds it to the spans of all instrumentations.
  marks: {
    scopes: ['braintrust*'],
    attributes: [
      'braintrust.span_attributes',
      'braintrust.span_attributes.type',
      'braintrust.metadata',
      'braintrust.metrics',
      'braintrust.input_json',
      'braintrust.output_json',
    ],
  },
  kinds: [
    {
      attribute: 'braintrust.span_attributes.type',
      kinds: {
        llm: 'llm',
        tool: 'tool',
        task: 'chain',
        function: 'chain',
        eval: 'chain',
        score: 'evaluator',
        review: 'evaluator',
      },
    },
  ],
  namelessToolSpans: ['langchain.tool'],
  names: {
    // Not every SDK states the type of its model calls.
    llmMarks: ['braintrust.metrics.prompt_tokens', 'braintrust.metrics.completion_tokens'],
    provider: ['braintrust.metadata.provider'],
    requestModel: ['braintrust.metadata.model'],
    inputTokens: ['braintrust.metrics.prompt_tokens'],
    outputTokens: ['braintrust.metrics.completion_tokens'],
    totalTokens: ['braintrust.metrics.tokens'],
    cachedTokens: ['braintrust.metrics.prompt_cached_tokens'],
    cacheWriteTokens: ['braintrust.metrics.prompt_cache_creation_tokens'],
    cacheWrite5mTokens: ['braintrust.metrics.prompt_cache_creation_5m_tokens'],
    cacheWrite1hTokens: ['braintrust.metrics.prompt_cache_creation_1h_tokens'],
    reasoningTokens: ['braintrust.metrics.completion_reasoning_tokens'],
    ttftSeconds: ['braintrust.metrics.time_to_first_token'],
    toolArguments: ['braintrust.input_json', 'braintrust.input'],
    toolResult: ['braintrust.output_json', 'braintrust.output'],
  },
  own: {
    responseId: [responseId],
    toolName: ['braintrust.span_attributes.name'],
  },
  messages: [
    inAttributes(['braintrust.input_json', 'braintrust.input'], ['braintrust.output_json', 'braintrust.output']),
  ],
  content: {
    in: ['braintrust.input_json', 'braintrust.input'],
    out: ['braintrust.output_json', 'braintrust.output'],
    apart: ['braintrust.expected', 'braintrust.expected_json'],
  },
  view: withMembers,
  reads: {
    kind: { on: { own: true }, read: kindOfSpan },
    isProviderUnknown: { on: { own: true }, read: (_, provider) => provider === 'ruby_llm' },
    toolArguments: { on: { own: true }, read: readArguments },
    isEmbedding: { on: { own: true }, read: isEmbedding },
    /** The SDKs do not report the HTTP status. */
    hasFailed: {
      on: { own: true },
      read(reading) {
        const output = first(reading.attributes, outputNames)
        if (typeof output !== 'string' || !output.includes('"error"')) return false
        const answer = reading.object(outputNames)
        return answer?.['type'] === 'error' && isObject(answer['error'])
      },
    },
    /** Some SDKs report Anthropic's input, which does not include the cache, and some add the cache to it. The answer shows which. */
    callUsage: {
      on: { own: true },
      read(reading, told, kind) {
        if (kind !== 'llm' || (told.cached === null && told.cacheWrite === null && told.cacheWrite5m === null)) return
        const answer = reading.object(outputNames)
        const usage = answer === null ? null : usageOfAnswer(answer)
        if (usage !== null) fillFromProviderUsage(usage, told, reading.flags)
      },
    },
  },
}
