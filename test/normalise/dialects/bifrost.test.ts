import test from 'ava'
import { read } from '../_span.ts'
import { listCounted, type Placed } from '../_trace.ts'

const scope = 'bifrost'
const asked = (model: string, more: Readonly<Record<string, string | number>> = {}) => ({
  'gen_ai.provider.name': 'openai',
  'gen_ai.request.model': model,
  ...more,
})

test('what Bifrost copies to the spans around and before a call makes them no calls', (t) => {
  const trace = (model: string, operation: string, isBeside: boolean): readonly Placed[] => [
    { id: 'request', name: '/v1/any', scope, spanKind: 2, attributes: asked(model, { 'bifrost.request.id': 'r-1' }) },
    { id: 'key', in: 'request', name: 'key.selection', scope, attributes: asked(model, { 'key.id': 'k-1' }) },
    {
      id: 'call',
      in: isBeside ? 'request' : 'key',
      name: 'llm.call',
      scope,
      attributes: asked(model, {
        'gen_ai.operation.name': operation,
        'gen_ai.usage.input_tokens': 12,
        'gen_ai.usage.output_tokens': 0,
      }),
    },
  ]
  t.deepEqual(listCounted(...trace('text-embedding-3-small', 'embeddings', false)), ['embedding call 12/0'])
  t.deepEqual(listCounted(...trace('gpt-4o', 'chat', true)), ['llm call 12/0'])
})

test('a service of another name is known by its attributes, and the first releases by the type of the request', (t) => {
  const attributes = asked('gpt-4o', { 'bifrost.request.id': 'r-1' })
  t.is(read({ name: '/v1/chat/completions', scope: 'gateway', attributes }).kind, 'chain')
  t.is(
    read({ name: 'llm.call', scope, attributes: asked('gpt-4o', { 'request.type': 'chat_completion' }) }).kind,
    'llm',
  )
  t.is(read({ name: 'key.selection', scope: 'gateway', attributes: asked('gpt-4o') }).kind, 'chain')
  const fallback = asked('gpt-4o', { 'fallback.index': 1 })
  t.is(read({ name: 'fallback.openai.gpt-4o', scope: 'gateway', attributes: fallback }).kind, 'chain')
  t.is(read({ name: 'any', scope: 'gateway', attributes: asked('gpt-4o') }).kind, 'llm')
})

test('a failed attempt counts beside its retry and its fallback, which Bifrost reports inside it', (t) => {
  const chat = (model: string, more: Readonly<Record<string, string | number>> = {}) =>
    asked(model, { 'gen_ai.operation.name': 'chat', ...more })
  const counted = listCounted(
    { id: 'request', name: '/v1/chat/completions', scope, at: [0, 1_000], attributes: asked('gpt-4o') },
    { id: 'failed', in: 'request', name: 'llm.call', scope, at: [10, 100], statusCode: 2, attributes: chat('gpt-4o') },
    {
      id: 'again',
      in: 'failed',
      name: 'retry.attempt.1',
      scope,
      at: [200, 300],
      statusCode: 2,
      attributes: chat('gpt-4o'),
    },
    { id: 'fallback', in: 'again', name: 'fallback.anthropic.any', scope, at: [300, 990], attributes: asked('any') },
    {
      id: 'answered',
      in: 'fallback',
      name: 'llm.call',
      scope,
      at: [310, 980],
      attributes: chat('any', { 'gen_ai.usage.input_tokens': 100, 'gen_ai.usage.output_tokens': 10 }),
    },
  )
  t.deepEqual(counted, ['llm failed 0/0', 'llm again 0/0', 'llm answered 100/10'])
})
