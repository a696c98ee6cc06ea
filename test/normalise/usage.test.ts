import test from 'ava'
import { counts, type Plain, read } from './_span.ts'

const usageOf = (attributes: { readonly [key: string]: Plain }) =>
  read({ attributes: { 'gen_ai.operation.name': 'chat', ...attributes } })

test('a count is read from every form that senders write', (t) => {
  const forms: Plain[] = [5, 5n, '5', ' 5 ', '5.0', '{"intValue":"5"}', '{"doubleValue":5}', { intValue: '5' }]
  for (const form of forms) {
    const event = usageOf({ 'gen_ai.usage.input_tokens': form })
    t.is(event.usage.inputTokens, 5)
    t.deepEqual([...event.flags], [])
  }
})

test('a count that is none is dropped with a flag, and the next name is tried', (t) => {
  const forms: Plain[] = ['NaN', 'Infinity', -1, 2e12, 'many', true, ['5'], { other: 1 }, 10n ** 18n]
  for (const form of forms) {
    const event = usageOf({ 'gen_ai.usage.input_tokens': form })
    t.is(event.usage.inputTokens, null)
    t.true(event.flags.has('usage_invalid'))
  }
  const event = usageOf({ 'ai.usage.inputTokens': 'NaN', 'ai.usage.promptTokens': 8 })
  t.is(event.usage.inputTokens, 8)
  for (const form of ['', ' ', null] satisfies Plain[]) {
    t.false(usageOf({ 'gen_ai.usage.input_tokens': form }).flags.has('usage_invalid'))
  }
})

test('an output that no call can have is lost, whoever reports it, unless the span has another output', (t) => {
  const isLost = (attributes: { readonly [key: string]: Plain }) =>
    usageOf({ 'gen_ai.usage.input_tokens': 10, ...attributes }).isOutputLost
  const absurd = 1e15
  t.true(isLost({ 'gen_ai.usage.output_tokens': absurd }))
  t.true(isLost({ 'gen_ai.usage.output_tokens': 'Infinity' }))
  t.true(isLost({ 'gen_ai.usage.output_tokens': { intValue: '1000000000000000' } }))
  t.true(isLost({ output_tokens: absurd }))
  const isLostIn = (details: object, more: { readonly [key: string]: Plain } = {}) =>
    isLost({ 'langfuse.observation.usage_details': JSON.stringify({ input: 10, ...details }), ...more })
  t.true(isLostIn({ output: absurd }))
  t.true(isLostIn({ output: absurd, output_reasoning_tokens: 5 }), 'a bucket is only a part of the output')
  t.true(isLostIn({ output: 5, output_reasoning_tokens: absurd }))
  t.false(isLostIn({ output: 5, total: 15, output_reasoning_tokens: absurd }), 'the output includes its parts')
  t.false(isLostIn({ output: 5 }, { 'gen_ai.usage.output_tokens': absurd }))
  const genkit = { 'genkit:type': 'action', 'genkit:metadata:subtype': 'model' }
  t.true(isLost({ ...genkit, 'genkit:output': JSON.stringify({ usage: { outputTokens: absurd } }) }))
  const metadata = JSON.stringify({ anthropic: { usage: { input_tokens: 10, output_tokens: absurd } } })
  t.true(isLost({ 'ai.response.providerMetadata': metadata }))
  t.false(isLost({ 'gen_ai.usage.output_tokens': absurd, 'gen_ai.usage.completion_tokens': 5 }))
  for (const none of ['None', -1, 'NaN', '', null, 5] satisfies Plain[])
    t.false(isLost({ 'gen_ai.usage.output_tokens': none }), String(none))
  t.false(isLost({ 'gen_ai.usage.reasoning.output_tokens': absurd }))
  t.false(isLost({ 'gen_ai.usage.cost': absurd }))
  t.false(isLost({}))
  const embedding = { 'gen_ai.operation.name': 'embeddings', 'gen_ai.usage.output_tokens': absurd }
  t.false(isLost(embedding), 'has no output')
})

test('what the total of Gemini holds beside input and output are its thoughts', (t) => {
  const gemini = (model: string, more: { readonly [key: string]: Plain } = {}) =>
    usageOf({
      'gen_ai.request.model': model,
      'gen_ai.usage.input_tokens': 2_000,
      'gen_ai.usage.output_tokens': 100,
      'gen_ai.usage.total_tokens': 2_164,
      'gen_ai.usage.cache_read.input_tokens': 1_024,
      ...more,
    })
  const event = gemini('gemini-2.5-flash')
  t.deepEqual(counts(event.usage), [2_000, 164, 1_024, null, 64])
  t.true(event.flags.has('usage_adjusted'))
  t.deepEqual(counts(gemini('google/gemini-3-pro-preview').usage), [2_000, 164, 1_024, null, 64])
  t.deepEqual(counts(gemini('models/gemini-2.5-pro', { 'gen_ai.usage.total_tokens': 2_100 }).usage), [
    2_000,
    100,
    1_024,
    null,
    null,
  ])
  // Reported reasoning tokens are kept, and other models are not known to exclude reasoning from their output.
  t.deepEqual(counts(gemini('gemini-2.5-flash', { 'gen_ai.usage.reasoning_tokens': 40 }).usage), [
    2_000,
    100,
    1_024,
    null,
    40,
  ])
  t.deepEqual(counts(gemini('mistral-large').usage), [2_000, 100, 1_024, null, null])
  t.deepEqual(counts(gemini('gemini-2.5-flash', { 'gen_ai.usage.total_tokens': 3_124 }).usage), [
    3_024,
    100,
    1_024,
    null,
    null,
  ])
})

test('a fraction of a token is rounded with a flag', (t) => {
  const event = usageOf({ 'gen_ai.usage.input_tokens': 12.6 })
  t.is(event.usage.inputTokens, 13)
  t.true(event.flags.has('usage_adjusted'))
})

test('cache beyond the input lies beside it, cache within it inside', (t) => {
  const beside = usageOf({
    'gen_ai.usage.input_tokens': 2,
    'gen_ai.usage.output_tokens': 1,
    'gen_ai.usage.cache_read.input_tokens': 84_562,
    'gen_ai.usage.cache_creation.input_tokens': 7_096,
  })
  t.deepEqual(counts(beside.usage), [91_660, 1, 84_562, 7_096, null])
  t.true(beside.flags.has('usage_adjusted'))
  const inside = usageOf({
    'gen_ai.usage.input_tokens': 100,
    'gen_ai.usage.cache_read.input_tokens': 90,
    'gen_ai.usage.cache_write.input_tokens': 10,
  })
  t.deepEqual(counts(inside.usage), [100, null, 90, 10, null])
  t.deepEqual([...inside.flags], [])
})

test('a total that adds up only with the cache shows that it lies beside the input', (t) => {
  const at = (total: number) =>
    usageOf({
      'gen_ai.usage.input_tokens': 100,
      'gen_ai.usage.output_tokens': 10,
      'gen_ai.usage.total_tokens': total,
      'gen_ai.usage.cache_read.input_tokens': 60,
    }).usage.inputTokens
  t.is(at(170), 160)
  t.is(at(110), 100)
  t.is(at(999), 100)
})

test('reasoning beyond the output, or beside it by the total, is added', (t) => {
  const more = usageOf({ 'gen_ai.usage.output_tokens': 5, 'gen_ai.usage.reasoning_tokens': 20 })
  t.is(more.usage.outputTokens, 25)
  t.true(more.flags.has('usage_adjusted'))
  const within = usageOf({ 'gen_ai.usage.output_tokens': 25, 'gen_ai.usage.reasoning_tokens': 20 })
  t.is(within.usage.outputTokens, 25)
  const both = usageOf({
    'gen_ai.usage.input_tokens': 100,
    'gen_ai.usage.output_tokens': 50,
    'gen_ai.usage.cache_read.input_tokens': 30,
    'gen_ai.usage.reasoning_tokens': 20,
    'gen_ai.usage.total_tokens': 200,
  })
  t.deepEqual(counts(both.usage), [130, 70, 30, null, 20])
})

test('the parts never exceed the whole, whatever is told', (t) => {
  const { usage } = usageOf({
    'gen_ai.usage.cache_creation.input_tokens': 5,
    'gen_ai.usage.cache_creation.input_tokens.ephemeral_1h': 30,
    'gen_ai.usage.reasoning_tokens': 4,
  })
  t.deepEqual(counts(usage), [30, 4, null, 30, 4])
  t.is(usage.cacheWrite1hTokens, 30)
})

test("bare names count on model calls only, so that a stranger's attributes do not", (t) => {
  t.is(usageOf({ input_tokens: 7 }).usage.inputTokens, 7)
  t.is(read({ name: 'GET /', attributes: { input_tokens: 7, model: 'T' } }).usage.inputTokens, null)
  t.is(read({ name: 'GET /', attributes: { input_tokens: 7, model: 'T' } }).model, null)
})

test('a negative or endless cost is dropped, a list of parts is added up', (t) => {
  t.is(usageOf({ 'gen_ai.usage.cost': -1 }).providedCostUsd, null)
  t.is(usageOf({ 'gen_ai.usage.cost': 'Infinity' }).providedCostUsd, null)
  t.is(usageOf({ 'langfuse.observation.cost_details': '{"input":0.25,"output":0.5}' }).providedCostUsd, 0.75)
  t.is(usageOf({ 'gen_ai.usage.cost': 0 }).providedCostUsd, null, 'a call of a model without counts is not free')
  const tool = { 'gen_ai.operation.name': 'execute_tool', 'gen_ai.usage.cost': 0 }
  t.is(read({ attributes: tool }).providedCostUsd, 0)
  const unpriced = usageOf({ 'gen_ai.usage.cost': 0, 'gen_ai.usage.input_tokens': 1 })
  t.is(unpriced.providedCostUsd, null)
  t.false(unpriced.flags.has('cost_provided'))
})

test('providers go by one name', (t) => {
  const of = (name: string) => usageOf({ 'gen_ai.system': name }).provider
  t.deepEqual(
    ['az.ai.openai', 'vertex_ai', 'google_vertexai', 'gemini', 'google_genai', 'xai', 'bedrock', 'mistralai'].map(of),
    [
      'azure.ai.openai',
      'gcp.vertex_ai',
      'gcp.vertex_ai',
      'gcp.gemini',
      'gcp.gemini',
      'x_ai',
      'aws.bedrock',
      'mistral_ai',
    ],
  )
  t.deepEqual(
    [
      'openai.chat',
      'google.generative-ai',
      'google.vertex.chat',
      'amazon-bedrock',
      'azure.responses',
      'aws.bedrock',
    ].map(of),
    ['openai', 'gcp.gemini', 'gcp.vertex_ai', 'aws.bedrock', 'azure.ai.openai', 'aws.bedrock'],
  )
  t.is(of('langchain'), null)
  t.is(usageOf({ 'server.address': 'acme.openai.azure.com' }).provider, 'azure.ai.openai')
  t.is(usageOf({ 'server.address': 'bedrock-runtime.eu-west-1.amazonaws.com' }).provider, 'aws.bedrock')
  t.is(usageOf({ 'server.address': 'intranet' }).provider, null)
})

test('counts of 0 alone say nothing of a call', (t) => {
  const zero = { 'gen_ai.usage.input_tokens': 0, 'gen_ai.usage.output_tokens': 0, 'llm.usage.total_tokens': 0 }
  const call = (more: Record<string, number>) =>
    read({ attributes: { 'gen_ai.operation.name': 'chat', ...zero, ...more } }).usage
  t.deepEqual(counts(call({})), [null, null, null, null, null])
  t.deepEqual(counts(call({ 'gen_ai.usage.output_tokens': 5 })), [0, 5, null, null, null])
  const agent = read({ attributes: { 'gen_ai.operation.name': 'invoke_agent', ...zero } })
  t.is(agent.usage.inputTokens, 0)
})
