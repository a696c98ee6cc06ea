// The dialect of MLflow, which writes every value as JSON text, so that texts are in quotes.
import type { Flag } from '../../event/flag.ts'
import { anyOf } from '../../event/names.ts'
import type { Attributes, AttributeValue } from '../../event/span.ts'
import { canonicalProvider, isKnownProvider } from '../../pricing/provider.ts'
import { among, first, firstText } from '../attribute.ts'
import { parseJson } from '../json.ts'
import type { Dialect, TextRead } from '../merge/definition.ts'
import { inAttributes } from '../messages/sources.ts'
import { firstProvider } from '../provider-name.ts'
import type { SpanReading } from '../span-reading.ts'
import { fillFromProviderUsage, fillFromUsage, usageOfAnswer } from '../usage/provider-usage.ts'
import type { ReportedUsage } from '../usage/reported-usage.ts'
import { readLangChainAgent } from './langchain.ts'
import { isOpenInferenceCall, readIdOfAnswer } from './openinference.ts'

/** The output of a span. For a model call it is the provider's whole answer. */
const outputNames = anyOf('mlflow.spanOutputs')
const usageNames = anyOf('mlflow.chat.tokenUsage')
const formatNames = anyOf('mlflow.message.format')
/** The client library, which is often named after its provider. */
const providerNames = anyOf('mlflow.llm.provider', 'mlflow.message.format')

function unquoted(value: AttributeValue | undefined, flags: Set<Flag>): AttributeValue | undefined {
  if (typeof value !== 'string') return value
  if (value === 'null') return null
  if (!value.startsWith('"')) return value
  const text = parseJson(value, flags)
  return typeof text === 'string' ? text : value
}

/**
 * Returns a view of the attributes with texts unquoted and `null` as null. Objects and lists stay JSON text, as other senders write them.
 */
const withoutQuotes = (attributes: Attributes, flags: Set<Flag>): Attributes => ({
  size: attributes.size,
  get: (key) => unquoted(attributes.get(key), flags),
  has: (key) => attributes.has(key),
  among: (names) => among(attributes, names),
  *[Symbol.iterator]() {
    for (const [key, value] of attributes) yield [key, unquoted(value, flags) ?? null]
  },
})

function knownProvider(raw: string): string | null {
  const provider = canonicalProvider(raw)
  return provider !== null && isKnownProvider(provider) ? provider : null
}

/** MLflow has no name for the response id, but keeps the answer that contains it. */
const responseId: TextRead = (reading, kind) =>
  kind === 'llm' && !isOpenInferenceCall(reading) ? readIdOfAnswer(first(reading.attributes, outputNames)) : null

const nameNames = anyOf('name')

/** DSPy's tools have their name in an attribute without a namespace, and in that of the span. */
const toolName: TextRead = ({ span, attributes }) => {
  const name = firstText(attributes, nameNames)
  return name !== null && span.name === `Tool.${name}` ? name : null
}

/** Fills in missing counts: first MLflow's own, which lack reasoning and are absent on embeddings, then those in the provider's answer. */
function fillFromMlflow(reading: SpanReading, told: ReportedUsage): void {
  const usage = reading.object(usageNames)
  if (usage !== null) fillFromUsage(usage, told, reading.flags)
  const answer = reading.object(outputNames)
  const ofAnswer = answer === null ? null : usageOfAnswer(answer)
  if (ofAnswer !== null) fillFromProviderUsage(ofAnswer, told, reading.flags)
}

export const mlflow: Dialect = {
  name: 'mlflow',
  marks: { scopes: ['mlflow*'], attributes: ['mlflow.spanType'] },
  kinds: [
    {
      attribute: 'mlflow.spanType',
      kinds: {
        llm: 'llm',
        chat_model: 'llm',
        embedding: 'embedding',
        chain: 'chain',
        workflow: 'chain',
        task: 'chain',
        tool: 'tool',
        agent: 'agent',
        retriever: 'retriever',
        reranker: 'reranker',
        memory: 'memory',
        guardrail: 'guardrail',
        evaluator: 'evaluator',
        parser: 'other',
      },
    },
  ],
  names: {
    requestModel: ['mlflow.llm.model'],
    costDetails: ['mlflow.llm.cost'],
    toolName: ['mlflow.spanFunctionName'],
    toolArguments: ['mlflow.spanInputs'],
    toolResult: ['mlflow.spanOutputs'],
  },
  late: {
    session: ['mlflow.trace.session'],
    user: ['mlflow.trace.user'],
  },
  own: {
    // A separate function, since `order.test.ts` identifies the dialect of a step by its function.
    contextAgent: [(reading, kind) => readLangChainAgent(reading, kind)],
    provider: [({ attributes }) => firstProvider(attributes, providerNames, knownProvider)],
    responseId: [responseId],
    toolName: [toolName],
  },
  messages: [inAttributes(['mlflow.spanInputs'], ['mlflow.spanOutputs'])],
  content: {
    in: ['mlflow.spanInputs'],
    out: ['mlflow.spanOutputs'],
    apart: ['mlflow.chat.tools', 'mlflow.chunk.value'],
  },
  view: withoutQuotes,
  reads: {
    /** It reports Anthropic's own input count, which excludes the cache. */
    excludesCache: { on: { own: true }, read: ({ attributes }) => first(attributes, formatNames) === 'anthropic' },
    callUsage: { on: { own: true }, read: fillFromMlflow },
  },
}
