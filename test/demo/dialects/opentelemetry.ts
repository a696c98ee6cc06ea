// Spans in the current OpenTelemetry GenAI conventions, with Tracewright's own attributes beside them.
import type { CallTold, Dialect, ToolTold } from '../telling.ts'

const ids = (tools: readonly ToolTold[]) => tools.map((tool) => tool.id)

const text = (role: string, content: string) => ({ role, parts: [{ type: 'text', content }] })

function inputMessages({ question, consumed = [] }: CallTold): string {
  const results = consumed.map(({ id, result }) => ({ type: 'tool_call_response', id, response: result }))
  return JSON.stringify([text('user', question), ...(results.length > 0 ? [{ role: 'tool', parts: results }] : [])])
}

function outputMessages({ answer, wants = [] }: CallTold): string {
  const calls = wants.map(({ id, name, arguments: given }) => ({ type: 'tool_call', id, name, arguments: given }))
  const said = answer === '' ? [] : [{ type: 'text', content: answer }]
  return JSON.stringify([
    { role: 'assistant', parts: [...said, ...calls], finish_reason: calls.length > 0 ? 'tool_call' : 'stop' },
  ])
}

const usageOf = ({ input, output, cached, cacheWrite, reasoning }: CallTold) => ({
  'gen_ai.usage.input_tokens': input,
  'gen_ai.usage.output_tokens': output,
  ...(cached === undefined ? {} : { 'gen_ai.usage.cache_read.input_tokens': cached }),
  ...(cacheWrite === undefined ? {} : { 'gen_ai.usage.cache_write.input_tokens': cacheWrite }),
  ...(reasoning === undefined ? {} : { 'gen_ai.usage.reasoning.output_tokens': reasoning }),
})

const readsOf = ({ consumed = [], read = consumed }: CallTold) =>
  consumed.length === 0
    ? {}
    : { 'tracewright.consumed_tool_call_ids': ids(consumed), 'tracewright.read_tool_call_ids': ids(read) }

export const openTelemetry: Dialect = {
  scope: { name: 'demo.agents', version: '1.0.0' },
  agent: ({ name, session, user, task }) => ({
    name: `invoke_agent ${name}`,
    attributes: {
      'gen_ai.operation.name': 'invoke_agent',
      'gen_ai.agent.name': name,
      'gen_ai.conversation.id': session,
      'user.id': user,
      'tracewright.task_type': task,
    },
  }),
  call: (told, responseId, ttftMs, failed) => ({
    name: `chat ${told.model.asked}`,
    attributes: {
      'gen_ai.operation.name': 'chat',
      'gen_ai.provider.name': told.model.provider,
      'gen_ai.request.model': told.model.asked,
      'gen_ai.input.messages': inputMessages(told),
      ...readsOf(told),
      ...(failed
        ? {}
        : {
            'gen_ai.response.id': responseId,
            'gen_ai.response.model': told.model.answered,
            'gen_ai.response.finish_reasons': [(told.wants ?? []).length > 0 ? 'tool_call' : 'stop'],
            'gen_ai.output.messages': outputMessages(told),
            ...(ttftMs === null ? {} : { 'gen_ai.response.time_to_first_chunk': ttftMs / 1_000 }),
            ...usageOf(told),
          }),
    },
  }),
  tool: ({ id, name, arguments: given, result, stored = {} }, failed) => ({
    name: `execute_tool ${name}`,
    attributes: {
      'gen_ai.operation.name': 'execute_tool',
      'gen_ai.tool.name': name,
      'gen_ai.tool.call.id': id,
      'gen_ai.tool.type': 'function',
      'gen_ai.tool.call.arguments': JSON.stringify(given),
      ...(failed ? {} : { 'gen_ai.tool.call.result': JSON.stringify(result), ...stored }),
    },
  }),
  embedding: (model, _text, tokens) => ({
    name: `embeddings ${model.asked}`,
    attributes: {
      'gen_ai.operation.name': 'embeddings',
      'gen_ai.provider.name': model.provider,
      'gen_ai.request.model': model.asked,
      'gen_ai.usage.input_tokens': tokens,
    },
  }),
  retrieval: ({ source, query, documents }) => ({
    name: `retrieval ${source}`,
    attributes: {
      'gen_ai.operation.name': 'retrieval',
      'gen_ai.data_source.id': source,
      'gen_ai.retrieval.query.text': query,
      'gen_ai.retrieval.documents': JSON.stringify(documents.map((id, at) => ({ id, score: 0.9 - at / 10 }))),
    },
  }),
}
