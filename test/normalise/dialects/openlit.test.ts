import test from 'ava'
import { counts, read } from '../_span.ts'
import { listCounted } from '../_trace.ts'

const call = (scope: string, outputTokens: number) =>
  read({
    name: 'chat a-model',
    scope,
    attributes: {
      'gen_ai.operation.name': 'chat',
      'gen_ai.request.model': 'a-model',
      'gen_ai.usage.input_tokens': 2_000,
      'gen_ai.usage.output_tokens': outputTokens,
      'gen_ai.usage.reasoning_tokens': 64,
      'gen_ai.usage.cache_read.input_tokens': 64,
    },
  })

test("OpenLIT's output of Gemini excludes the thoughts, also where it is larger; that of OpenAI includes the reasoning", (t) => {
  const gemini = call('openlit.instrumentation.google_ai_studio', 112)
  t.deepEqual(counts(gemini.usage), [2_000, 176, 64, null, 64])
  t.true(gemini.flags.has('usage_adjusted'))
  t.deepEqual(counts(call('openlit.instrumentation.google_ai_studio', 12).usage), [2_000, 76, 64, null, 64])
  t.deepEqual(counts(call('openlit.instrumentation.openai', 112).usage), [2_000, 112, 64, null, 64])
})

test("OpenLIT's input of Anthropic and Bedrock excludes the cache", (t) => {
  const callOf = (scope: string, provider: string) =>
    read({
      name: 'chat a-model',
      scope: `openlit.instrumentation.${scope}`,
      attributes: {
        'gen_ai.operation.name': 'chat',
        'gen_ai.provider.name': provider,
        'gen_ai.usage.input_tokens': 5_000,
        'gen_ai.usage.output_tokens': 100,
        'gen_ai.usage.cache_read.input_tokens': 2_000,
        'gen_ai.usage.cache_creation.input_tokens': 500,
      },
    })
  for (const [scope, provider] of [
    ['anthropic', 'anthropic'],
    ['bedrock', 'aws.bedrock'],
  ] as const) {
    const { usage, flags } = callOf(scope, provider)
    t.deepEqual(counts(usage), [7_500, 100, 2_000, 500, null], scope)
    t.true(flags.has('usage_adjusted'))
  }
  t.deepEqual(counts(callOf('openai', 'openai').usage), [5_000, 100, 2_000, 500, null])
})

test("requests to OpenAI that return no answer of a model are no model calls of OpenLIT's", (t) => {
  const scope = 'openlit.instrumentation.openai'
  const chat = { 'gen_ai.operation.name': 'chat', 'gen_ai.request.model': 'gpt-4o' }
  for (const request of ['responses.token_count', 'chat.messages.list', 'responses.retrieve', 'responses.cancel'])
    t.is(read({ name: `${request} gpt-4o`, scope, attributes: chat }).kind, 'other', request)
  const id = { 'gen_ai.response.id': `resp_${'0a1b2c3d'.repeat(6)}` }
  const usage = { 'gen_ai.usage.input_tokens': 1_000, 'gen_ai.usage.output_tokens': 50 }
  const polls = [1, 2, 3, 4].map((at) => ({
    id: `poll ${at}`,
    name: 'responses.retrieve gpt-4o',
    scope,
    at: [at * 100, at * 100 + 5] as const,
    attributes: { ...chat, ...id },
  }))
  const counted = listCounted(
    { id: 'create', name: 'chat gpt-5', scope, at: [0, 50], attributes: { ...chat, ...id } },
    ...polls,
    { id: 'last', name: 'responses.retrieve gpt-4o', scope, at: [900, 950], attributes: { ...chat, ...id, ...usage } },
  )
  t.deepEqual(counted, ['llm last 1000/50'])
})
