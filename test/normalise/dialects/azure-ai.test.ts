import test from 'ava'
import { toResolveInput } from '../../../src/decode/resolve-input.ts'
import { normalise } from '../../../src/normalise/normalise.ts'
import { resolve } from '../../../src/resolve/resolve.ts'
import { counts, makeSpan, read, type SpanGiven } from '../_span.ts'

const scope = 'azure.core.tracing.ext.opentelemetry_span'
const agent = {
  'az.namespace': 'Microsoft.CognitiveServices',
  'gen_ai.operation.name': 'invoke_agent',
  'gen_ai.provider.name': 'microsoft.foundry',
  'gen_ai.agent.name': 'MyAgent',
  'gen_ai.conversation.id': 'conv_1',
  'gen_ai.response.model': 'gpt-4o',
  'gen_ai.response.id': 'resp_1',
}
const usage = { 'gen_ai.usage.input_tokens': 1_200, 'gen_ai.usage.output_tokens': 80 }
const invoke = (attributes: SpanGiven['attributes']) =>
  read({ name: 'invoke_agent MyAgent', scope, attributes: { ...agent, ...attributes } })

test('an agent of Azure AI Foundry is a model call of the agent, which no other span reports', (t) => {
  const event = invoke(usage)
  t.deepEqual([event.kind, event.model, event.agentOwn], ['llm', 'gpt-4o', 'MyAgent'])
  t.deepEqual([event.provider, event.responseId, event.sessionId], ['azure.ai.inference', 'resp_1', 'conv_1'])
  t.deepEqual(counts(event.usage), [1_200, 80, null, null, null])
  const stream = invoke({ 'gen_ai.usage.prompt_tokens': 1_200, 'gen_ai.usage.completion_tokens': 80 })
  t.is(stream.kind, 'llm')
  t.deepEqual(counts(stream.usage), [1_200, 80, null, null, null])
  t.is(invoke({}).kind, 'agent', 'without usage')
  t.is(
    invoke({ ...usage, 'az.namespace': 'Microsoft.Storage' }).kind,
    'agent',
    'others repeat the usage of calls inside',
  )
})

const run = {
  'az.namespace': 'Microsoft.CognitiveServices',
  'gen_ai.system': 'az.ai.agents',
  'gen_ai.thread.id': 'thread_1',
  'gen_ai.thread.run.id': 'run_1',
  'gen_ai.response.model': 'gpt-4o',
}
const step = (operation: string, status: string, attributes: SpanGiven['attributes'] = {}): SpanGiven => ({
  name: operation,
  scope,
  attributes: { ...run, 'gen_ai.operation.name': operation, 'gen_ai.thread.run.status': status, ...attributes },
})

test('the request that reports the end of a run is a model call, and those before it are none', (t) => {
  for (const operation of ['start_thread_run', 'process_thread_run', 'get_thread_run', 'submit_tool_outputs']) {
    const event = read(step(operation, 'completed', usage))
    t.deepEqual([event.kind, event.model, event.provider], ['llm', 'gpt-4o', 'azure.ai.inference'], operation)
    t.deepEqual([event.sessionId, event.responseId], ['thread_1', 'run_1'], operation)
    t.deepEqual(counts(event.usage), [1_200, 80, null, null, null], operation)
    const waiting = read(step(operation, 'in_progress'))
    t.deepEqual([waiting.kind, waiting.responseId], ['other', null], operation)
  }
})

test('the requests inside the processing of a run count once', (t) => {
  const place = (given: SpanGiven, spanId: string, parentSpanId: string | null) => {
    const event = normalise({ ...makeSpan(given), spanId, parentSpanId })
    return toResolveInput({ event, startUs: 0, priced: { costUsd: null, cacheSavingsUsd: null, source: null } })
  }
  const spans = [
    place(step('process_thread_run', 'completed', usage), 'run', null),
    place(step('start_thread_run', 'queued'), 'start', 'run'),
    place(step('get_thread_run', 'in_progress'), 'poll', 'run'),
    place(step('get_thread_run', 'completed', usage), 'end', 'run'),
  ]
  const counted = resolve(spans).flatMap((resolved, at) => (resolved.counted ? [spans[at]?.spanId] : []))
  t.deepEqual(counted, ['end'])
})
