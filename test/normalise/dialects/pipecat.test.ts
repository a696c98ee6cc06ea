import test from 'ava'
import { counts, read } from '../_span.ts'

const call = (provider: string, operation = 'chat', scope = 'pipecat') =>
  read({
    name: 'llm',
    scope,
    attributes: {
      'gen_ai.operation.name': operation,
      'gen_ai.provider.name': provider,
      'gen_ai.request.model': 'a-model',
      'gen_ai.usage.input_tokens': 5_000,
      'gen_ai.usage.output_tokens': 120,
      'gen_ai.usage.cache_read.input_tokens': 400,
      'gen_ai.usage.cache_creation.input_tokens': 300,
      'metrics.ttfb': 0.25,
    },
  })

test("Pipecat passes on the provider's own counts, and the time to the first token in seconds", (t) => {
  t.deepEqual(counts(call('anthropic').usage), [5_700, 120, 400, 300, null])
  t.deepEqual(counts(call('aws.bedrock').usage), [5_700, 120, 400, 300, null])
  t.deepEqual(counts(call('openai').usage), [5_000, 120, 400, 300, null])
  t.is(call('openai').ttftMs, 250)
})

test('of a session in real time, the answer is the call of the model', (t) => {
  t.is(call('openai', 'llm_response').kind, 'llm')
  t.is(call('openai', 'llm_setup').kind, 'other')
  t.is(call('openai', 'stt').kind, 'other')
})
