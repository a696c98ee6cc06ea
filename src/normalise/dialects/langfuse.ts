// The dialect of Langfuse.
import type { Flag } from '../../event/flag.ts'
import { anyOf } from '../../event/names.ts'
import { canonicalProvider } from '../../pricing/provider.ts'
import { asText, first } from '../attribute.ts'
import { isObject, type JsonObject, parseJson } from '../json.ts'
import type { Dialect, TextRead } from '../merge/definition.ts'
import { inAttributes } from '../messages/sources.ts'
import type { SpanReading } from '../span-reading.ts'
import { firstCountIn, readCount, readOutputOf } from '../usage/count.ts'
import { hasDetailsOfOpenAi } from '../usage/provider-usage.ts'
import type { ReportedUsage } from '../usage/reported-usage.ts'

const levelNames = anyOf('langfuse.observation.level')
const usageNames = anyOf('langfuse.observation.usage_details')

const cachedKeys = ['input_cached_tokens', 'input_cache_read', 'cache_read_input_tokens', 'cache_read']
const writeKeys = ['input_cache_creation', 'cache_creation_input_tokens', 'input_cache_write', 'cache_write']
const reasoningKeys = ['output_reasoning_tokens', 'output_reasoning', 'reasoning_tokens', 'thoughts_token_count']

// Keys of buckets, and of counts that a service tier (`input_flex_cache_read`) or a modality (`cached_modality_TEXT`) splits.
const inputBucket = /^(?:input_(?!tokens$)|cached_modality_|tool_use_prompt_token_count$)/
const outputBucket = /^(?:output_(?!tokens$)|thoughts_token_count$)/
const unprefixedCaches = [
  ['cache_read_input_tokens', 'cache_read'],
  ['cache_creation_input_tokens', 'cache_write'],
]
const cachedParts = /^(?:input_[a-z]+_cache_read|cached_modality_\w+)$/
const write5mParts = /ephemeral_5m/
const write1hParts = /ephemeral_1h/
const reasoningParts = /^output_[a-z]+_reasoning$/
/** Langfuse for Python stores these beside the count that includes them. */
const priorityParts = /^(?:input|output)_priority/

/** Returns the sum of the counts whose keys match; null where there is none. */
function sumOf(
  details: JsonObject,
  isPart: (key: string) => boolean,
  flags: Set<Flag>,
  read = readCount,
): number | null {
  let sum: number | null = null
  for (const [key, value] of Object.entries(details)) {
    const count = isPart(key) && typeof value !== 'object' ? read(value, flags) : null
    if (count !== null) sum = (sum ?? 0) + count
  }
  return sum
}

/**
 * Adds the buckets to the counts that exclude them. The total, if there is one, shows whether the priority tier is such a bucket. If a
 * bucket of the output is dropped as absurd, so is the output.
 */
function addBuckets(details: JsonObject, input: number, output: number, total: number | null, flags: Set<Flag>) {
  const buckets = { isOutputAbsurd: false }
  const add = (isLeftOut: (key: string) => boolean) => {
    const sum = (bucket: RegExp, read = readCount): number =>
      sumOf(details, (key) => bucket.test(key) && !isLeftOut(key), flags, read) ?? 0
    const caches = unprefixedCaches.map((keys) => firstCountIn(details, keys, flags) ?? 0)
    return {
      input: input + sum(inputBucket) + caches.reduce((whole, count) => whole + count, 0),
      output: output + sum(outputBucket, readOutputOf(buckets)),
    }
  }
  const all = add(() => false)
  const withoutPriority = add((key) => priorityParts.test(key))
  return { ...(total === withoutPriority.input + withoutPriority.output ? withoutPriority : all), ...buckets }
}

/**
 * Fills in missing counts from usage_details, which holds either Langfuse's own buckets or a provider's usage object. Buckets do not
 * overlap: the input and the output exclude all others, unless the total shows that they are included. `prompt_tokens` and nested details
 * are OpenAI's inclusive form.
 */
function fillFromLangfuse(details: JsonObject, told: ReportedUsage, flags: Set<Flag>): void {
  const inner = details['prompt_tokens_details'] ?? details['input_tokens_details']
  const outer = details['completion_tokens_details'] ?? details['output_tokens_details']
  const input = firstCountIn(details, ['input', 'input_tokens', 'prompt_tokens'], flags)
  const output = firstCountIn(details, ['output', 'output_tokens', 'completion_tokens'], flags, readOutputOf(told))
  const total = firstCountIn(details, ['total', 'total_tokens'], flags)
  const isInclusive =
    'prompt_tokens' in details ||
    hasDetailsOfOpenAi(details) ||
    (total !== null && total === (input ?? 0) + (output ?? 0))
  const whole = isInclusive
    ? { input: input ?? 0, output: output ?? 0, isOutputAbsurd: false }
    : addBuckets(details, input ?? 0, output ?? 0, total, flags)
  if (told.input === null && (input !== null || whole.input > 0)) {
    told.input = whole.input
    told.cacheIsAdditive = false
    if (whole.input !== input) flags.add('usage_adjusted')
  }
  if (whole.isOutputAbsurd) told.isOutputAbsurd = true
  else if (told.output === null && (output !== null || (whole.output > 0 && !told.isOutputAbsurd))) {
    told.output = whole.output
    if (whole.output !== output) flags.add('usage_adjusted')
  }
  told.total ??= isInclusive ? total : null
  told.cached ??=
    firstCountIn(details, cachedKeys, flags) ??
    (isObject(inner) ? firstCountIn(inner, ['cached_tokens'], flags) : null) ??
    sumOf(details, (key) => cachedParts.test(key), flags)
  told.cacheWrite ??= firstCountIn(details, writeKeys, flags)
  told.cacheWrite5m ??= sumOf(details, (key) => write5mParts.test(key), flags)
  told.cacheWrite1h ??= sumOf(details, (key) => write1hParts.test(key), flags)
  told.reasoning ??=
    firstCountIn(details, reasoningKeys, flags) ??
    (isObject(outer) ? firstCountIn(outer, ['reasoning_tokens', 'thinking_tokens'], flags) : null) ??
    sumOf(details, (key) => reasoningParts.test(key), flags)
}

/** Metadata of the LangChain run that the span belongs to. The metadata of the trace is that of its first run. */
type Note = 'lc_agent_name' | 'ls_provider'

/** Returns a text from the metadata, which Langfuse writes as JSON. */
function readNote({ attributes, flags }: SpanReading, note: Note): string | null {
  const text = asText(attributes.get(`langfuse.observation.metadata.${note}`))
  if (text === null || !text.startsWith('"')) return text
  const parsed = parseJson(text, flags)
  return typeof parsed === 'string' ? asText(parsed) : null
}

const notedProvider: TextRead = (reading) => {
  const noted = readNote(reading, 'ls_provider')
  return noted === null ? null : canonicalProvider(noted)
}

/** `OpenAI.embeddings` */
const embeddingSpan = /\.embeddings$/

export const langfuse: Dialect = {
  name: 'langfuse',
  marks: {
    scopes: ['langfuse*'],
    attributes: ['langfuse.observation.type', 'langfuse.observation.input', 'langfuse.trace.name'],
  },
  kinds: [
    {
      attribute: 'langfuse.observation.type',
      kinds: {
        generation: 'llm',
        embedding: 'embedding',
        agent: 'agent',
        tool: 'tool',
        chain: 'chain',
        retriever: 'retriever',
        guardrail: 'guardrail',
        evaluator: 'evaluator',
        event: 'other',
      },
      isFinal: true,
    },
  ],
  names: {
    session: ['langfuse.session.id'],
    resourceSession: ['langfuse.session.id'],
    user: ['langfuse.user.id'],
    resourceUser: ['langfuse.user.id'],
    agentVersion: ['langfuse.version'],
    resourceVersion: ['langfuse.version'],
    environment: ['langfuse.environment'],
    requestModel: ['langfuse.observation.model.name'],
    responseModel: ['langfuse.observation.model.name'],
    completionStart: ['langfuse.observation.completion_start_time'],
    costDetails: ['langfuse.observation.cost_details'],
    errorMessage: ['langfuse.observation.status_message'],
    toolArguments: ['langfuse.observation.input'],
    toolResult: ['langfuse.observation.output'],
  },
  late: {
    session: ['langfuse.observation.metadata.langfuse_session_id', 'langfuse.trace.metadata.langfuse_session_id'],
  },
  own: {
    contextAgent: [(reading) => readNote(reading, 'lc_agent_name')],
    provider: [notedProvider],
  },
  messages: [inAttributes(['langfuse.observation.input'], ['langfuse.observation.output'])],
  content: {
    in: ['langfuse.observation.input', 'langfuse.trace.input'],
    out: ['langfuse.observation.output', 'langfuse.trace.output'],
  },
  reads: {
    /** Langfuse's wrapper of OpenAI for JavaScript reports every call that it wraps as a generation. */
    isEmbedding: { on: { own: true }, read: ({ span }) => embeddingSpan.test(span.name) },
    hasFailed: {
      on: { attributes: levelNames.all },
      read: ({ attributes }) => first(attributes, levelNames) === 'ERROR',
    },
    usage: {
      on: { attributes: usageNames.all },
      read(reading, told) {
        const buckets = reading.object(usageNames)
        if (buckets !== null) fillFromLangfuse(buckets, told, reading.flags)
      },
    },
  },
}
