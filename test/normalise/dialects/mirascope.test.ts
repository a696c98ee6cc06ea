import test from 'ava'
import { counts, read } from '../_span.ts'

const usage = JSON.stringify({
  input_tokens: 2_000,
  output_tokens: 100,
  cache_read_tokens: 1_024,
  cache_write_tokens: 300,
  reasoning_tokens: 64,
  total_tokens: 2_100,
})

test('a call of Mirascope has the cache and reasoning of its own usage, and a model without the API that served it', (t) => {
  const call = read({
    name: 'chat openai/gpt-5-mini:responses',
    scope: 'mirascope.llm',
    attributes: {
      'gen_ai.operation.name': 'chat',
      'gen_ai.provider.name': 'openai',
      'gen_ai.request.model': 'openai/gpt-5-mini:responses',
      'gen_ai.response.model': 'openai/gpt-5-mini:responses',
      'gen_ai.usage.input_tokens': 2_000,
      'gen_ai.usage.output_tokens': 100,
      'mirascope.response.usage': usage,
    },
  })
  t.deepEqual([call.kind, call.provider, call.model], ['llm', 'openai', 'gpt-5-mini'])
  t.deepEqual(counts(call.usage), [2_000, 100, 1_024, 300, 64])
})

test('a traced function of Mirascope is the call whose answer it returns, and otherwise a step', (t) => {
  const traced = (attributes: Record<string, string>) =>
    read({
      name: 'weather',
      scope: 'mirascope.ops',
      attributes: { 'mirascope.type': 'trace', 'mirascope.ops.session.id': 'a-session', ...attributes },
    })
  const call = traced({
    'mirascope.response.provider_id': 'openai',
    'mirascope.response.model_id': 'openai/gpt-4o-mini:completions',
    'mirascope.response.usage': usage,
  })
  t.deepEqual([call.kind, call.provider, call.model, call.sessionId], ['llm', 'openai', 'gpt-4o-mini', 'a-session'])
  t.deepEqual(counts(call.usage), [2_000, 100, 1_024, 300, 64])
  t.is(traced({ 'mirascope.trace.output': 'It is sunny.' }).kind, 'chain')
})
