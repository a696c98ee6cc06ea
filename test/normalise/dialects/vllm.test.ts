import test from 'ava'
import { counts, read } from '../_span.ts'

test('a request that vLLM answered is a model call, although it does not name the model', (t) => {
  const request = read({
    name: 'llm_request',
    scope: 'vllm.tracing',
    spanKind: 2,
    attributes: {
      'gen_ai.latency.time_to_first_token': 0.045,
      'gen_ai.latency.e2e': 2.1,
      'gen_ai.latency.time_in_queue': 0.001,
      'gen_ai.usage.prompt_tokens': 128,
      'gen_ai.usage.completion_tokens': 512,
      'gen_ai.request.id': 'chatcmpl-1',
      'gen_ai.request.n': 1,
    },
  })
  t.is(request.kind, 'llm')
  t.is(request.dialect, 'vllm')
  t.deepEqual(counts(request.usage), [128, 512, null, null, null])
  t.is(request.ttftMs, 45)
  t.is(request.responseId, 'chatcmpl-1')
})

test('the id of a request is that of a response only where vLLM reports it', (t) => {
  const attributes = { 'gen_ai.operation.name': 'chat', 'gen_ai.request.id': 'req-1' }
  t.is(read({ name: 'chat', scope: 'an_application', attributes }).responseId, null)
})
