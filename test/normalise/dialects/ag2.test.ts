import test from 'ava'
import { counts, read } from '../_span.ts'

const scope = 'opentelemetry.instrumentation.ag2'

const account = (kind: string, label: string | null = null) =>
  read({
    name: `record_usage ${kind}`,
    scope,
    attributes: {
      'ag2.span.type': 'usage',
      'ag2.usage.kind': kind,
      ...(label === null ? {} : { 'ag2.usage.label': label }),
      'gen_ai.response.model': 'gpt-4o-mini',
      'gen_ai.usage.input_tokens': 2_000,
      'gen_ai.usage.output_tokens': 100,
    },
  }).kind

test('an account of usage that other spans report too is no call', (t) => {
  t.is(account('model_call'), 'other')
  t.is(account('subtask', 'specialist'), 'other')
  // AG2 does not let its own workers, nor the calls that it makes for itself, be observed in another way.
  t.is(account('subtask', 'subtask-0a1b2c3d'), 'llm')
  t.is(account('compaction'), 'llm')
  t.is(account('aggregation'), 'llm')
})

const call = (provider: string) =>
  read({
    name: 'chat a-model',
    scope,
    attributes: {
      'ag2.span.type': 'llm',
      'gen_ai.operation.name': 'chat',
      'gen_ai.provider.name': provider,
      'gen_ai.request.model': 'a-model',
      'gen_ai.usage.input_tokens': 5_000,
      'gen_ai.usage.output_tokens': 120,
      'gen_ai.usage.cache_read_input_tokens': 400,
      'gen_ai.usage.cache_creation_input_tokens': 300,
      'gen_ai.usage.thinking_tokens': 64,
    },
  })

test("the counts are the provider's own: the input of Anthropic and Bedrock leaves the cache out", (t) => {
  t.deepEqual(counts(call('anthropic').usage), [5_700, 120, 400, 300, 64])
  t.deepEqual(counts(call('bedrock').usage), [5_700, 120, 400, 300, 64])
  t.deepEqual(counts(call('openai').usage), [5_000, 120, 400, 300, 64])
})

test('an agent without a name is not called unknown', (t) => {
  const agent = (name: string) =>
    read({
      name: `invoke_agent ${name}`,
      scope,
      attributes: { 'gen_ai.operation.name': 'invoke_agent', 'gen_ai.agent.name': name },
    }).agentOwn
  t.is(agent('unknown'), null)
  t.is(agent('researcher'), 'researcher')
})
