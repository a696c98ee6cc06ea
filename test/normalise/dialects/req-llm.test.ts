import test from 'ava'
import { counts, read } from '../_span.ts'

const call = (provider: string, model: string, scope = 'req_llm') =>
  read({
    name: `chat ${model}`,
    scope,
    attributes: {
      'gen_ai.operation.name': 'chat',
      'gen_ai.provider.name': provider,
      'gen_ai.request.model': model,
      'gen_ai.usage.input_tokens': 1_000,
      'gen_ai.usage.output_tokens': 300,
      'gen_ai.usage.cache_read.input_tokens': 800,
      'gen_ai.usage.cache_creation.input_tokens': 0,
      'gen_ai.usage.reasoning.output_tokens': 200,
    },
  })

test('the input of Claude on any platform, and of Bedrock, excludes the cache', (t) => {
  for (const [provider, model] of [
    ['anthropic', 'claude-sonnet-4-5'],
    ['aws.bedrock', 'us.anthropic.claude-sonnet-4-5-20250929-v1:0'],
    ['gcp.vertex_ai', 'claude-sonnet-4-5@20250929'],
    ['azure.ai.openai', 'claude-sonnet-4-5'],
  ] as const)
    t.deepEqual(counts(call(provider, model).usage), [1_800, 300, 800, 0, 200], `${provider} ${model}`)
  t.is(call('anthropic', 'claude-sonnet-4-5').dialect, 'req-llm')
})

test("the output of Gemini excludes its thoughts, also on Vertex AI, unless a gateway counts in OpenAI's way", (t) => {
  for (const provider of ['gcp.gen_ai', 'gcp.vertex_ai'])
    t.deepEqual(counts(call(provider, 'gemini-2.5-flash').usage), [1_000, 500, 800, 0, 200], provider)
  t.deepEqual(counts(call('openrouter', 'google/gemini-2.5-flash').usage), [1_000, 300, 800, 0, 200])
})

test('other providers count both in', (t) => {
  t.deepEqual(counts(call('openai', 'gpt-5-mini').usage), [1_000, 300, 800, 0, 200])
  t.deepEqual(counts(call('openrouter', 'anthropic/claude-sonnet-4-5').usage), [1_000, 300, 800, 0, 200])
  t.deepEqual(counts(call('anthropic', 'claude-sonnet-4-5', 'another').usage), [1_000, 300, 800, 0, 200])
})
