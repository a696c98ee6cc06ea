import test from 'ava'
import { counts, read } from '../_span.ts'

const ofKind = (kind: string, attributes: Readonly<Record<string, string | number>> = {}) =>
  read({ name: 'ChatCompletion', scope: 'traceai_openai', attributes: { 'gen_ai.span.kind': kind, ...attributes } })

test('a stream or a failed call, whose span names the model only in its parameters, is a call of this model', (t) => {
  const event = ofKind('LLM', {
    'gen_ai.request.parameters': '{"model": "gpt-4o-mini", "stream": true}',
    'gen_ai.usage.input_tokens': 2_020,
    'gen_ai.usage.output_tokens': 102,
  })
  t.is(event.dialect, 'traceai')
  t.is(event.kind, 'llm')
  t.is(event.model, 'gpt-4o-mini')
  t.deepEqual(counts(event.usage), [2_020, 102, null, null, null])
})

test('other kinds are those of OpenInference', (t) => {
  t.is(ofKind('EMBEDDING').kind, 'embedding')
  t.is(ofKind('AGENT').kind, 'agent')
  t.is(ofKind('TOOL').kind, 'tool')
})

test('messages and the tools that they ask for are flattened', (t) => {
  const answer = 'gen_ai.output.messages.0.message.'
  const event = ofKind('LLM', {
    'input.value': 'You are helpful.',
    'output.value': 'Function: get_weather({"city": "Paris"})',
    'gen_ai.input.messages.0.message.role': 'user',
    'gen_ai.input.messages.0.message.content': 'Weather in Paris?',
    [`${answer}role`]: 'assistant',
    [`${answer}tool_calls.0.tool_call.id`]: 'call_0',
    [`${answer}tool_calls.0.tool_call.function.name`]: 'get_weather',
    [`${answer}tool_calls.0.tool_call.function.arguments`]: '{"city": "Paris"}',
  })
  t.deepEqual(event.toolRequests, [{ id: 'call_0', name: 'get_weather' }])
  t.deepEqual(event.content.inputMessages, [{ role: 'user', parts: [{ type: 'text', text: 'Weather in Paris?' }] }])
})
