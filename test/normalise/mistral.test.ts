import test from 'ava'
import { counts, read } from './_span.ts'

const scope = 'mistralai_sdk_tracer'
const usage = { 'gen_ai.usage.prompt_tokens': 2_070, 'gen_ai.usage.output_tokens': 107 }

test('release 1 names its spans after HTTP operations', (t) => {
  const kind = (name: string) => read({ name, scope, attributes: { 'gen_ai.request.model': 'm', ...usage } }).kind
  t.is(kind('chat_completion_v1_chat_completions_post'), 'llm')
  t.is(kind('stream_chat'), 'llm')
  t.is(kind('embeddings_v1_embeddings_post'), 'embedding')
  const agent = read({ name: 'agents_completion_v1_agents_completions_post', scope, attributes: usage })
  t.is(agent.kind, 'llm', 'without a model')
  t.deepEqual(counts(agent.usage), [2_070, 107, null, null, null])
})

test('release 1 tells a failure in attributes alone', (t) => {
  const failed = read({
    name: 'chat_completion_v1_chat_completions_post',
    scope,
    attributes: {
      'gen_ai.request.model': 'm',
      'http.response.status_code': 400,
      'mistral_ai.error.type': 'invalid_request_error',
      'mistral_ai.error.message': 'no such tool',
      'mistral_ai.error.code': '3000',
    },
  })
  t.deepEqual(
    [failed.status, failed.errorType, failed.errorMessage],
    ['error', 'invalid_request_error', 'no such tool'],
  )
})

test('an agent of the platform is one call of a model; what it says inside is told without usage', (t) => {
  const agent = (more: Record<string, number>) =>
    read({ name: 'invoke_agent', scope, attributes: { 'gen_ai.operation.name': 'invoke_agent', ...more } })
  const call = agent({ 'gen_ai.usage.input_tokens': 2_070, 'gen_ai.usage.output_tokens': 107 })
  t.is(call.kind, 'llm')
  t.is(call.usage.inputTokens, 2_070)
  t.is(agent({}).kind, 'agent')
  const attributes = { 'gen_ai.operation.name': 'invoke_agent', 'gen_ai.usage.input_tokens': 2_070 }
  t.is(read({ name: 'invoke_agent', scope: 'app', attributes }).kind, 'agent', 'of another sender')
})
