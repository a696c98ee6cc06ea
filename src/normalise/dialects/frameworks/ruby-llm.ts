// The dialect of OpenTelemetry's instrumentation of RubyLLM, in Ruby, which uses OpenTelemetry's names. Each further call of a turn is inside
// the one before, and all of them report the usage of the last one: that of the others is not reported.
import type { Dialect } from '../../merge/definition.ts'

export const rubyLlm: Dialect = {
  name: 'ruby-llm',
  marks: { scopes: ['OpenTelemetry::Instrumentation::RubyLLM'] },
  reads: {
    /** RubyLLM takes the cache out of the input of all providers, since its release 1.15. Earlier ones pass on the counts of each provider. */
    excludesCache: { on: { own: true }, read: () => true },
  },
}
