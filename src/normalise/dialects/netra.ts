// The dialect of Netra, which adds its attributes to those of the instrumentations that it collects.

import { isObject, parseStructure } from '../json.ts'
import type { Dialect, MessageRead } from '../merge/definition.ts'
import { readIndexed } from '../messages/indexed.ts'
import { readMessages } from '../messages/list.ts'
import { isOf } from '../span-reading.ts'

const name = 'netra'

/** Returns the call in a text of the form `{"name": …, "arguments": …}`, which Netra writes as the content of an answer that asks for a tool. */
function callIn(content: unknown, flags: Parameters<typeof parseStructure>[1]): Record<string, unknown> | null {
  const call = typeof content === 'string' && content.startsWith('{"name"') ? parseStructure(content, flags) : null
  return isObject(call) && 'arguments' in call && Object.keys(call).length === 2 ? call : null
}

const answerWithCalls: MessageRead = (reading, way) => {
  if (way === 'input' || !isOf(reading, name)) return null
  const { attributes, flags } = reading
  const told = (readIndexed(attributes, 'gen_ai.completion.', flags) ?? []).filter(isObject)
  const calls = told.map(({ content, tool_call_id: id }) => {
    const call = callIn(content, flags)
    return call === null ? null : { role: 'assistant', content: '', tool_calls: [{ id, ...call }] }
  })
  if (calls.every((call) => call === null)) return null
  return readMessages(
    calls.map((call, at) => call ?? told[at]),
    'assistant',
    flags,
  )
}

export const netra: Dialect = {
  name,
  marks: { scopes: ['netra*'], attributes: ['netra.span.type', 'netra.instrumentation.name'] },
  kinds: [
    {
      attribute: 'netra.span.type',
      kinds: { agent: 'agent', tool: 'tool', generation: 'llm', embedding: 'embedding', span: 'chain' },
    },
  ],
  names: {
    agent: ['netra.agent.name'],
    workflow: ['netra.workflow.name'],
    session: ['netra.session_id'],
    user: ['netra.user_id'],
  },
  own: {
    toolArguments: ['input'],
    toolResult: ['output'],
    toolRequestMarks: ['gen_ai.completion.0.content'],
  },
  messages: [answerWithCalls],
  content: { in: ['netra.user.input'], out: ['netra.user.output'] },
}
