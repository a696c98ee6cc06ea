import test from 'ava'
import { read } from '../_span.ts'

const call = (operation: string) =>
  read({
    name: 'openai.responses.create',
    scope: 'langtrace_python_sdk.instrumentation.openai.instrumentation',
    attributes: {
      'langtrace.service.name': 'OpenAI',
      'gen_ai.operation.name': operation,
      'gen_ai.request.model': 'gpt-5-mini',
      'gen_ai.response_id': 'resp_0',
    },
  })

test('a function of a client is a call of a model or an embedding', (t) => {
  const response = call('openai.responses.create')
  t.is(response.dialect, 'langtrace')
  t.is(response.kind, 'llm')
  t.is(response.responseId, 'resp_0')
  t.is(call('embed').kind, 'embedding')
  t.is(call('images_generate').kind, 'other')
})
