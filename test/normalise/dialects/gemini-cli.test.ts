import test from 'ava'
import { counts, json, type Plain, read } from '../_span.ts'

const span = (operation: string, attributes: { readonly [key: string]: Plain } = {}) =>
  read({
    name: operation,
    scope: 'gemini-cli',
    spanKind: 1,
    statusCode: 1,
    attributes: {
      'gen_ai.operation.name': operation,
      'gen_ai.agent.name': 'gemini-cli',
      'gen_ai.conversation.id': 'session-1',
      ...attributes,
    },
  })

test('Gemini CLI has operations of its own', (t) => {
  const call = span('llm_call', {
    'gen_ai.request.model': 'gemini-2.5-flash',
    'gen_ai.usage.input_tokens': 2_000,
    'gen_ai.usage.output_tokens': 100,
  })
  t.is(call.kind, 'llm')
  t.deepEqual(counts(call.usage), [2_000, 100, null, null, null])
  t.is(span('llm_call', { 'gen_ai.request.model': 'gemini-embedding-001' }).kind, 'embedding')
  t.is(span('agent_call').kind, 'agent')
  t.is(span('user_prompt').kind, 'chain')
  t.is(span('schedule_tool_calls').kind, 'chain')
})

const tool = (status: string) =>
  span('tool_call', {
    'gen_ai.tool.name': 'read_file',
    'gen_ai.tool.call_id': 'read_file_1',
    'gen_ai.output.messages': `{"status":"${status}","request":{"callId":"read_file_1"`,
  })

test('a tool of Gemini CLI failed where its result says so', (t) => {
  t.like(tool('success'), { kind: 'tool', toolName: 'read_file', toolCallId: 'read_file_1', status: 'ok' })
  t.is(tool('error').status, 'error')
  t.is(tool('cancelled').status, 'ok')
})

test('the arguments of a tool of Gemini CLI are a member of its request, which has the id of the call', (t) => {
  const given = (id: string, args: Plain) =>
    span('tool_call', {
      'gen_ai.tool.name': 'read_file',
      'gen_ai.tool.call_id': id,
      'gen_ai.input.messages': json({ callId: id, name: 'read_file', args, isClientInitiated: false }),
    })
  t.deepEqual(given('read_file_1', { path: 'a' }).content.toolArguments, { path: 'a' })
  t.not(given('read_file_1', { path: 'a' }).inputHash, null)
  t.is(given('read_file_1', { path: 'a' }).inputHash, given('read_file_2', { path: 'a' }).inputHash)
  t.not(given('read_file_1', { path: 'a' }).inputHash, given('read_file_1', { path: 'b' }).inputHash)
  const cut = '{"callId":"read_file_1","name":"read_file","args":{"path":"a...[TRUNCATED: original length 10100]'
  t.is(span('tool_call', { 'gen_ai.input.messages': cut }).inputHash, null)
})

test('the tools that a model asks for are those of the spans of tools, which are in other traces', (t) => {
  const answer = json([
    { role: 'model', parts: [{ functionCall: { name: 'read_file', args: {}, id: 'read_file_1' } }] },
  ])
  const asking = (scope: string) =>
    read({ scope, attributes: { 'gen_ai.operation.name': 'llm_call', 'gen_ai.output.messages': answer } })
  t.deepEqual(asking('gemini-cli').toolRequests, [])
  t.is(asking('an_application').toolRequests.length, 1)
})
