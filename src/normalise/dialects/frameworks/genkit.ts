// The dialect of Genkit, by Google, in any of its languages. It has its own names for types of spans, and for a model's answer and usage.
import type { Flag } from '../../../event/flag.ts'
import { anyOf } from '../../../event/names.ts'
import { canonicalProvider, splitProviderAndModel } from '../../../pricing/provider.ts'
import { first, firstText } from '../../attribute.ts'
import { isObject, type JsonObject } from '../../json.ts'
import type { Dialect, TextRead } from '../../merge/definition.ts'
import { inAttributes } from '../../messages/sources.ts'
import type { SpanReading } from '../../span-reading.ts'
import { readCount, readOutputOf } from '../../usage/count.ts'
import { excludesCacheItself } from '../../usage/excluding-cache.ts'
import { fillFromProviderUsage, usageOfAnswer } from '../../usage/provider-usage.ts'
import type { ReportedUsage } from '../../usage/reported-usage.ts'

const typeNames = anyOf('genkit:type')
const subtypeNames = anyOf('genkit:metadata:subtype')
const nameNames = anyOf('genkit:name')
const outputNames = anyOf('genkit:output')

const subtypeOf = ({ attributes }: SpanReading): string | null => firstText(attributes, subtypeNames)

const operations: ReadonlyMap<string, string> = new Map([
  ['model', 'chat'],
  ['embedder', 'embeddings'],
])

const impliedOperation: TextRead = (reading) => operations.get(subtypeOf(reading) ?? '') ?? null

/** Returns both parts of the name of a model, which is registered as `plugin/model`; null for a span that calls no model. */
function readPluginAndModel(reading: SpanReading): readonly [plugin: string, model: string] | null {
  if (!operations.has(subtypeOf(reading) ?? '')) return null
  return splitProviderAndModel(firstText(reading.attributes, nameNames) ?? '')
}

const pluginAsProvider: TextRead = (reading) => {
  const [plugin] = readPluginAndModel(reading) ?? []
  return plugin === undefined ? null : canonicalProvider(plugin)
}

/** Subtypes whose name is that of an agent: agents, and prompts with their own name and tools, which can be called as a tool. */
const agentSubtypes: ReadonlySet<string> = new Set(['agent', 'executable-prompt'])

const namedAgent: TextRead = (reading) => {
  const isAgent = first(reading.attributes, typeNames) === 'dotprompt' || agentSubtypes.has(subtypeOf(reading) ?? '')
  return isAgent ? firstText(reading.attributes, nameNames) : null
}

const namedFlow: TextRead = (reading) =>
  subtypeOf(reading) === 'flow' ? firstText(reading.attributes, nameNames) : null

/** Fills in missing counts from the usage that each plugin derives from the provider's. Its output does not include Gemini's thoughts. */
function fillFromGenkit(usage: JsonObject, told: ReportedUsage, flags: Set<Flag>): void {
  told.input ??= readCount(usage['inputTokens'], flags)
  told.output ??= readOutputOf(told)(usage['outputTokens'], flags)
  told.total ??= readCount(usage['totalTokens'], flags)
  told.cached ??= readCount(usage['cachedContentTokens'], flags)
  told.reasoning ??= readCount(usage['thoughtsTokens'], flags)
}

/**
 * Whether the usage that a plugin derived is Anthropic's, whose input does not include the cache: Genkit for Go passes it on as it is. Plugins
 * for other providers report a total. Claude on Vertex AI has the name of that plugin.
 */
function leavesCacheOut(reading: SpanReading, usage: JsonObject): boolean {
  if (typeof usage['cachedContentTokens'] !== 'number' || 'totalTokens' in usage) return false
  const [plugin = '', model = ''] = readPluginAndModel(reading) ?? []
  return excludesCacheItself(canonicalProvider(plugin)) || model.startsWith('claude')
}

export const genkit: Dialect = {
  name: 'genkit',
  marks: { scopes: ['genkit*'], attributes: ['genkit:input', 'genkit:output', 'genkit:type'] },
  kinds: [
    {
      attribute: 'genkit:metadata:subtype',
      kinds: {
        model: 'llm',
        embedder: 'embedding',
        tool: 'tool',
        'tool.v2': 'tool',
        agent: 'agent',
        retriever: 'retriever',
        reranker: 'reranker',
        evaluator: 'evaluator',
        flow: 'chain',
        prompt: 'chain',
        'executable-prompt': 'chain',
      },
    },
    {
      attribute: 'genkit:type',
      kinds: { util: 'chain', dotprompt: 'chain', flow: 'chain', flowstep: 'chain' },
    },
  ],
  names: {
    session: ['genkit:sessionId', 'genkit:metadata:agent:sessionId'],
    toolArguments: ['genkit:input'],
    toolResult: ['genkit:output'],
  },
  own: {
    impliedOperation: [impliedOperation],
    contextAgent: [namedAgent],
    workflow: [namedFlow],
    provider: [pluginAsProvider],
  },
  messages: [inAttributes(['genkit:input'], ['genkit:output'])],
  content: { in: ['genkit:input'], out: ['genkit:output'] },
  reads: {
    model: { on: { own: true }, read: (reading) => readPluginAndModel(reading)?.[1] ?? null },
    finishReason: {
      on: { own: true },
      read(reading) {
        const reason = subtypeOf(reading) === 'model' ? reading.object(outputNames)?.['finishReason'] : undefined
        return typeof reason === 'string' ? reason : undefined
      },
    },
    callUsage: {
      on: { attributes: outputNames.all },
      read(reading, told, kind) {
        if (kind !== 'llm') return
        const output = reading.object(outputNames)
        const usage = output?.['usage']
        if (isObject(usage)) fillFromGenkit(usage, told, reading.flags)
        // The provider's own answer, under either of these names, splits the usage more finely.
        const answers = [output?.['raw'], output?.['custom']].filter(isObject)
        const given = answers.map(usageOfAnswer).filter((own) => own !== null)
        for (const own of given) fillFromProviderUsage(own, told, reading.flags)
        if (given.length === 0 && isObject(usage) && leavesCacheOut(reading, usage)) told.cacheIsAdditive = true
      },
    },
  },
}
