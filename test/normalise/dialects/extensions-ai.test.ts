import test from 'ava'
import { counts, type Plain, read } from '../_span.ts'

const span = (operation: string, attributes: Record<string, Plain>) =>
  read({
    name: `${operation} gpt-realtime`,
    scope: 'Experimental.Microsoft.Extensions.AI',
    attributes: { 'gen_ai.operation.name': operation, 'gen_ai.request.model': 'gpt-realtime', ...attributes },
  })

test('of a session in real time, an answer is a model call, and a message to the model is none', (t) => {
  const answer = span('realtime', {
    'gen_ai.response.id': 'resp_1',
    'gen_ai.usage.input_tokens': 200,
    'gen_ai.usage.output_tokens': 80,
  })
  t.is(answer.kind, 'llm')
  t.deepEqual(counts(answer.usage), [200, 80, null, null, null])
  t.is(span('realtime', { 'error.type': 'System.Net.WebSockets.WebSocketException' }).kind, 'llm')
  t.is(span('realtime', { 'gen_ai.input.messages': '[{"role":"user","parts":[]}]' }).kind, 'other')
})

test('the loop around calls and tools is a step', (t) => {
  t.is(span('orchestrate_tools', {}).kind, 'chain')
})
