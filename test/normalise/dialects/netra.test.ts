import test from 'ava'
import { read } from '../_span.ts'

const decorated = (type: string, attributes: Readonly<Record<string, string>> = {}) =>
  read({
    name: 'get_weather',
    scope: 'get_weather',
    attributes: { 'netra.span.type': type, 'netra.session_id': 's1', 'netra.user_id': 'u1', ...attributes },
  })

test('decorated code has the kind that its decorator states', (t) => {
  t.is(decorated('AGENT').kind, 'agent')
  t.is(decorated('SPAN').kind, 'chain')
  t.is(decorated('GENERATION').kind, 'llm')
  const tool = decorated('TOOL', { 'netra.agent.name': 'researcher', input: '{"city":"Paris"}', output: 'sunny' })
  t.is(tool.kind, 'tool')
  t.is(tool.toolName, 'get_weather')
  t.is(tool.agentOwn, 'researcher')
  t.is(tool.sessionId, 's1')
  t.is(tool.userId, 'u1')
  t.not(tool.inputHash, null)
  t.not(tool.contentHash, null)
})

const answer = (attributes: Readonly<Record<string, string>>, scope = 'netra.instrumentation.openai') =>
  read({
    name: 'openai.chat',
    scope,
    attributes: { 'llm.request.type': 'chat', 'gen_ai.completion.0.role': 'assistant', ...attributes },
  }).toolRequests

test('a tool that the model asks for is read from the text of the answer', (t) => {
  const content = '{"name": "get_weather", "arguments": "{\\"city\\": \\"Paris\\"}"}'
  const id = { 'gen_ai.completion.0.tool_call_id': 'call_0' }
  t.deepEqual(answer({ 'gen_ai.completion.0.content': content, ...id }), [{ id: 'call_0', name: 'get_weather' }])
  t.deepEqual(answer({ 'gen_ai.completion.0.content': content }), [{ id: null, name: 'get_weather' }])
})

test('other JSON, and the same text of another instrumentation, is no request', (t) => {
  t.deepEqual(answer({ 'gen_ai.completion.0.content': '{"name": "Paris", "degrees": 21}' }), [])
  const content = '{"name": "get_weather", "arguments": "{}"}'
  t.deepEqual(answer({ 'gen_ai.completion.0.content': content }, 'opentelemetry.instrumentation.openai'), [])
})
