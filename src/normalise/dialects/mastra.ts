// Floor 1. Mastra, which writes the names of OpenTelemetry but for the cache.
import type { Dialect } from '../merge/definition.ts'

export const mastra: Dialect = {
  name: 'mastra',
  marks: { scopes: ['@mastra/*'], attributes: ['mastra.span.type'] },
  names: { cachedTokens: ['gen_ai.usage.cached_input_tokens'] },
}
