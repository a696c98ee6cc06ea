import test from 'ava'
import { counts, json, type Plain, read } from './_span.ts'

const call = (attributes: { readonly [key: string]: Plain }, name = 'Chat Completion', scope = 'braintrust-java') =>
  read({ name, scope, spanKind: 1, attributes })

const metadata = (provider: string, model: string, path: string) =>
  json({ provider, model, request_path: path, request_method: 'POST' })

test("a call is told by the SDKs of Braintrust in JSON: its type, its model and the provider's counts", (t) => {
  const chat = call({
    'braintrust.span_attributes': json({ type: 'llm' }),
    'braintrust.metadata': metadata('openai', 'gpt-5-mini', 'chat/completions'),
    'braintrust.metrics': json({
      prompt_tokens: 2000,
      completion_tokens: 100,
      tokens: 2100,
      prompt_cached_tokens: 1024,
      completion_reasoning_tokens: 64,
      time_to_first_token: 0.144,
    }),
    'braintrust.input_json': json([{ role: 'user', content: 'Hi' }]),
    'braintrust.output_json': json([
      {
        index: 0,
        finish_reason: 'tool_calls',
        message: {
          role: 'assistant',
          content: null,
          tool_calls: [{ id: 'call_1', type: 'function', function: { name: 'get_weather', arguments: '{}' } }],
        },
      },
    ]),
  })
  t.deepEqual([chat.kind, chat.model, chat.provider], ['llm', 'gpt-5-mini', 'openai'])
  t.deepEqual(counts(chat.usage), [2000, 100, 1024, null, 64])
  t.is(chat.ttftMs, 144)
  t.deepEqual(chat.toolRequests, [{ id: 'call_1', name: 'get_weather' }])
  t.deepEqual(chat.content.inputMessages, [{ role: 'user', parts: [{ type: 'text', text: 'Hi' }] }])
})

/** Whether the input holds the cache differs between the SDKs and their releases. */
const anthropic = (prompt: number) =>
  call(
    {
      'braintrust.span_attributes': json({ type: 'llm' }),
      'braintrust.metadata': metadata('anthropic', 'claude-sonnet-4-5', 'v1/messages'),
      'braintrust.metrics': json({
        prompt_tokens: prompt,
        completion_tokens: 120,
        tokens: prompt + 120,
        prompt_cached_tokens: 400,
        prompt_cache_creation_5m_tokens: 100,
        prompt_cache_creation_1h_tokens: 200,
      }),
      'braintrust.output_json': json({
        id: 'msg_1',
        type: 'message',
        role: 'assistant',
        content: [{ type: 'text', text: 'Sunny' }],
        usage: {
          input_tokens: 5000,
          cache_read_input_tokens: 400,
          cache_creation_input_tokens: 300,
          output_tokens: 120,
        },
      }),
    },
    'anthropic.messages.create',
  )

test("Anthropic's input leaves the cache out, or holds it, as its own answer shows", (t) => {
  for (const prompt of [5000, 5700]) {
    const { usage, responseId } = anthropic(prompt)
    t.deepEqual(counts(usage), [5700, 120, 400, 300, null])
    t.is(usage.cacheWrite1hTokens, 200)
    t.is(responseId, 'msg_1')
  }
})

test('embeddings have the type of a model call, and are told by their path or by the name of their span', (t) => {
  const metrics = { 'braintrust.metrics': json({ prompt_tokens: 509, tokens: 509 }) }
  const type = { 'braintrust.span_attributes': json({ type: 'llm' }) }
  const byPath = call({
    ...type,
    ...metrics,
    'braintrust.metadata': metadata('openai', 'text-embedding-3-small', 'embeddings'),
  })
  const byName = call({ ...type, ...metrics }, 'openai.embeddings.create', 'braintrust')
  for (const { kind, usage } of [byPath, byName]) {
    t.is(kind, 'embedding')
    t.is(usage.inputTokens, 509)
  }
})

test('a call without a type, as of the SDK for Go, is known by its counts', (t) => {
  const { kind, model, usage } = call(
    {
      'braintrust.metadata': json({ provider: 'openai', model: 'gpt-4o-mini', endpoint: '/v1/chat/completions' }),
      'braintrust.metrics': json({ prompt_tokens: 2000, completion_tokens: 100, tokens: 2100 }),
    },
    'openai.chat.completions.create',
    'braintrust',
  )
  t.deepEqual([kind, model, ...counts(usage)], ['llm', 'gpt-4o-mini', 2000, 100, null, null, null])
})

test("an answer of Anthropic's that says why the request was refused is a failure", (t) => {
  const { kind, status } = call({
    'braintrust.span_attributes': json({ type: 'llm' }),
    'braintrust.output_json': json({ type: 'error', error: { type: 'invalid_request_error', message: 'bad' } }),
  })
  t.deepEqual([kind, status], ['llm', 'error'])
})

test('tools, steps and scores are what their type says, as JSON or as an attribute of its own', (t) => {
  const tool = call(
    {
      'braintrust.span_attributes': json({ type: 'tool', name: 'get_weather' }),
      'braintrust.input_json': json({ city: 'Paris' }),
      'braintrust.output_json': json('sunny'),
    },
    'run',
    'app',
  )
  t.deepEqual([tool.kind, tool.toolName], ['tool', 'get_weather'])
  t.deepEqual(tool.content.toolArguments, { city: 'Paris' })
  t.not(tool.inputHash, null)
  t.is(call({ 'braintrust.span_attributes.type': 'llm' }, 'x', 'app').kind, 'llm')
  t.is(call({ 'braintrust.span_attributes': json({ type: 'task' }) }, 'x', 'app').kind, 'chain')
  t.is(call({ 'braintrust.span_attributes': json({ type: 'score' }) }, 'x', 'app').kind, 'evaluator')
})

test("Braintrust's span processor alone, which names the project on each span, changes nothing", (t) => {
  const { kind } = call(
    { 'braintrust.parent': 'project_name:app', 'gen_ai.operation.name': 'execute_tool' },
    'x',
    'app',
  )
  t.is(kind, 'tool')
  t.is(call({ 'braintrust.parent': 'project_name:app' }, 'x', 'app').kind, 'other')
})

test('calls of the SDKs for Go and Ruby that state no type and no counts are known by the name of their span', (t) => {
  const input = { 'braintrust.input_json': json([{ role: 'user', content: 'Hi' }]) }
  for (const name of [
    'Chat Completion',
    'openai.chat.completions.create',
    'openai.responses.create',
    'anthropic.messages.create',
    'genai.models.generateContent',
    'ruby_llm.chat',
  ])
    t.is(call(input, name, 'braintrust').kind, 'llm', name)
  const stream = call(
    {
      ...input,
      'braintrust.metadata': json({ provider: 'openai', model: 'gpt-4o-mini', stream: true }),
      'braintrust.metrics': json({ time_to_first_token: 0.2 }),
    },
    'Chat Completion',
    'braintrust',
  )
  t.like(stream, { kind: 'llm', model: 'gpt-4o-mini', provider: 'openai', ttftMs: 200 })
  const moderation = { ...input, 'braintrust.metadata': json({ provider: 'openai', model: 'omni-moderation-latest' }) }
  t.is(call(moderation, 'openai.moderations.create', 'braintrust').kind, 'other')
  t.is(call({ 'braintrust.parent': 'project_name:app' }, 'Chat Completion', 'app').kind, 'other')
})

test('RubyLLM is no provider, and the arguments of its tools are a member of their input', (t) => {
  const chat = call({ 'braintrust.metadata': json({ provider: 'ruby_llm', model: 'gpt-4o-mini' }) }, 'ruby_llm.chat')
  t.like(chat, { provider: null, model: 'gpt-4o-mini' })
  const tool = call(
    {
      'braintrust.span_attributes': json({ type: 'tool' }),
      'tool.name': 'weather',
      'tool.call_id': 'call_1',
      'braintrust.input_json': json({ name: 'weather', arguments: { city: 'Paris' } }),
      'braintrust.output_json': json('sunny'),
    },
    'ruby_llm.tool.weather',
    'braintrust',
  )
  const known = read({
    attributes: { 'gen_ai.operation.name': 'execute_tool', 'gen_ai.tool.call.arguments': '{"city":"Paris"}' },
  })
  t.like(tool, { kind: 'tool', toolName: 'weather', toolCallId: 'call_1', inputHash: known.inputHash })
  t.deepEqual(tool.content.toolArguments, { city: 'Paris' })
})

test('the tools of LangChain for Go have no name, rather than all the same one', (t) => {
  const tool = call(
    { 'braintrust.span_attributes': json({ type: 'tool' }), 'braintrust.input_json': json('2 + 2') },
    'langchain.tool',
    'braintrust',
  )
  t.like(tool, { kind: 'tool', toolName: null })
})
