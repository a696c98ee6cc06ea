import test from 'ava'
import { counts, json, type Plain, read, type SpanGiven } from './_span.ts'

/** MLflow writes every value as JSON text. */
const readMlflow = (values: { readonly [key: string]: Plain }, given: SpanGiven = {}) =>
  read({
    scope: 'mlflow.tracing.provider',
    ...given,
    attributes: Object.fromEntries(Object.entries(values).map(([key, value]) => [key, json(value)])),
  })

const chat = {
  'mlflow.traceRequestId': 'tr-1',
  'mlflow.spanType': 'CHAT_MODEL',
  'mlflow.message.format': 'openai',
  model: 'gpt-5-mini',
}

test('MLflow: kinds', (t) => {
  const kindOf = (type: string): string => readMlflow({ 'mlflow.spanType': type }).kind
  for (const type of ['LLM', 'AGENT', 'TOOL', 'CHAIN', 'RETRIEVER', 'EMBEDDING', 'RERANKER', 'MEMORY'] as const) {
    t.is(kindOf(type), type.toLowerCase())
  }
  t.deepEqual(['CHAT_MODEL', 'WORKFLOW', 'TASK', 'PARSER', 'UNKNOWN'].map(kindOf), [
    'llm',
    'chain',
    'chain',
    'other',
    'other',
  ])
})

test("MLflow: a call, its model, its own counts, and the reasoning and the id out of the provider's answer", (t) => {
  const event = readMlflow({
    ...chat,
    'mlflow.llm.model': 'gpt-5-mini-2025-08-07',
    'mlflow.llm.cost': { input_cost: 0.25, output_cost: 0.5, total_cost: 0.75 },
    'mlflow.chat.tokenUsage': {
      input_tokens: 2_040,
      output_tokens: 104,
      total_tokens: 2_144,
      cache_read_input_tokens: 1_024,
    },
    'mlflow.spanInputs': { model: 'gpt-5-mini', messages: [{ role: 'user', content: 'Hi' }] },
    'mlflow.spanOutputs': '',
    'session.id': 's-1',
    'user.id': 'u-1',
  })
  t.deepEqual([event.kind, event.provider, event.model], ['llm', 'openai', 'gpt-5-mini-2025-08-07'])
  t.deepEqual(counts(event.usage), [2_040, 104, 1_024, null, null])
  t.deepEqual([event.sessionId, event.userId, event.providedCostUsd], ['s-1', 'u-1', 0.75])
  t.deepEqual(event.content.inputMessages, [{ role: 'user', parts: [{ type: 'text', text: 'Hi' }] }])
  const outputs =
    '{"id": "resp_1", "usage": {"input_tokens": 2040, "input_tokens_details": {"cached_tokens": 1024}, "output_tokens": 104, "output_tokens_details": {"reasoning_tokens": 64}, "total_tokens": 2144}}'
  const answered = read({
    attributes: {
      'mlflow.spanType': '"CHAT_MODEL"',
      'mlflow.chat.tokenUsage': json({ input_tokens: 2_040, output_tokens: 104, cache_read_input_tokens: 1_024 }),
      'mlflow.spanOutputs': outputs,
    },
  })
  t.is(answered.responseId, 'resp_1')
  t.deepEqual(counts(answered.usage), [2_040, 104, 1_024, null, 64])
  t.deepEqual([...answered.flags], [])
})

test("MLflow: Anthropic's counts leave the cache out, unless the answer shows that it was added", (t) => {
  const call = (input: number, outputs: Plain) =>
    readMlflow({
      ...chat,
      'mlflow.message.format': 'anthropic',
      model: 'claude-sonnet-4-5',
      'mlflow.chat.tokenUsage': {
        input_tokens: input,
        output_tokens: 129,
        total_tokens: input + 129,
        cache_read_input_tokens: 400,
        cache_creation_input_tokens: 300,
      },
      'mlflow.spanOutputs': outputs,
    })
  const usage = {
    input_tokens: 5_009,
    output_tokens: 129,
    cache_read_input_tokens: 400,
    cache_creation_input_tokens: 300,
  }
  const raw = call(5_009, null)
  t.deepEqual(counts(raw.usage), [5_709, 129, 400, 300, null])
  t.true(raw.flags.has('usage_adjusted'))
  t.is(raw.provider, 'anthropic')
  t.deepEqual(counts(call(5_009, { usage }).usage), [5_709, 129, 400, 300, null])
  const added = call(5_709, { usage })
  t.deepEqual(counts(added.usage), [5_709, 129, 400, 300, null])
  t.false(added.flags.has('usage_adjusted'))
})

test("MLflow: an embedding's tokens stand only in the answer", (t) => {
  const event = readMlflow({
    'mlflow.spanType': 'EMBEDDING',
    model: 'text-embedding-3-small',
    'mlflow.spanOutputs': { data: [{ embedding: [0.5] }], usage: { prompt_tokens: 507, total_tokens: 507 } },
  })
  t.deepEqual([event.kind, event.model], ['embedding', 'text-embedding-3-small'])
  t.deepEqual(counts(event.usage), [507, null, null, null, null])
})

test('MLflow: a failed call has its model, no usage and no library for a provider', (t) => {
  const event = readMlflow({ ...chat, 'mlflow.message.format': 'dspy', model: 'gpt-4o-mini' }, { statusCode: 2 })
  t.deepEqual([event.kind, event.provider, event.model, event.status], ['llm', null, 'gpt-4o-mini', 'error'])
  t.deepEqual(counts(event.usage), [null, null, null, null, null])
})

test('MLflow: a tool is named by its function, and has its input and output', (t) => {
  const event = readMlflow(
    {
      'mlflow.spanType': 'TOOL',
      'mlflow.spanFunctionName': 'get_weather',
      'mlflow.spanInputs': { city: 'Paris' },
      'mlflow.spanOutputs': 'sunny 21',
    },
    { name: 'get_weather_1' },
  )
  t.deepEqual([event.kind, event.toolName], ['tool', 'get_weather'])
  t.deepEqual(event.content.toolArguments, { city: 'Paris' })
  t.is(event.content.toolResult, 'sunny 21')
  t.truthy(event.inputHash)
})

test('MLflow: a run of LangChain notes its agent in the metadata', (t) => {
  const attributes = { 'mlflow.spanType': '"CHAT_MODEL"', metadata: '{"lc_agent_name": "researcher"}' }
  t.is(read({ scope: 'mlflow.tracing.provider', attributes }).agentOwn, 'researcher')
})

test("MLflow: DSPy's tool has its name in an attribute, and its agent in the name of the span", (t) => {
  const tool = (name: string, attribute: string) =>
    readMlflow(
      {
        'mlflow.spanType': 'TOOL',
        name: attribute,
        description: 'Adds two numbers.',
        'mlflow.spanInputs': { x: 2, y: 2 },
        'mlflow.spanOutputs': 4,
      },
      { name },
    )
  const add = tool('Tool.add', 'add')
  t.deepEqual([add.toolName, add.content.toolArguments, add.content.toolResult], ['add', { x: 2, y: 2 }, 4])
  t.is(tool('get_weather', 'another').toolName, 'get_weather', 'an attribute of the application')
  const agent = readMlflow({ 'mlflow.spanType': 'AGENT' }, { name: 'Researcher.forward' })
  t.is(agent.agentOwn, 'Researcher')
})
