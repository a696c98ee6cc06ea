import test from 'ava'
import { counts, json, read } from './_span.ts'

test('Vercel AI SDK up to 6: the inner call', (t) => {
  const event = read({
    name: 'ai.streamText.doStream',
    scope: 'ai',
    attributes: {
      'operation.name': 'ai.streamText.doStream my-agent',
      'ai.operationId': 'ai.streamText.doStream',
      'ai.model.provider': 'openai.responses',
      'ai.model.id': 'gpt-5',
      'ai.response.model': 'gpt-5-2025-08-07',
      'ai.response.id': 'resp-1',
      'ai.response.finishReason': 'tool-calls',
      'ai.response.msToFirstChunk': 321.5,
      'ai.response.text': 'Let me look.',
      'ai.response.reasoning': 'I need data.',
      'ai.response.toolCalls': json([{ toolCallId: 't1', toolName: 'look', input: { q: 'x' } }]),
      'ai.prompt.messages': json([
        { role: 'system', content: 'Be brief.' },
        { role: 'user', content: [{ type: 'text', text: 'Look it up' }] },
        { role: 'assistant', content: [{ type: 'tool-call', toolCallId: 't0', toolName: 'look', input: '{"q":"y"}' }] },
        {
          role: 'tool',
          content: [{ type: 'tool-result', toolCallId: 't0', toolName: 'look', output: { type: 'text', value: 'n' } }],
        },
      ]),
      'ai.usage.inputTokens': 500,
      'ai.usage.outputTokens': 60,
      'ai.usage.totalTokens': 560,
      'ai.usage.cachedInputTokens': 256,
      'ai.usage.reasoningTokens': 40,
      'ai.telemetry.functionId': 'my-agent',
      'ai.telemetry.metadata.sessionId': 's-1',
      'ai.telemetry.metadata.userId': 'u-1',
      'ai.response.providerMetadata': json({ openai: { serviceTier: 'flex', cachedPromptTokens: 256 } }),
    },
  })
  t.is(event.kind, 'llm')
  t.is(event.operation, 'chat')
  t.is(event.provider, 'openai')
  t.deepEqual([event.requestModel, event.model], ['gpt-5', 'gpt-5-2025-08-07'])
  t.deepEqual(counts(event.usage), [500, 60, 256, null, 40])
  t.is(event.ttftMs, 321.5)
  t.is(event.serviceTier, 'flex')
  t.is(event.agentOwn, 'my-agent')
  t.is(event.sessionId, 's-1')
  t.is(event.userId, 'u-1')
  t.deepEqual(event.content.inputMessages, [
    { role: 'system', parts: [{ type: 'text', text: 'Be brief.' }] },
    { role: 'user', parts: [{ type: 'text', text: 'Look it up' }] },
    { role: 'assistant', parts: [{ type: 'tool_call', id: 't0', name: 'look', arguments: { q: 'y' } }] },
    { role: 'tool', parts: [{ type: 'tool_result', id: 't0', result: { type: 'text', value: 'n' } }] },
  ])
  t.deepEqual(event.content.outputMessages, [
    {
      role: 'assistant',
      parts: [
        { type: 'reasoning', text: 'I need data.' },
        { type: 'text', text: 'Let me look.' },
        { type: 'tool_call', id: 't1', name: 'look', arguments: { q: 'x' } },
      ],
    },
  ])
})

test('Vercel AI SDK up to 6: the span around the call is no call, though it repeats model and usage', (t) => {
  const event = read({
    name: 'ai.generateText',
    scope: 'ai',
    attributes: {
      'operation.name': 'ai.generateText my-agent',
      'ai.model.id': 'gpt-5',
      'ai.usage.promptTokens': 10,
      'ai.prompt': json({ system: 'Be brief.', prompt: 'Hi' }),
      'ai.response.object': json({ a: 1 }),
    },
  })
  t.is(event.kind, 'chain')
  t.deepEqual(event.content.inputMessages, [
    { role: 'system', parts: [{ type: 'text', text: 'Be brief.' }] },
    { role: 'user', parts: [{ type: 'text', text: 'Hi' }] },
  ])
  t.deepEqual(event.content.outputMessages, [{ role: 'assistant', parts: [{ type: 'text', text: '{"a":1}' }] }])
})

test('Vercel AI SDK up to 6: tool calls and embeddings', (t) => {
  const tool = read({
    name: 'ai.toolCall',
    attributes: {
      'ai.operationId': 'ai.toolCall',
      'ai.toolCall.name': 'look',
      'ai.toolCall.id': 't1',
      'ai.toolCall.args': '{"q":"x"}',
      'ai.toolCall.result': '{"n":1}',
    },
  })
  t.deepEqual([tool.kind, tool.toolName, tool.toolCallId], ['tool', 'look', 't1'])
  t.deepEqual(tool.content.toolArguments, { q: 'x' })
  t.deepEqual(tool.content.toolResult, { n: 1 })
  const embedding = read({ attributes: { 'ai.operationId': 'ai.embedMany.doEmbed', 'ai.usage.tokens': 33 } })
  t.deepEqual([embedding.kind, embedding.operation, embedding.usage.inputTokens], ['embedding', 'embeddings', 33])
})

test("Vercel AI SDK 5 repeats Anthropic's own input, which leaves the cache out", (t) => {
  const event = read({
    attributes: {
      'ai.operationId': 'ai.generateText.doGenerate',
      'gen_ai.system': 'anthropic.messages',
      'ai.usage.inputTokens': 5_000,
      'ai.usage.outputTokens': 10,
      'ai.response.providerMetadata': json({
        anthropic: {
          usage: {
            input_tokens: 5_000,
            cache_read_input_tokens: 3_000,
            cache_creation_input_tokens: 700,
            cache_creation: { ephemeral_5m_input_tokens: 500, ephemeral_1h_input_tokens: 200 },
          },
        },
      }),
    },
  })
  t.is(event.provider, 'anthropic')
  t.deepEqual(counts(event.usage), [8_700, 10, 3_000, 700, null])
  t.is(event.usage.cacheWrite1hTokens, 200)
  t.true(event.flags.has('usage_adjusted'))
})

test("Vercel AI SDK 4 repeats Anthropic's own input, with the cache beside it and no usage of the provider", (t) => {
  const call = (metadata: object) =>
    counts(
      read({
        scope: 'ai',
        attributes: {
          'ai.operationId': 'ai.generateText.doGenerate',
          'ai.usage.promptTokens': 5_015,
          'ai.usage.completionTokens': 135,
          'ai.response.providerMetadata': json(metadata),
        },
      }).usage,
    )
  const anthropic = { cacheCreationInputTokens: 300, cacheReadInputTokens: 400 }
  t.deepEqual(call({ anthropic }), [5_715, 135, 400, 300, null])
  t.deepEqual(call({ anthropic: { cacheCreationInputTokens: null, cacheReadInputTokens: null } }), [
    5_015,
    135,
    null,
    null,
    null,
  ])
})

test("Vercel AI SDK 4 and 5 repeat Bedrock's own input, which leaves the cache out; 6 adds it up", (t) => {
  const call = (usage: object, attributes: { readonly [key: string]: number | string }) =>
    counts(
      read({
        scope: 'ai',
        attributes: {
          'ai.operationId': 'ai.generateText.doGenerate',
          'ai.model.provider': 'amazon-bedrock',
          'gen_ai.usage.output_tokens': 120,
          'ai.response.providerMetadata': json({ bedrock: { usage } }),
          ...attributes,
        },
      }).usage,
    )
  const expected = [5_701, 120, 400, 300, null]
  const usage = { cacheReadInputTokens: 400, cacheWriteInputTokens: 300 }
  t.deepEqual(call(usage, { 'gen_ai.usage.input_tokens': 5_001 }), expected)
  const write = { cacheWriteInputTokens: 300 }
  const five = { 'ai.usage.cachedInputTokens': 400, 'ai.request.headers.user-agent': 'ai/5.0.277' }
  t.deepEqual(call(write, { 'gen_ai.usage.input_tokens': 5_001, ...five }), expected)
  const six = { 'ai.usage.cachedInputTokens': 400, 'ai.usage.inputTokenDetails.noCacheTokens': 5_001 }
  t.deepEqual(call(write, { 'gen_ai.usage.input_tokens': 5_701, ...six }), expected)
  // SDK 6 reports no token details of an object.
  const object = { 'ai.operationId': 'ai.generateObject.doGenerate', 'ai.request.headers.user-agent': 'ai/6.0.326' }
  t.deepEqual(call(write, { 'gen_ai.usage.input_tokens': 5_701, ...object }), [5_701, 120, null, 300, null])
})

test("Vercel AI SDK 5 leaves Gemini's thoughts and cache to the provider's usage", (t) => {
  const usageMetadata = {
    promptTokenCount: 2_200,
    candidatesTokenCount: 120,
    thoughtsTokenCount: 64,
    cachedContentTokenCount: 1_024,
    totalTokenCount: 2_384,
  }
  for (const plugin of ['google', 'vertex']) {
    const event = read({
      scope: 'ai',
      attributes: {
        'ai.operationId': 'ai.generateText.doGenerate',
        'ai.model.id': 'gemini-2.5-flash',
        'ai.usage.promptTokens': 2_200,
        'ai.usage.completionTokens': 120,
        'ai.response.providerMetadata': json({ [plugin]: { usageMetadata } }),
      },
    })
    t.deepEqual(counts(event.usage), [2_200, 184, 1_024, null, 64], plugin)
  }
})

test('an id that the Vercel AI SDK made up is none of the provider', (t) => {
  const idOf = (id: string) =>
    read({
      scope: 'ai',
      attributes: { 'ai.operationId': 'ai.generateText.doGenerate', 'ai.response.id': id, 'gen_ai.response.id': id },
    }).responseId
  t.is(idOf('aitxt-IHyx4eWcEwc8f7vOu74rNm2h'), null)
  t.is(idOf('aiobj-IHyx4eWcEwc8f7vOu74rNm2h'), null)
  t.is(idOf('chatcmpl-1'), 'chatcmpl-1')
})

test('OpenInference gives the spans that end after a failure its status and its message, but not its exception', (t) => {
  const attributes = {
    'ai.operationId': 'ai.generateText.doGenerate',
    'ai.response.finishReason': 'stop',
    'openinference.span.kind': 'LLM',
  }
  const exception = { name: 'exception', attributes: { 'exception.type': 'AI_APICallError' } }
  const failed = { scope: 'ai', statusCode: 2, statusMessage: 'slow down' } as const
  t.is(read({ ...failed, attributes }).status, 'ok')
  t.is(read({ ...failed, attributes, events: [exception] }).status, 'error')
  t.is(read({ ...failed, attributes: { ...attributes, 'ai.response.finishReason': 'error' } }).status, 'error')
  // The SDK itself leaves out the message only if it leaves out the exception.
  t.is(read({ scope: 'ai', statusCode: 2, attributes }).status, 'error')
  const { 'openinference.span.kind': _, ...plain } = attributes
  t.is(read({ ...failed, attributes: plain }).status, 'error')
  // Release 7 has names of OpenTelemetry alone.
  const chat = { 'gen_ai.operation.name': 'chat', 'openinference.span.kind': 'LLM' }
  t.is(read({ ...failed, scope: 'gen_ai', attributes: chat }).status, 'ok')
  t.is(read({ ...failed, scope: 'gen_ai', attributes: chat, events: [exception] }).status, 'error')
  t.is(read({ ...failed, scope: 'openinference.instrumentation.openai', attributes: chat }).status, 'error')
})

test('Vercel AI SDK 7 speaks OpenTelemetry and names the function as the agent', (t) => {
  const event = read({
    name: 'chat gpt-5',
    scope: 'gen_ai',
    attributes: {
      'gen_ai.operation.name': 'chat',
      'gen_ai.provider.name': 'openai',
      'gen_ai.request.model': 'gpt-5',
      'gen_ai.agent.name': 'my-agent',
      'gen_ai.usage.input_tokens': 10,
      'gen_ai.usage.output_tokens': 5,
      'gen_ai.input.messages': json([{ role: 'user', parts: [{ type: 'text', content: 'Hi' }] }]),
    },
  })
  t.deepEqual([event.kind, event.agentOwn, event.usage.inputTokens], ['llm', 'my-agent', 10])
  t.is(read({ attributes: { 'gen_ai.operation.name': 'agent_step' } }).kind, 'chain')
})

test('Vercel AI SDK 7: a tool that the provider ran is part of the model call', (t) => {
  const tool = (type: string, scope = 'gen_ai') =>
    read({
      name: 'execute_tool web_search',
      scope,
      attributes: {
        'gen_ai.operation.name': 'execute_tool',
        'gen_ai.tool.name': 'web_search',
        'gen_ai.tool.call.id': 'c1',
        'gen_ai.tool.type': type,
      },
    })
  t.like(tool('extension'), { kind: 'other', toolName: null, toolCallId: 'c1' })
  t.is(tool('function').kind, 'tool')
  t.is(tool('extension', 'another').kind, 'tool', 'in the standard, the agent runs an extension')

  const call = { type: 'tool_call', id: 'c1', name: 'web_search', arguments: { query: 'x' } }
  const parts = [call, { type: 'tool_call_response', id: 'c1', response: [1] }]
  const answer = (operation: string) =>
    read({
      name: operation,
      scope: 'gen_ai',
      attributes: {
        'gen_ai.operation.name': operation,
        'gen_ai.output.messages': json([{ role: 'assistant', parts }]),
      },
    })
  const chat = answer('chat')
  t.deepEqual(chat.toolRequests, [])
  t.deepEqual(chat.content.outputMessages?.[0]?.parts, [
    { ...call, provider_executed: true },
    { type: 'tool_result', id: 'c1', result: [1] },
  ])
  t.deepEqual(answer('invoke_agent').content.outputMessages?.[0]?.parts[0], call, 'an agent runs its tools itself')
})
