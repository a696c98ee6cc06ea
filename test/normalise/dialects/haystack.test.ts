import test from 'ava'
import { counts, json, read } from '../_span.ts'

const usage = {
  prompt_tokens: 2_000,
  completion_tokens: 100,
  total_tokens: 2_100,
  prompt_tokens_details: { cached_tokens: 1_024 },
  completion_tokens_details: { reasoning_tokens: 64 },
}
const reply = {
  role: 'assistant',
  meta: { id: 'resp_1', model: 'gpt-5-mini-2025-08-07', finish_reason: 'tool_calls', usage },
  content: [{ tool_call: { tool_name: 'get_weather', arguments: { city: 'Paris' }, id: 'call_1' } }],
}
const component = (type: string, attributes: { readonly [key: string]: string } = {}, name = 'first') =>
  read({
    name: 'haystack.component.run',
    scope: 'my_application',
    attributes: { 'haystack.component.type': type, 'haystack.component.name': name, ...attributes },
  })

test('the usage, model and requests of a call are in its replies', (t) => {
  const asked = {
    messages: [
      { role: 'user', content: [{ text: 'Weather?' }] },
      {
        role: 'tool',
        content: [{ tool_call_result: { result: 'sunny', origin: { tool_name: 'look', id: 'call_0' } } }],
      },
    ],
  }
  const step = read({
    name: 'haystack.agent.step.llm',
    attributes: {
      'haystack.agent.step.llm.input': json(asked),
      'haystack.agent.step.llm.output': json({ replies: [reply] }),
    },
  })
  t.deepEqual([step.kind, step.model, step.responseId], ['llm', 'gpt-5-mini-2025-08-07', 'resp_1'])
  t.deepEqual(step.finishReasons, ['tool_calls'])
  t.deepEqual(counts(step.usage), [2_000, 100, 1_024, null, 64])
  t.deepEqual(step.toolRequests, [{ id: 'call_1', name: 'get_weather' }])
  t.deepEqual(step.content.inputMessages, [
    { role: 'user', parts: [{ type: 'text', text: 'Weather?' }] },
    { role: 'tool', parts: [{ type: 'tool_result', id: 'call_0', result: 'sunny' }] },
  ])
})

test('a component is what its class is named for', (t) => {
  const output = { 'haystack.component.output': json({ replies: [reply] }) }
  t.deepEqual(counts(component('OpenAIChatGenerator', output).usage), [2_000, 100, 1_024, null, 64])
  const older = { 'haystack.component.output': json({ replies: ['Sunny'], meta: [{ model: 'gpt-4o-mini', usage }] }) }
  t.deepEqual(counts(component('OpenAIGenerator', older).usage), [2_000, 100, 1_024, null, 64])
  const embedded = json({ embedding: [0.1], meta: { model: 'text-embedding-3-small', usage: { prompt_tokens: 9 } } })
  const embedder = component('OpenAITextEmbedder', { 'haystack.component.output': embedded })
  t.deepEqual([embedder.kind, embedder.model, embedder.usage.inputTokens], ['embedding', 'text-embedding-3-small', 9])
  const kinds = ['InMemoryBM25Retriever', 'CohereRanker', 'PromptBuilder', 'DALLEImageGenerator'].map(
    (type) => component(type).kind,
  )
  t.deepEqual(kinds, ['retriever', 'reranker', 'chain', 'chain'])
})

test('an agent is named after its component, its tool after the tool', (t) => {
  const agent = component('Agent', {}, 'researcher')
  t.deepEqual([agent.kind, agent.agentOwn], ['agent', 'researcher'])
  const run = read({ name: 'haystack.agent.run' })
  t.deepEqual([run.kind, run.agentOwn], ['agent', null])
  const tool = read({
    name: 'haystack.agent.step.tool',
    attributes: { 'haystack.tool.name': 'get_weather', 'haystack.agent.step.tool.input': '{"city":"Paris"}' },
  })
  t.deepEqual([tool.kind, tool.toolName, tool.content.toolArguments], ['tool', 'get_weather', { city: 'Paris' }])
})

test('of Bedrock, Haystack renames the counts, but the input still excludes the cache', (t) => {
  const counted = (own: { readonly [name: string]: number | object }) => {
    const replies = [{ role: 'assistant', meta: { model: 'a-model', usage: own }, content: [{ text: 'Sunny' }] }]
    const call = component('AmazonBedrockChatGenerator', { 'haystack.component.output': json({ replies }) })
    return counts(call.usage)
  }
  const bedrock = {
    prompt_tokens: 120,
    completion_tokens: 50,
    total_tokens: 5_170,
    cache_read_input_tokens: 0,
    cache_write_input_tokens: 5_000,
    cache_details: {},
  }
  t.deepEqual(counted(bedrock), [5_120, 50, 0, 5_000, null])
  t.deepEqual(
    counted({ ...bedrock, total_tokens: 0, cache_read_input_tokens: 40, cache_write_input_tokens: 20 }),
    [180, 50, 40, 20, null],
    'a cache smaller than the input, and no total',
  )
  const { cache_write_input_tokens: _, ...others } = bedrock
  t.deepEqual(
    counted({ ...others, cache_read_input_tokens: 40, total_tokens: 170 }),
    [120, 50, 40, null, null],
    'the usage of another provider',
  )
})

test('a tool that failed has the message in place of its result', (t) => {
  const outcome = (output: unknown, name = 'haystack.agent.step.tool') => {
    const { status, errorMessage } = read({
      name,
      scope: 'my_application',
      attributes: {
        'haystack.tool.name': 'get_weather',
        'haystack.agent.step.tool.input': '{"city":"Paris"}',
        'haystack.agent.step.tool.output': json(output),
      },
    })
    return [status, errorMessage]
  }
  const error = "Failed to invoke Tool `get_weather` with parameters {'city': 'Paris'}. Error: no such city"
  t.deepEqual(outcome({ error }), ['error', error])
  const needsAsync = 'Tool `get_weather` has no sync `function` and can only be invoked via `invoke_async`.'
  t.deepEqual(outcome({ error: needsAsync }), ['error', needsAsync])
  t.deepEqual(outcome({ error: 'no such city' }), ['ok', null], 'what the tool itself returned')
  t.deepEqual(outcome({ error, temperature: null }), ['ok', null])
  t.deepEqual(outcome(error), ['ok', null])
  t.deepEqual(outcome({ error }, 'another.span'), ['ok', null])
})
