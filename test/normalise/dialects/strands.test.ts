import test from 'ava'
import { counts, read } from '../_span.ts'

const call = (scope: string, attributes: { readonly [key: string]: string }) =>
  read({
    name: 'chat',
    scope,
    spanKind: 1,
    attributes: {
      'gen_ai.operation.name': 'chat',
      'gen_ai.request.model': 'us.anthropic.claude-sonnet-4-20250514-v1:0',
      'gen_ai.usage.prompt_tokens': 1_800,
      'gen_ai.usage.input_tokens': 1_800,
      'gen_ai.usage.completion_tokens': 100,
      'gen_ai.usage.output_tokens': 100,
      'gen_ai.usage.total_tokens': 1_900,
      'gen_ai.usage.cache_read.input_tokens': 500,
      'gen_ai.usage.cache_read_input_tokens': 500,
      ...attributes,
    },
    resource: { 'service.name': 'travel-bot' },
  })
const times = {
  'gen_ai.event.start_time': '2026-08-21T08:00:00.000Z',
  'gen_ai.event.end_time': '2026-08-21T08:00:01.000Z',
}

test('Strands for TypeScript writes the name of the service in the place of the provider', (t) => {
  for (const name of ['gen_ai.system', 'gen_ai.provider.name']) {
    const event = call('travel-bot', { [name]: 'travel-bot', ...times })
    t.deepEqual([event.kind, event.provider, event.dialect], ['llm', null, 'strands'], name)
    t.deepEqual(counts(event.usage), [1_800, 100, 500, null, null], name)
  }
  t.is(call('app', { 'gen_ai.system': 'travel-bot', ...times }).provider, 'travel-bot', 'in another scope')
  t.is(call('travel-bot', { 'gen_ai.system': 'travel-bot' }).provider, 'travel-bot', 'of another sender')
})

test('its cycles have no operation', (t) => {
  const attributes = { 'agent_loop.cycle_id': 'cycle-1', ...times }
  t.is(read({ name: 'execute_agent_loop_cycle', scope: 'travel-bot', spanKind: 1, attributes }).kind, 'chain')
})
