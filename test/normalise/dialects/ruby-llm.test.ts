import test from 'ava'
import { counts, type Plain, read } from '../_span.ts'

const span = (
  name: string,
  attributes: { readonly [key: string]: Plain },
  scope = 'OpenTelemetry::Instrumentation::RubyLLM',
) => read({ name, scope, attributes })

const chat = (provider: string, cache: { readonly [key: string]: Plain }, scope?: string) =>
  span(
    'chat a-model',
    {
      'gen_ai.operation.name': 'chat',
      'gen_ai.provider.name': provider,
      'gen_ai.request.model': 'a-model',
      'gen_ai.response.model': 'a-model',
      'gen_ai.usage.input_tokens': 1_000,
      'gen_ai.usage.output_tokens': 50,
      ...cache,
    },
    scope,
  )

test('RubyLLM takes the cache out of the input of all providers', (t) => {
  const cache = { 'gen_ai.usage.cache_read.input_tokens': 800, 'gen_ai.usage.cache_creation.input_tokens': 100 }
  for (const provider of ['anthropic', 'openai', 'gemini'])
    t.deepEqual(counts(chat(provider, cache).usage), [1_900, 50, 800, 100, null], provider)
  t.deepEqual(counts(chat('openai', {}).usage), [1_000, 50, null, null, null])
  t.deepEqual(counts(chat('openai', cache, 'another').usage), [1_000, 50, 800, 100, null], 'another sender')
  t.is(chat('openai', {}).dialect, 'ruby-llm')
})

test('its tools state no operation', (t) => {
  const tool = span('execute_tool look_up', {
    'gen_ai.tool.name': 'look_up',
    'gen_ai.tool.call.id': 'c-1',
    'gen_ai.tool.call.arguments': '{"city":"Riga"}',
    'gen_ai.tool.type': 'function',
    'gen_ai.tool.call.result': 'sunny',
  })
  t.like(tool, { kind: 'tool', toolName: 'look_up', toolCallId: 'c-1' })
  t.deepEqual(tool.content.toolArguments, { city: 'Riga' })
})

test('a turn around calls that report their own usage is no call', (t) =>
  t.is(
    span('chat_turn a-model', { 'gen_ai.operation.name': 'chat_turn', 'gen_ai.request.model': 'a-model' }).kind,
    'other',
  ))
