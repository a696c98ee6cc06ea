// The dialect of LlamaIndex's own tracing, which reports what a model is asked and answers as events with flattened members.
import type { Kind } from '../../../event/event.ts'
import { anyOf } from '../../../event/names.ts'
import type { AttributeMap, AttributeValue } from '../../../event/span.ts'
import { asText, firstText, toPlain } from '../../attribute.ts'
import { isObject, structureOr } from '../../json.ts'
import type { Dialect, MessageRead, TextRead } from '../../merge/definition.ts'
import { readMessages } from '../../messages/list.ts'
import { findEvent, isOf, type SpanReading } from '../../span-reading.ts'
import { fillFromProviderUsage } from '../../usage/provider-usage.ts'

const name = 'llama-index'

/** By the beginning of the names of a span's events. Other model events, such as `LLMPredictStartEvent`, lie around these. */
const kindsOfEvents: readonly (readonly [start: string, kind: Kind])[] = [
  ['LLMChat', 'llm'],
  ['LLMCompletion', 'llm'],
  ['Embedding', 'embedding'],
  ['SparseEmbedding', 'embedding'],
  ['Retrieval', 'retriever'],
  ['ReRank', 'reranker'],
]

/** The step of a workflow that calls a tool. Its input, as Python prints it, is cut after 200 characters. */
const toolStep = '.call_tool'
const inputNames = anyOf('llamaindex.step.input_summary')
const toolOf = /^ToolCall\(tool_name='([^'\\]+)'/

function kindOf({ span }: SpanReading): Kind {
  if (span.name.endsWith(toolStep)) return 'tool'
  for (const event of span.events) {
    const kind = kindsOfEvents.find(([start]) => event.name.startsWith(start))?.[1]
    if (kind !== undefined) return kind
  }
  return 'chain'
}

const toolName: TextRead = ({ attributes }) => toolOf.exec(firstText(attributes, inputNames) ?? '')?.[1] ?? null

const responseId: TextRead = (reading, kind) =>
  kind === 'llm' ? asText(memberOf(reading, ends, 'response.raw.id')) : null

const starts = ['LLMChatStartEvent', 'LLMCompletionStartEvent', 'EmbeddingStartEvent', 'SparseEmbeddingStartEvent']
const ends = ['LLMChatEndEvent', 'LLMCompletionEndEvent']

const memberOf = (reading: SpanReading, names: readonly string[], member: string): AttributeValue =>
  findEvent(reading, names)?.get(member) ?? null

/** Returns the object that is flattened into the names with this prefix, one or two levels deep. Missing values are the text `null`. */
function unflatten(attributes: AttributeMap, prefix: string): Record<string, unknown> {
  const object: Record<string, unknown> = {}
  for (const [key, value] of attributes) {
    if (!key.startsWith(prefix) || value === 'null') continue
    const [member = '', inner] = key.slice(prefix.length).split('.', 2)
    if (inner === undefined) object[member] = value
    else object[member] = { ...(object[member] as object | undefined), [inner]: value }
  }
  return object
}

const usagePrefixes = ['response.raw.usage.', 'response.raw.usage_metadata.', 'response.additional_kwargs.']

/** Renames the members of a message of LlamaIndex. Its calls of tools are those of the provider. */
function asMessage(told: unknown): unknown {
  if (!isObject(told) || !Array.isArray(told['blocks'])) return told
  const { role, blocks: content, additional_kwargs: more } = told
  const calls = isObject(more) ? more['tool_calls'] : undefined
  return { role, content, ...(Array.isArray(calls) ? { tool_calls: calls } : {}) }
}

const messagesOfEvents: MessageRead = (reading, way) => {
  if (!isOf(reading, name)) return null
  const { flags } = reading
  const told = findEvent(reading, way === 'input' ? starts : ends)
  const plain = (member: string): unknown => structureOr(toPlain(told?.get(member) ?? null, flags), flags)
  if (way === 'input') {
    const given = plain('messages') ?? plain('prompt')
    return readMessages(Array.isArray(given) ? given.map(asMessage) : given, 'user', flags)
  }
  const blocks = plain('response.message.blocks')
  const calls = plain('response.message.additional_kwargs.tool_calls')
  const answer = { role: 'assistant', blocks, additional_kwargs: { tool_calls: calls } }
  return readMessages(blocks === null ? plain('response.text') : [asMessage(answer)], 'assistant', flags)
}

export const llamaIndex: Dialect = {
  name,
  marks: { scopes: ['llamaindex.opentelemetry*'] },
  own: {
    responseId: [responseId],
    toolName: [toolName],
  },
  lateMessages: [messagesOfEvents],
  content: {
    in: [...starts, 'llamaindex.step.input_summary'],
    out: [...ends, 'step.output', 'workflow.output'],
  },
  reads: {
    kind: { on: { own: true }, read: kindOf },
    model: {
      on: { own: true },
      read: (reading) =>
        asText(memberOf(reading, ends, 'response.raw.model')) ??
        asText(memberOf(reading, starts, 'model_dict.model_name')) ??
        asText(memberOf(reading, starts, 'model_dict.model')),
    },
    callUsage: {
      on: { own: true },
      read(reading, told) {
        const answer = findEvent(reading, ends)
        if (answer === undefined) return
        for (const prefix of usagePrefixes) fillFromProviderUsage(unflatten(answer, prefix), told, reading.flags)
      },
    },
  },
}
