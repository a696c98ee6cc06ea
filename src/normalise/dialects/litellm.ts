// Floor 1. LiteLLM, by its own callback for OpenTelemetry.
import { anyOf } from '../../otlp/names.ts'
import { first, has, isTrue } from '../attribute.ts'
import { isObject } from '../json.ts'
import type { Dialect, MessageRead } from '../merge/definition.ts'
import { readIndexed } from '../messages/indexed.ts'
import { readMessages } from '../messages/list.ts'
import { fillFromUsage } from '../usage/provider-usage.ts'
import { usageInDict } from '../usage/python-repr.ts'
import { readStandard } from './opentelemetry-messages.ts'

/** What Python prints of LiteLLM's own usage object, in OpenAI's form whoever the provider is. */
const usageNames = anyOf('metadata.usage_object')
/** Of the first tool that an answer asks for. */
const askedNames = anyOf('gen_ai.completion.0.function_call.name')
const cacheHitNames = anyOf('litellm.cache_hit')

/** Its functions by name, as it states them; it has two of each. Of all others the model is not asked. */
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

/** The answer in the standard's form lacks the tools that the model asks for. They are told beside it. */
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
  name: 'litellm',
  marks: { scopes: ['litellm'], attributes: ['litellm.call_id', 'litellm.cache_hit', 'metadata.usage_object'] },
  /** Releases that name no operation. */
  kinds: [{ attribute: 'llm.request.type', kinds: operations }],
  operations,
  names: { cost: ['gen_ai.cost.total_cost'] },
  late: { user: ['metadata.user_api_key_end_user_id'] },
  messages: [answerWithTools],
  reads: {
    /** An answer out of LiteLLM's own cache repeats the usage of the call that it was stored of. */
    isRequestOnly: {
      on: { attributes: cacheHitNames.all },
      read: ({ attributes }) => isTrue(first(attributes, cacheHitNames)),
    },
    callUsage: {
      on: { attributes: usageNames.all },
      read({ attributes, flags }, told) {
        const printed = first(attributes, usageNames)
        const usage = typeof printed === 'string' ? usageInDict(printed) : null
        if (usage !== null) fillFromUsage(usage, told, flags)
      },
    },
  },
}
