// The dialect of Laminar.
import type { Dialect } from '../merge/definition.ts'
import { inAttributes } from '../messages/sources.ts'

export const laminar: Dialect = {
  name: 'laminar',
  marks: { scopes: ['lmnr*'], attributes: ['lmnr.span.type', 'lmnr.span.path'] },
  kinds: [
    {
      attribute: 'lmnr.span.type',
      kinds: {
        llm: 'llm',
        tool: 'tool',
        executor: 'chain',
        evaluation: 'chain',
        evaluator: 'evaluator',
        human_evaluator: 'evaluator',
      },
    },
  ],
  names: {
    session: ['lmnr.association.properties.session_id'],
    user: ['lmnr.association.properties.user_id'],
    serviceTier: ['anthropic.response.service_tier'],
    batch: ['gen_ai.request.batch'],
    cacheWrite5mTokens: ['gen_ai.usage.cache_creation.input_tokens.ephemeral_5m'],
    cacheWrite1hTokens: ['gen_ai.usage.cache_creation.input_tokens.ephemeral_1h'],
    reasoningTokens: ['gen_ai.usage.reasoning_tokens', 'llm.usage.reasoning_tokens'],
    inputCost: ['gen_ai.usage.input_cost'],
    outputCost: ['gen_ai.usage.output_cost'],
    toolArguments: ['lmnr.span.input'],
    toolResult: ['lmnr.span.output'],
  },
  late: { serviceTier: ['anthropic.request.service_tier'] },
  messages: [inAttributes(['lmnr.span.input'], ['lmnr.span.output'])],
  content: { in: ['lmnr.span.input'], out: ['lmnr.span.output'] },
}
