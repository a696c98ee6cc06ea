import test from 'ava'
import { counts, json, type Plain, read } from './_span.ts'

const scope = 'genkit-tracer'

const action = (subtype: string, name: string, attributes: { readonly [key: string]: Plain } = {}) =>
  read({
    name,
    scope,
    spanKind: 1,
    attributes: {
      'genkit:type': 'action',
      'genkit:metadata:subtype': subtype,
      'genkit:name': name,
      'genkit:state': 'success',
      ...attributes,
    },
  })

test('a model action is a call, with the model and the provider of its name', (t) => {
  const call = action('model', 'openai/gpt-4o-mini', {
    'genkit:input': json({ messages: [{ role: 'user', content: [{ text: 'Hi' }] }], config: {}, tools: [] }),
    'genkit:output': json({
      finishReason: 'stop',
      message: {
        role: 'model',
        content: [{ text: 'Wait' }, { toolRequest: { name: 'get_weather', ref: 'call_1', input: { city: 'Paris' } } }],
      },
      usage: { inputTokens: 2000, outputTokens: 100, totalTokens: 2100 },
      raw: {
        usage: {
          prompt_tokens: 2000,
          completion_tokens: 100,
          total_tokens: 2100,
          prompt_tokens_details: { cached_tokens: 1024 },
          completion_tokens_details: { reasoning_tokens: 64 },
        },
      },
    }),
  })
  t.deepEqual([call.kind, call.operation, call.model, call.provider], ['llm', 'chat', 'gpt-4o-mini', 'openai'])
  t.deepEqual(counts(call.usage), [2000, 100, 1024, null, 64])
  t.deepEqual(call.finishReasons, ['stop'])
  t.deepEqual(call.toolRequests, [{ id: 'call_1', name: 'get_weather' }])
  t.deepEqual(call.content.inputMessages, [{ role: 'user', parts: [{ type: 'text', text: 'Hi' }] }])
  t.deepEqual(call.content.outputMessages, [
    {
      role: 'assistant',
      parts: [
        { type: 'text', text: 'Wait' },
        { type: 'tool_call', id: 'call_1', name: 'get_weather', arguments: { city: 'Paris' } },
      ],
    },
  ])
})

test("Gemini's thoughts lie beside the output that a plugin tells", (t) => {
  const call = action('model', 'googleai/gemini-2.5-flash', {
    'genkit:output': json({
      candidates: [{ index: 0, message: { role: 'model', content: [{ text: 'Hello' }] }, finishReason: 'stop' }],
      custom: { usageMetadata: { promptTokenCount: 2040, candidatesTokenCount: 104, totalTokenCount: 2208 } },
      usage: {
        inputTokens: 2040,
        outputTokens: 104,
        thoughtsTokens: 64,
        totalTokens: 2208,
        cachedContentTokens: 1024,
        inputCharacters: 2,
      },
    }),
  })
  t.is(call.provider, 'gcp.gemini')
  t.deepEqual(counts(call.usage), [2040, 168, 1024, null, 64])
  t.deepEqual(call.content.outputMessages, [{ role: 'assistant', parts: [{ type: 'text', text: 'Hello' }] }])
})

test("Anthropic's input leaves the cache out", (t) => {
  const usage = {
    input_tokens: 300,
    output_tokens: 120,
    cache_read_input_tokens: 2000,
    cache_creation_input_tokens: 700,
  }
  const output = { usage: { inputTokens: 300, outputTokens: 120 }, custom: { usage } }
  const call = action('model', 'anthropic/claude-sonnet-4-5', { 'genkit:output': json(output) })
  t.deepEqual(counts(call.usage), [3000, 120, 2000, 700, null])
})

test("Genkit for Go derives Anthropic's usage, and keeps nothing of the answer that holds it", (t) => {
  const usageOf = (name: string, usage: { readonly [key: string]: number }) => {
    const output = { message: { role: 'model', content: [] }, raw: { Usage: {} }, usage }
    return counts(action('model', name, { 'genkit:output': json(output) }).usage)
  }
  const usage = { inputTokens: 5_000, outputTokens: 200, cachedContentTokens: 3_000 }
  t.deepEqual(usageOf('anthropic/claude-sonnet-4-5', usage), [8_000, 200, 3_000, null, null])
  t.deepEqual(usageOf('vertexai/claude-sonnet-4-5', usage), [8_000, 200, 3_000, null, null])
  t.deepEqual(usageOf('vertexai/gemini-2.5-flash', usage), [5_000, 200, 3_000, null, null])
  // Through the API of OpenAI, the input includes the cache.
  const total = { ...usage, totalTokens: 5_200 }
  t.deepEqual(usageOf('anthropic/claude-sonnet-4-5', total), [5_000, 200, 3_000, null, null])
})

test('tools, embedders, flows and prompts are told apart; what is around a call is none', (t) => {
  const tool = action('tool', 'get_weather', { 'genkit:input': '{"city":"Paris"}', 'genkit:output': '{"celsius":21}' })
  t.deepEqual([tool.kind, tool.toolName], ['tool', 'get_weather'])
  t.deepEqual(tool.content.toolArguments, { city: 'Paris' })
  const embedder = action('embedder', 'openai/text-embedding-3-small')
  t.deepEqual(
    [embedder.kind, embedder.operation, embedder.model],
    ['embedding', 'embeddings', 'text-embedding-3-small'],
  )
  const flow = action('flow', 'researchFlow', { 'genkit:output': json({ usage: { inputTokens: 5 } }) })
  t.deepEqual([flow.kind, flow.agentOwn, flow.model], ['chain', 'researchFlow', null])
  t.deepEqual(counts(flow.usage), [null, null, null, null, null])
  const around = {
    'genkit:type': 'util',
    'genkit:name': 'generate',
    'genkit:output': json({ usage: { inputTokens: 5 } }),
  }
  const generate = read({ name: 'generate', scope, attributes: around })
  t.deepEqual([generate.kind, generate.agentOwn], ['chain', null])
  const prompt = read({
    name: 'supervisor',
    scope,
    attributes: { 'genkit:type': 'dotprompt', 'genkit:name': 'supervisor', 'genkit:sessionId': 's-1' },
  })
  t.deepEqual([prompt.kind, prompt.agentOwn, prompt.sessionId], ['chain', 'supervisor', 's-1'])
  const agent = action('agent', 'supervisor', { 'genkit:metadata:agent:sessionId': 's-2' })
  t.deepEqual([agent.kind, agent.agentOwn, agent.sessionId], ['agent', 'supervisor', 's-2'])
})

test('media of a message are described, never repeated', (t) => {
  const content = [{ media: { contentType: 'image/png', url: 'data:image/png;base64,AAAA' } }]
  const call = action('model', 'googleai/gemini-2.5-flash', {
    'genkit:input': json({ messages: [{ role: 'user', content }] }),
  })
  t.deepEqual(call.content.inputMessages, [
    { role: 'user', parts: [{ type: 'blob', mime_type: 'image/png', bytes: 3 }] },
  ])
})
