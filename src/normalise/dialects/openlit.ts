// The dialect of OpenLIT.
import type { Kind } from '../../event/event.ts'
import { anyOf } from '../../event/names.ts'
import { canonicalProvider } from '../../pricing/provider.ts'
import { has } from '../attribute.ts'
import type { Dialect } from '../merge/definition.ts'
import { firstProvider } from '../provider-name.ts'
import type { SpanReading } from '../span-reading.ts'
import { addThoughts } from '../usage/add-thoughts.ts'
import { excludesCacheItself } from '../usage/excluding-cache.ts'

const providerNames = anyOf('gen_ai.provider.name', 'gen_ai.system')
/** The scope for each provider whose count excludes the cache, and the one that older releases use for all providers. */
const scopesWithoutCache: ReadonlySet<string> = new Set([
  'openlit.instrumentation.anthropic',
  'openlit.instrumentation.bedrock',
  'openlit.otel.tracing',
])
const usageNames = anyOf('gen_ai.usage.input_tokens', 'gen_ai.usage.output_tokens')
/** Requests to OpenAI that it calls a chat although no model answers them. */
const noChat = /^(?:responses\.token_count|chat\.messages\.list) /
/** Requests about a response. Its answer, and so its usage, is returned once it is complete. */
const aboutResponse = /^responses\.(?:retrieve|cancel) /
const scopeOfGemini = 'openlit.instrumentation.google_ai_studio'

/** Makes requests that return no answer of a model no model calls. */
function restateKind({ span, attributes }: SpanReading, kind: Kind): Kind | null {
  if (kind !== 'llm') return null
  return noChat.test(span.name) || (aboutResponse.test(span.name) && !has(attributes, usageNames)) ? 'other' : null
}

export const openLit: Dialect = {
  name: 'openlit',
  marks: { scopes: ['openlit*'], attributes: ['gen_ai.environment'] },
  operations: { agent: 'agent', execute_task: 'agent' },
  names: {
    environment: ['gen_ai.environment'],
    serviceTier: ['gen_ai.response.service_tier'],
    totalTokens: ['gen_ai.usage.total_tokens'],
    reasoningTokens: ['gen_ai.usage.reasoning_tokens'],
    cost: ['gen_ai.usage.cost'],
    toolArguments: ['gen_ai.tool.args'],
  },
  late: { serviceTier: ['gen_ai.request.service_tier'] },
  content: { in: ['gen_ai.tool.args'] },
  reads: {
    restatedKind: { on: { own: true }, read: restateKind },
    /** It reports the provider's input count under the standard's name, which includes the cache. */
    excludesCache: {
      on: { own: true },
      read: ({ span, attributes }) =>
        scopesWithoutCache.has(span.scope.name) &&
        excludesCacheItself(firstProvider(attributes, providerNames, canonicalProvider)),
    },
    /** It reports Gemini's output count, which excludes the thoughts. */
    callUsage: {
      on: { own: true },
      read({ span, flags }, told) {
        if (span.scope.name === scopeOfGemini) addThoughts(told, flags)
      },
    },
  },
}
