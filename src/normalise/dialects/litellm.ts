// The dialect of LiteLLM's built-in callback for OpenTelemetry.
import type { Kind } from '../../event/event.ts'
import type { Flag } from '../../event/flag.ts'
import { anyOf } from '../../event/names.ts'
import type { AttributeValue } from '../../event/span.ts'
import { canonicalProvider, splitProviderAndModel } from '../../pricing/provider.ts'
import { asText, first, firstText, has, isTrue } from '../attribute.ts'
import { isObject } from '../json.ts'
import type { Dialect, MessageRead, TextRead } from '../merge/definition.ts'
import { readIndexed } from '../messages/indexed.ts'
import { readMessages } from '../messages/list.ts'
import { readStandard } from '../messages/opentelemetry-messages.ts'
import type { SpanReading } from '../span-reading.ts'
import { fillFromProviderUsage, fillFromUsage } from '../usage/provider-usage.ts'
import { usageInDict } from '../usage/python-repr.ts'
import type { ReportedUsage } from '../usage/reported-usage.ts'

const name = 'litellm'
const scopeName = 'litellm'
/** Attributes of each span on which LiteLLM reports a call. */
const callNames = anyOf('gen_ai.request.model', 'litellm.call_id', 'llm.request.type')
const modelNames = anyOf('gen_ai.request.model')
const operationNames = anyOf('gen_ai.operation.name', 'llm.request.type')
/** LiteLLM's usage object as Python prints it. It has OpenAI's form for all providers. */
const usageNames = anyOf('metadata.usage_object')
/** The name of the first tool that an answer asks for. */
const askedNames = anyOf('gen_ai.completion.0.function_call.name')
const cacheHitNames = anyOf('litellm.cache_hit')

/** The names of LiteLLM's functions, which it states as operations. Most have a variant with the prefix `a`. No other calls a model. */
const operations = {
  acompletion: 'llm',
  atext_completion: 'llm',
  responses: 'llm',
  aresponses: 'llm',
  anthropic_messages: 'llm',
  agenerate_content: 'llm',
  generate_content_stream: 'llm',
  agenerate_content_stream: 'llm',
  aembedding: 'embedding',
  arerank: 'reranker',
} as const

const typeNames = anyOf('litellm.call_type')
const kindOfType: ReadonlyMap<string, Kind> = new Map(Object.entries(operations))
/** The newer tracing names the operation of a function as that of a chat or a generation of content, unless it knows a better one. */
const otherType =
  /image|video|speech|transcription|ocr|moderation|search|batch|file|vector_store|container|assistant|fine_tuning|skill/

/** Returns the kind of a call that the newer tracing reports as one of a model; null where it is one. */
function kindOfCall({ attributes }: SpanReading): Kind | null {
  const type = firstText(attributes, typeNames)
  if (type === null) return null
  return kindOfType.get(type) ?? kindOfType.get(`a${type}`) ?? (otherType.test(type) ? 'other' : null)
}

// Below a span of the application, LiteLLM creates no span for a call. It writes each call onto the application's span and overwrites the
// previous one. All calls but the last are then reported only by the separate spans of the provider's request and answer ("raw" below).

/** How Python prints a missing provider: LiteLLM names none for OpenAI's Responses API. */
const unknownProvider = 'None'

type Raw = { readonly provider: string; readonly told: ReadonlyMap<string, AttributeValue> }

/** `llm.openai.model`: the provider, and a member of its request or answer. */
const rawName = /^llm\.([^.]+)\.([^.]+)$/
/** Members that only the request or the answer of a model call has. */
const callMembers = ['messages', 'contents', 'choices', 'candidates', 'output', 'content']

function readRaw({ span, attributes }: SpanReading): Raw | null {
  if (span.scope.name !== scopeName || has(attributes, callNames)) return null
  const told = new Map<string, AttributeValue>()
  let provider = ''
  for (const [key, value] of attributes) {
    const [, of, member] = (typeof key === 'string' ? rawName.exec(key) : null) ?? []
    if (of === undefined || member === undefined) continue
    provider = of
    told.set(member, value)
  }
  return told.size === 0 ? null : { provider, told }
}

const modelOfRaw = ({ told }: Raw): string | null => asText(told.get('model')) ?? asText(told.get('modelVersion'))

/** Whether a raw span is a model call. Without a model it is not: it would only hide what the span of the call reports. */
const isRawCall = (raw: Raw | null): raw is Raw =>
  raw !== null && modelOfRaw(raw) !== null && callMembers.some((member) => raw.told.has(member))

const rawProvider: TextRead = (reading) => {
  const raw = readRaw(reading)
  return raw === null || raw.provider === unknownProvider ? null : canonicalProvider(raw.provider)
}

const routedNames = anyOf('litellm.provider.model')

/** `anthropic/claude-sonnet-4-5`: the provider is named before the model, also where no other attribute names it. */
const routedProvider: TextRead = ({ attributes }) => {
  const parts = splitProviderAndModel(firstText(attributes, routedNames) ?? '')
  return parts === null ? null : canonicalProvider(parts[0])
}

const rawId: TextRead = (reading) => asText(readRaw(reading)?.told.get('id'))

function fillFromPrinted(
  printed: AttributeValue | undefined,
  fill: typeof fillFromUsage,
  told: ReportedUsage,
  flags: Set<Flag>,
): void {
  const usage = typeof printed === 'string' ? usageInDict(printed) : null
  if (usage !== null) fill(usage, told, flags)
}

/** Reads the answer with its tools. LiteLLM reports the tools that the model asks for apart from the answer in the standard's form. */
const answerWithTools: MessageRead = ({ attributes, flags }, way) => {
  if (way === 'input' || !has(attributes, askedNames)) return null
  const answer = readStandard(attributes, way, flags)
  if (answer === null || answer.some(({ parts }) => parts.some(({ type }) => type === 'tool_call'))) return answer
  const calls = (readIndexed(attributes, 'gen_ai.completion.', flags) ?? []).flatMap((item) => {
    const call = isObject(item) ? item['function_call'] : undefined
    return isObject(call) ? [{ type: 'function', function: call }] : []
  })
  if (calls.length === 0) return answer
  const asked = readMessages({ role: 'assistant', content: '', tool_calls: calls }, 'assistant', flags)
  return [...answer.filter(({ parts }) => parts.length > 0), ...asked]
}

export const liteLlm: Dialect = {
  name,
  marks: {
    scopes: [scopeName],
    attributes: ['litellm.call_id', 'litellm.api_key.hash', 'litellm.cache_hit', 'metadata.usage_object'],
  },
  /** For releases that do not state an operation. */
  kinds: [{ attribute: 'llm.request.type', kinds: operations }],
  operations,
  // The names `litellm.…` are those of its newer tracing.
  names: {
    cost: ['gen_ai.cost.total_cost', 'litellm.cost.total'],
    /** The model behind the name under which a proxy offers it. The other attributes contain only that name. */
    responseModel: routedNames.all,
  },
  late: { user: ['metadata.user_api_key_end_user_id', 'litellm.end_user.id'] },
  own: { provider: [rawProvider, routedProvider], responseId: [rawId] },
  messages: [answerWithTools],
  reads: {
    /** The proxy reports the failure of a request once more as a span of its own. */
    isStatusBorrowed: { on: { own: true }, read: ({ span }) => span.name === 'Failed Proxy Server Request' },
    /** An answer from LiteLLM's own cache repeats the usage of the call whose answer was stored. */
    isRequestOnly: {
      on: { attributes: cacheHitNames.all },
      read: ({ attributes }) => isTrue(first(attributes, cacheHitNames)),
    },
    /** The proxy names the model of a call on the spans around and before it too: of the request to it, and of its routing. */
    restatedKind: {
      on: { own: true },
      read(reading, kind) {
        if (kind !== 'llm') return null
        const isAround = has(reading.attributes, modelNames) && !has(reading.attributes, operationNames)
        return isAround ? 'chain' : kindOfCall(reading)
      },
    },
    kind: { on: { own: true }, read: (reading) => (isRawCall(readRaw(reading)) ? 'llm' : null) },
    model: {
      on: { own: true },
      read(reading) {
        const raw = readRaw(reading)
        return raw === null ? null : modelOfRaw(raw)
      },
    },
    callUsage: {
      on: { own: true },
      read(reading, told) {
        const { attributes, flags } = reading
        fillFromPrinted(first(attributes, usageNames), fillFromUsage, told, flags)
        const raw = readRaw(reading)?.told
        fillFromPrinted(raw?.get('usage') ?? raw?.get('usageMetadata'), fillFromProviderUsage, told, flags)
      },
    },
  },
}
