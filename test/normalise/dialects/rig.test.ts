import test from 'ava'
import { counts, read, type SpanGiven } from '../_span.ts'

/** As Rig writes it: each count is on every span with usage, 0 where the provider has none. */
const usageOf = (input: number, output: number, more: SpanGiven['attributes'] = {}) => ({
  'gen_ai.usage.input_tokens': input,
  'gen_ai.usage.output_tokens': output,
  'gen_ai.usage.cache_read.input_tokens': 0,
  'gen_ai.usage.cache_creation.input_tokens': 0,
  'gen_ai.usage.tool_use_prompt_tokens': 0,
  'gen_ai.usage.reasoning_tokens': 0,
  ...more,
})

const call = (operation: string, provider: string, usage: SpanGiven['attributes'] = usageOf(10, 5)) =>
  read({
    name: operation,
    scope: 'my-app',
    spanKind: 1,
    attributes: {
      'gen_ai.operation.name': operation,
      'gen_ai.provider.name': provider,
      'gen_ai.request.model': 'a-model',
      ...usage,
    },
  })

test('streams, and interactions with Gemini, are calls of a model', (t) => {
  for (const operation of ['chat', 'chat_streaming', 'generate_content', 'interactions', 'interactions_streaming'])
    t.is(call(operation, 'gcp.gemini').kind, 'llm', operation)
  t.is(call('chat_streaming', 'anthropic', {}).kind, 'llm', 'a failed call has no usage')
  t.is(call('rerank', 'cohere').kind, 'reranker')
  t.is(call('chat', 'openai').dialect, 'rig')
})

test('the input of Anthropic and Bedrock excludes the cache', (t) => {
  const cached = usageOf(1_000, 50, { 'gen_ai.usage.cache_read.input_tokens': 800 })
  t.deepEqual(counts(call('chat', 'anthropic', cached).usage), [1_800, 50, 800, 0, 0])
  t.deepEqual(counts(call('chat', 'aws_bedrock', cached).usage), [1_800, 50, 800, 0, 0])
  t.deepEqual(counts(call('chat', 'openai', cached).usage), [1_000, 50, 800, 0, 0])
})

test("so does that of other providers that were called by Anthropic's API, where the span tells it from OpenAI's", (t) => {
  const read = usageOf(1_000, 50, { 'gen_ai.usage.cache_read.input_tokens': 800 })
  for (const provider of ['minimax', 'xiaomimimo', 'z.ai']) {
    t.deepEqual(counts(call('chat_streaming', provider, read).usage), [1_800, 50, 800, 0, 0], provider)
    t.deepEqual(counts(call('chat', provider, read).usage), [1_000, 50, 800, 0, 0], provider)
  }
  t.deepEqual(counts(call('chat_streaming', 'moonshot', read).usage), [1_000, 50, 800, 0, 0])
  const written = usageOf(1_000, 50, { 'gen_ai.usage.cache_creation.input_tokens': 600 })
  for (const provider of ['minimax', 'moonshot'])
    t.deepEqual(counts(call('chat', provider, written).usage), [1_600, 50, 0, 600, 0], provider)
  for (const provider of ['openrouter', 'ollama'])
    t.deepEqual(counts(call('chat_streaming', provider, written).usage), [1_000, 50, 0, 600, 0], provider)
})

test("Gemini's thoughts are added to its output, and what its own tools returned to its input", (t) => {
  const thought = usageOf(100, 900, {
    'gen_ai.usage.reasoning_tokens': 400,
    'gen_ai.usage.tool_use_prompt_tokens': 50,
  })
  const gemini = call('generate_content', 'gcp.gemini', thought)
  t.deepEqual(counts(gemini.usage), [150, 1_300, 0, 0, 400])
  t.true(gemini.flags.has('usage_adjusted'))
  t.deepEqual(counts(call('chat', 'openai', thought).usage), [100, 900, 0, 0, 400])
})

const toolCall = (outcome: string, more: SpanGiven['attributes'] = {}) =>
  read({
    name: 'execute_tool',
    attributes: {
      'gen_ai.operation.name': 'execute_tool',
      'gen_ai.tool.name': 'search',
      'gen_ai.tool.call.id': 'call_1',
      'gen_ai.tool.call.arguments': '{"query":"rust"}',
      'gen_ai.tool.call.result': 'no answer',
      'gen_ai.tool.call.outcome': outcome,
      ...more,
    },
  })

test('a tool that failed says so by its outcome alone, and its message is no result', (t) => {
  const failed = toolCall('error', { 'gen_ai.tool.error.type': 'timeout' })
  t.like(failed, { kind: 'tool', status: 'error', errorType: 'timeout', contentHash: null })
  t.is(toolCall('error').status, 'error')
  for (const outcome of ['success', 'denied']) {
    const answered = toolCall(outcome)
    t.like(answered, { kind: 'tool', status: 'ok' })
    t.not(answered.contentHash, null)
  }
})

test('a call that the application skipped never reached the tool', (t) =>
  t.like(toolCall('skipped'), { kind: 'other', toolName: null, toolCallId: 'call_1' }))
