// The dialect of Pipecat, a framework for voice agents. It uses OpenTelemetry's names, and operations of its own for services in real time.
import { anyOf } from '../../../event/names.ts'
import { canonicalProvider } from '../../../pricing/provider.ts'
import type { Dialect } from '../../merge/definition.ts'
import { firstProvider } from '../../provider-name.ts'
import { excludesCacheItself } from '../../usage/excluding-cache.ts'

const providerNames = anyOf('gen_ai.provider.name', 'gen_ai.system')

export const pipecat: Dialect = {
  name: 'pipecat',
  marks: { scopes: ['pipecat*'] },
  /** The span of an answer has the usage. Those of the setup, the request and the tools have none. */
  operations: { llm_response: 'llm' },
  names: { ttftSeconds: ['metrics.ttfb'] },
  reads: {
    /** It passes on the counts of each provider as they are. */
    excludesCache: {
      on: { own: true },
      read: ({ attributes }) => excludesCacheItself(firstProvider(attributes, providerNames, canonicalProvider)),
    },
  },
}
