// The dialect of Sentry's SDKs.
import { anyOf } from '../../event/names.ts'
import { first } from '../attribute.ts'
import type { Dialect, TextRead } from '../merge/definition.ts'
import { pieces } from '../messages/sources.ts'

const operationNames = anyOf('sentry.op')

/** Reads the operation from `sentry.op`. Sentry writes it there too, and older releases write it only there. */
const statedOperation: TextRead = ({ attributes }) => {
  const operation = first(attributes, operationNames)
  return typeof operation === 'string' && operation.startsWith('gen_ai.') ? operation.slice('gen_ai.'.length) : null
}

export const sentry: Dialect = {
  name: 'sentry',
  marks: { attributes: ['sentry.op', 'sentry.origin'] },
  operations: { responses: 'llm', messages: 'llm', handoff: 'chain' },
  names: {
    operation: [statedOperation],
    cachedTokens: ['gen_ai.usage.input_tokens.cached'],
    cacheWriteTokens: ['gen_ai.usage.input_tokens.cache_write'],
    reasoningTokens: ['gen_ai.usage.output_tokens.reasoning'],
    cost: ['gen_ai.usage.total_cost'],
    toolArguments: ['gen_ai.tool.input'],
    toolResult: ['gen_ai.tool.output'],
    toolRequestMarks: ['gen_ai.response.tool_calls'],
  },
  messages: [
    pieces('gen_ai.response.text', 'gen_ai.response.reasoning', 'gen_ai.response.tool_calls', 'gen_ai.response.object'),
  ],
  content: {
    in: ['gen_ai.tool.input'],
    out: [
      'gen_ai.response.text',
      'gen_ai.response.reasoning',
      'gen_ai.response.tool_calls',
      'gen_ai.response.object',
      'gen_ai.tool.output',
    ],
    apart: ['gen_ai.request.available_tools'],
  },
}
