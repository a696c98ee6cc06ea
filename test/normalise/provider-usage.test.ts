import test from 'ava'
import { counts, json, type Plain, read } from './_span.ts'

const anthropic = {
  cache_creation: { ephemeral_1h_input_tokens: 200, ephemeral_5m_input_tokens: 500 },
  cache_creation_input_tokens: 700,
  cache_read_input_tokens: 2_000,
  input_tokens: 308,
  output_tokens: 128,
  output_tokens_details: null,
  service_tier: 'standard',
}

const usageOf = (attributes: { readonly [key: string]: Plain }) =>
  read({ attributes: { 'gen_ai.operation.name': 'chat', ...attributes } })

test("Logfire: the provider's own usage adds what the sender's counts leave open, and changes none of them", (t) => {
  const chat = usageOf({
    'gen_ai.usage.input_tokens': 2_000,
    'gen_ai.usage.output_tokens': 100,
    'gen_ai.usage.raw': json({
      prompt_tokens: 2_000,
      completion_tokens: 100,
      total_tokens: 2_100,
      prompt_tokens_details: { cached_tokens: 1_024 },
      completion_tokens_details: { reasoning_tokens: 64 },
    }),
  })
  t.deepEqual(counts(chat.usage), [2_000, 100, 1_024, null, 64])
  const response = usageOf({
    'gen_ai.usage.input_tokens': 2_040,
    'gen_ai.usage.output_tokens': 104,
    'gen_ai.usage.raw': json({
      input_tokens: 2_040,
      input_tokens_details: { cached_tokens: 1_024, cache_write_tokens: 10 },
      output_tokens: 104,
      output_tokens_details: { reasoning_tokens: 64 },
      total_tokens: 2_144,
    }),
  })
  t.deepEqual(counts(response.usage), [2_040, 104, 1_024, 10, 64])
  const added = usageOf({
    'gen_ai.usage.input_tokens': 3_008,
    'gen_ai.usage.output_tokens': 128,
    'gen_ai.usage.raw': json(anthropic),
  })
  t.deepEqual(counts(added.usage), [3_008, 128, 2_000, 700, null])
  t.is(added.usage.cacheWrite1hTokens, 200)
  for (const event of [chat, response, added]) t.deepEqual([...event.flags], [])
})

test("a sender's input that repeats Anthropic's or Bedrock's own lacks the cache, however small that is", (t) => {
  const usage = {
    input_tokens: 5_009,
    output_tokens: 129,
    cache_read_input_tokens: 400,
    cache_creation_input_tokens: 300,
  }
  for (const attributes of [{ 'gen_ai.usage.input_tokens': 5_009 }, {}]) {
    const event = usageOf({ ...attributes, 'gen_ai.usage.raw': json(usage) })
    t.deepEqual(counts(event.usage), [5_709, 129, 400, 300, null])
    t.true(event.flags.has('usage_adjusted'))
  }
  const bedrock = { inputTokens: 5_009, outputTokens: 129, cacheReadInputTokens: 400, cacheWriteInputTokens: 300 }
  t.deepEqual(counts(usageOf({ 'gen_ai.usage.raw': json(bedrock) }).usage), [5_709, 129, 400, 300, null])
})

test("Anthropic's count of thinking tokens says nothing about the cache, and is read as reasoning", (t) => {
  const usage = { input_tokens: 3_000, output_tokens: 400, cache_read_input_tokens: 2_000 }
  for (const [thinking, reasoning] of [
    [null, null],
    [{ thinking_tokens: 300 }, 300],
  ] as const) {
    const raw = json({ ...usage, output_tokens_details: thinking })
    const inLogfire = usageOf({ 'gen_ai.usage.input_tokens': 3_000, 'gen_ai.usage.raw': raw })
    t.deepEqual(counts(inLogfire.usage), [5_000, 400, 2_000, null, reasoning])
  }
  const inOpenInference = read({
    attributes: {
      'openinference.span.kind': 'LLM',
      'llm.token_count.prompt': 5_000,
      'llm.token_count.completion': 400,
      'llm.token_count.prompt_details.cache_read': 2_000,
      'output.value': json({ id: 'msg_1', usage: { ...usage, output_tokens_details: { thinking_tokens: 300 } } }),
    },
  })
  t.deepEqual(counts(inOpenInference.usage), [5_000, 400, 2_000, null, 300])
})

test("Gemini's thoughts lie beside its answer", (t) => {
  const usage = { promptTokenCount: 100, candidatesTokenCount: 50, thoughtsTokenCount: 20, totalTokenCount: 170 }
  t.deepEqual(counts(usageOf({ 'gen_ai.usage.raw': json(usage) }).usage), [100, 70, null, null, 20])
})

test("the results of Gemini's own tools are part of the input, and counted beside the prompt", (t) => {
  const camel = {
    promptTokenCount: 100,
    candidatesTokenCount: 50,
    thoughtsTokenCount: 30,
    toolUsePromptTokenCount: 220,
  }
  const snake = {
    prompt_token_count: 100,
    candidates_token_count: 50,
    thoughts_token_count: 30,
    tool_use_prompt_token_count: 220,
  }
  for (const usage of [
    { ...camel, totalTokenCount: 400 },
    { ...snake, total_token_count: 400 },
  ]) {
    const raw = { 'gen_ai.usage.raw': json(usage) }
    t.deepEqual(counts(usageOf(raw).usage), [320, 80, null, null, 30])
    t.deepEqual(counts(usageOf({ ...raw, 'gen_ai.usage.input_tokens': 100 }).usage), [320, 80, null, null, 30])
    const whole = { 'gen_ai.usage.input_tokens': 320, 'gen_ai.usage.output_tokens': 80 }
    t.deepEqual(counts(usageOf({ ...raw, ...whole }).usage), [320, 80, null, null, 30], 'the sender adds them itself')
    const inOpenInference = read({
      attributes: {
        'openinference.span.kind': 'LLM',
        'llm.token_count.prompt': 100,
        'llm.token_count.completion': 80,
        'llm.token_count.total': 400,
        'llm.token_count.completion_details.reasoning': 30,
        'output.value': json({ usage_metadata: usage }),
      },
    })
    t.deepEqual(counts(inOpenInference.usage), [320, 80, null, null, 30])
  }
})

test('what is no usage object, or belongs to no call, says nothing', (t) => {
  for (const raw of ['none', '[]', '{"prompt_tokens":null,"prompt_tokens_details":3}']) {
    const event = usageOf({ 'gen_ai.usage.raw': raw })
    t.deepEqual(counts(event.usage), [null, null, null, null, null])
    t.deepEqual([...event.flags], [])
  }
  const chain = read({
    attributes: {
      'openinference.span.kind': 'CHAIN',
      'gen_ai.usage.raw': json(anthropic),
      'output.value': json({ usage: anthropic }),
    },
  })
  t.deepEqual(counts(chain.usage), [null, null, null, null, null])
})

test('OpenInference: the answer tells the split of cache writes, and the reasoning', (t) => {
  const call = (attributes: { readonly [key: string]: Plain }) =>
    read({ attributes: { 'openinference.span.kind': 'LLM', ...attributes } })
  const split = call({
    'llm.token_count.prompt': 3_008,
    'llm.token_count.completion': 128,
    'llm.token_count.total': 3_136,
    'llm.token_count.prompt_details.cache_read': 2_000,
    'llm.token_count.prompt_details.cache_write': 700,
    'output.value': json({ id: 'msg_1', usage: anthropic }),
  })
  t.deepEqual(counts(split.usage), [3_008, 128, 2_000, 700, null])
  t.is(split.usage.cacheWrite1hTokens, 200)
  const reasoned = call({
    'llm.token_count.prompt': 10,
    'llm.token_count.completion': 90,
    'output.value': json({
      usage: { input_tokens: 10, output_tokens: 90, output_tokens_details: { reasoning_tokens: 64 } },
    }),
  })
  t.deepEqual(counts(reasoned.usage), [10, 90, null, null, 64])
  for (const event of [split, reasoned]) t.deepEqual([...event.flags], [])
})

test("OpenInference: LangChain's message tells the split of cache writes", (t) => {
  const event = read({
    scope: 'openinference.instrumentation.langchain',
    attributes: {
      'openinference.span.kind': 'LLM',
      'llm.token_count.prompt': 3_008,
      'llm.token_count.completion': 128,
      'llm.token_count.prompt_details.cache_read': 2_000,
      'output.value': json({
        generations: [
          [
            {
              message: {
                kwargs: {
                  id: 'msg_1',
                  usage_metadata: {
                    input_tokens: 3_008,
                    output_tokens: 128,
                    input_token_details: {
                      cache_creation: 0,
                      ephemeral_5m_input_tokens: 500,
                      ephemeral_1h_input_tokens: 200,
                    },
                  },
                },
              },
            },
          ],
        ],
      }),
    },
  })
  t.deepEqual(counts(event.usage), [3_008, 128, 2_000, 700, null])
  t.is(event.usage.cacheWrite1hTokens, 200)
})

test('smolagents: the usage in what Python prints of the answer', (t) => {
  const call = (raw: string) =>
    read({
      attributes: {
        'openinference.span.kind': 'LLM',
        'llm.token_count.prompt': 2_000,
        'llm.token_count.completion': 100,
        'output.value': json({ role: 'assistant', raw, token_usage: { input_tokens: 2_000, output_tokens: 100 } }),
      },
    })
  const openai = call(
    "ChatCompletion(id='c-1', choices=[Choice(message=ChatCompletionMessage(content='usage=Usage(cached_tokens=7)'))], " +
      'usage=CompletionUsage(completion_tokens=100, prompt_tokens=2000, total_tokens=2100, ' +
      'completion_tokens_details=CompletionTokensDetails(reasoning_tokens=64, text_tokens=None), ' +
      'prompt_tokens_details=PromptTokensDetails(cache_write_tokens=None, cached_tokens=1024)))',
  )
  t.deepEqual(counts(openai.usage), [2_000, 100, 1_024, null, 64])
  t.deepEqual([...openai.flags], [])
  const anthropicCall = call(
    "Message(id='m-1', usage=Usage(cache_creation=CacheCreation(ephemeral_1h_input_tokens=200, " +
      'ephemeral_5m_input_tokens=100), cache_creation_input_tokens=300, cache_read_input_tokens=400, input_tokens=2000, ' +
      "output_tokens=100, service_tier='standard'))",
  )
  t.deepEqual(counts(anthropicCall.usage), [2_700, 100, 400, 300, null])
  t.is(anthropicCall.usage.cacheWrite1hTokens, 200)
  for (const raw of ['usage=Usage(cached_tokens=7', 'usage=None, cached_tokens=7', 'cached_tokens=7)']) {
    t.deepEqual(counts(call(raw).usage), [2_000, 100, null, null, null])
  }
})

test('LangSmith spells the writes that live for an hour in two ways', (t) => {
  for (const name of ['ephemeral_1h_input_tokens', 'ephemeral_1hr_input_tokens']) {
    const details = { cache_read: 2_000, ephemeral_5m_input_tokens: 500, [name]: 200 }
    const { usage } = read({
      attributes: {
        'langsmith.span.kind': 'llm',
        'langsmith.metadata.usage_metadata': json({
          input_tokens: 3_000,
          output_tokens: 120,
          total_tokens: 3_120,
          input_token_details: details,
        }),
      },
    })
    t.deepEqual([usage.cacheWriteTokens, usage.cacheWrite1hTokens], [700, 200], name)
  }
})
