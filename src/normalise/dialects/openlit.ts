// The dialect of OpenLIT.
import { anyOf } from '../../event/names.ts'
import { canonicalProvider } from '../../pricing/provider.ts'
import type { Dialect } from '../merge/definition.ts'
import { firstProvider } from '../provider-name.ts'
import { addThoughts } from '../usage/add-thoughts.ts'
import { excludesCacheItself } from '../usage/excluding-cache.ts'

const providerNames = anyOf('gen_ai.provider.name', 'gen_ai.system')
/** The scope for each provider whose count excludes the cache, and the one that older releases use for all providers. */
const scopesWithoutCache: ReadonlySet<string> = new Set([
  'openlit.instrumentation.anthropic',
  'openlit.instrumentation.bedrock',
  'openlit.otel.tracing',
])
const scopeOfGemini = 'openlit.instrumentation.google_ai_studio'

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
