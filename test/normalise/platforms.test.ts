import test from 'ava'
import { counts, json, read, type SpanGiven, start } from './_span.ts'

test('Langfuse: a generation with details of usage and cost', (t) => {
  const event = read({
    scope: 'langfuse-sdk',
    attributes: {
      'langfuse.observation.type': 'generation',
      'langfuse.observation.model.name': 'gpt-4o',
      'langfuse.observation.input': json([{ role: 'user', content: 'Hi' }]),
      'langfuse.observation.output': json({ role: 'assistant', content: 'Hello' }),
      'langfuse.observation.usage_details': json({
        input: 40,
        input_cached_tokens: 60,
        output: 20,
        output_reasoning_tokens: 5,
        total: 125,
      }),
      'langfuse.observation.cost_details': json({ input: 0.1, output: 0.2, total: 0.31 }),
      'langfuse.observation.completion_start_time': json(new Date(Number(start / 1_000_000n) + 400).toISOString()),
      'langfuse.session.id': 's-1',
      'session.id': 's-2',
      'user.id': 'u-1',
      'langfuse.environment': 'prod',
      'langfuse.version': '3',
    },
  })
  t.is(event.kind, 'llm')
  t.deepEqual([event.requestModel, event.model], ['gpt-4o', 'gpt-4o'])
  t.deepEqual(counts(event.usage), [100, 25, 60, null, 5])
  t.is(event.providedCostUsd, 0.31)
  t.is(event.ttftMs, 400)
  t.is(event.sessionId, 's-1')
  t.is(event.environment, 'prod')
  t.is(event.agentVersion, '3')
  t.deepEqual(event.content.inputMessages, [{ role: 'user', parts: [{ type: 'text', text: 'Hi' }] }])
  t.deepEqual(event.content.outputMessages, [{ role: 'assistant', parts: [{ type: 'text', text: 'Hello' }] }])
})

test("Langfuse: a provider's own usage object and a total that shows the cache inside stay as they are", (t) => {
  const usage = (details: object) =>
    read({
      attributes: { 'langfuse.observation.type': 'generation', 'langfuse.observation.usage_details': json(details) },
    })
  const openai = usage({
    prompt_tokens: 100,
    completion_tokens: 25,
    total_tokens: 125,
    prompt_tokens_details: { cached_tokens: 60 },
    completion_tokens_details: { reasoning_tokens: 5 },
  })
  t.deepEqual(counts(openai.usage), [100, 25, 60, null, 5])
  t.false(openai.flags.has('usage_adjusted'))
  const inside = usage({ input: 100, output: 25, total: 125, input_cached_tokens: 60 })
  t.deepEqual(counts(inside.usage), [100, 25, 60, null, null])
  const anthropic = usage({ input_tokens: 10, output_tokens: 5, cache_read_input_tokens: 4 })
  t.deepEqual(counts(anthropic.usage), [14, 5, 4, null, null])
})

test('Langfuse: the input and the output are the sums of their buckets', (t) => {
  const usage = (details: object) =>
    read({
      attributes: { 'langfuse.observation.type': 'generation', 'langfuse.observation.usage_details': json(details) },
    }).usage
  const modality = { input_modality_1: 500, output_modality_1: 50 }
  t.deepEqual(counts(usage({ input: 0, output: 0, total: 550, ...modality })), [500, 50, null, null, null])
  const gemini = { input: 0, output: 0, total: 580, ...modality, thoughts_token_count: 30 }
  t.deepEqual(counts(usage(gemini)), [500, 80, null, null, 30])
  const cached = { input: 0, output: 50, total: 550, input_modality_TEXT: 300, cached_modality_TEXT: 200 }
  t.deepEqual(counts(usage(cached)), [500, 50, 200, null, null])
  const audio = { input: 40, input_audio_tokens: 10, input_cached_tokens: 50, output: 5, output_audio_tokens: 15 }
  const predicted = { output_accepted_prediction_tokens: 20, output_rejected_prediction_tokens: 0 }
  t.deepEqual(counts(usage({ ...audio, ...predicted, total: 140 })), [100, 40, 50, null, null])
  const flex = {
    input: 0,
    input_flex: 400,
    input_flex_cache_read: 100,
    output: 0,
    output_flex: 30,
    output_flex_reasoning: 20,
  }
  t.deepEqual(counts(usage({ ...flex, total: 550 })), [500, 50, 100, null, 20])
  const priority = { input: 490, input_priority: 400, input_priority_cache_read: 100, input_audio: 10, output: 50 }
  t.deepEqual(counts(usage({ ...priority, total: 550 })), [500, 50, 100, null, null], 'Python')
  t.deepEqual(
    counts(usage({ ...priority, input: 0, input_audio: 0, total: 550 })),
    [500, 50, 100, null, null],
    'JavaScript',
  )
})

test("Langfuse: the lifetimes of Anthropic's cache writes", (t) => {
  const usage = (details: object) =>
    read({
      attributes: { 'langfuse.observation.type': 'generation', 'langfuse.observation.usage_details': json(details) },
    }).usage
  const buckets = { input_ephemeral_5m_input_tokens: 500, input_ephemeral_1h_input_tokens: 200 }
  const langChain = usage({
    input: 300,
    input_cache_read: 2_000,
    input_cache_creation: 0,
    ...buckets,
    output: 50,
    total: 3_050,
  })
  t.deepEqual(counts(langChain), [3_000, 50, 2_000, 700, null])
  t.is(langChain.cacheWrite1hTokens, 200)
  const split = { cache_creation_ephemeral_5m_input_tokens: 500, cache_creation_ephemeral_1h_input_tokens: 200 }
  const raw = { input: 300, output: 50, cache_read_input_tokens: 2_000, cache_creation_input_tokens: 700, ...split }
  t.deepEqual(counts(usage(raw)), [3_000, 50, 2_000, 700, null])
  t.is(usage(raw).cacheWrite1hTokens, 200)
  const thinking = { input_tokens: 300, output_tokens: 50, output_tokens_details: { thinking_tokens: 30 } }
  t.deepEqual(counts(usage({ ...thinking, cache_read_input_tokens: 2_000 })), [2_300, 50, 2_000, null, 30])
})

test('Langfuse: types, and a plain span that is not what its attributes suggest', (t) => {
  const kindOf = (type: string) =>
    read({ attributes: { 'langfuse.observation.type': type, 'gen_ai.request.model': 'm' } }).kind
  for (const type of ['agent', 'tool', 'chain', 'retriever', 'guardrail', 'evaluator', 'embedding'] as const) {
    t.is(kindOf(type), type)
  }
  t.is(kindOf('span'), 'other')
  t.is(kindOf('event'), 'other')
})

test('Langfuse: its wrapper of OpenAI for JavaScript calls embeddings a generation', (t) => {
  const kindOf = (name: string, type: string, scope = 'langfuse-sdk') =>
    read({
      scope,
      name,
      attributes: { 'langfuse.observation.type': type, 'langfuse.observation.model.name': 'text-embedding-3-small' },
    }).kind
  t.is(kindOf('OpenAI.embeddings', 'generation'), 'embedding')
  t.is(kindOf('OpenAI.chat', 'generation'), 'llm')
  t.is(kindOf('OpenAI.embeddings', 'span'), 'other')
})

test('AgentOps: kinds, names and arguments of its spans', (t) => {
  const call = (type: string, more: SpanGiven['attributes'] = {}) =>
    read({
      scope: 'openai',
      name: `openai.${type}`,
      attributes: {
        'gen_ai.system': 'OpenAI',
        'gen_ai.request.type': type,
        'gen_ai.request.model': 'a-model',
        'gen_ai.usage.prompt_tokens': 507,
        ...more,
      },
    })
  const chat = call('chat', { 'gen_ai.usage.completion_tokens': 9, 'gen_ai.streaming.time_to_first_token': 0.25 })
  t.deepEqual([chat.dialect, chat.kind, chat.operation, chat.ttftMs], ['agentops', 'llm', 'chat', 250])
  t.deepEqual(counts(chat.usage), [507, 9, null, null, null])
  t.deepEqual([call('completion').kind, call('embedding').kind], ['llm', 'embedding'])
  const of = (kind: string, name: string, more: SpanGiven['attributes'] = {}) =>
    read({ scope: 'agentops', name: `${name}.${kind}`, attributes: { 'agentops.span.kind': kind, ...more } })
  t.deepEqual([of('agent', 'my_agent').kind, of('agent', 'my_agent').agentOwn], ['agent', 'my_agent'])
  t.deepEqual([of('session', 's').kind, of('task', 't').kind, of('workflow', 'w').kind], ['chain', 'chain', 'chain'])
  const tool = of('tool', 'get_weather', {
    'operation.name': 'get_weather',
    'agentops.tool.input': json({ args: [], kwargs: { city: 'Paris' } }),
    'agentops.tool.output': 'sunny',
  })
  t.deepEqual([tool.kind, tool.toolName, tool.content.toolResult], ['tool', 'get_weather', 'sunny'])
  t.deepEqual(tool.content.toolArguments, { args: [], kwargs: { city: 'Paris' } })
  const ofAgents = read({
    scope: 'openai-agents',
    name: 'get_weather',
    attributes: {
      'agentops.span.kind': 'tool',
      'tool.name': 'get_weather',
      'tool.parameters': '{"city":"Paris"}',
      'tool.result': 'sunny',
    },
  })
  t.deepEqual(ofAgents.content, {
    inputMessages: null,
    outputMessages: null,
    toolArguments: { city: 'Paris' },
    toolResult: 'sunny',
  })
  // A tool request of the model, reported below its call: no tool has run.
  t.is(of('AgentOpsSpanKindValues.TOOL', 'tool_call', { 'tool.name': 'get_weather' }).kind, 'other')
})

test('Langfuse: a tool has its input and output in the observation', (t) => {
  const event = read({
    name: 'search',
    attributes: {
      'langfuse.observation.type': 'tool',
      'langfuse.observation.input': '{"q":"x"}',
      'langfuse.observation.output': '[1,2]',
    },
  })
  t.is(event.toolName, 'search')
  t.deepEqual(event.content.toolArguments, { q: 'x' })
  t.deepEqual(event.content.toolResult, [1, 2])
})

test('LangSmith: kinds, details as JSON, and LangChain messages in prompt and completion', (t) => {
  const event = read({
    scope: 'langsmith',
    attributes: {
      'langsmith.span.kind': 'llm',
      'gen_ai.system': 'openai',
      'gen_ai.request.model': 'gpt-4o',
      'gen_ai.usage.input_tokens': 25,
      'gen_ai.usage.output_tokens': 7,
      'gen_ai.usage.total_tokens': 32,
      'gen_ai.usage.input_token_details': json({ cache_read: 10, audio: 0 }),
      'gen_ai.usage.output_token_details': json({ reasoning: 2 }),
      'langsmith.trace.session_id': 's-1',
      'langsmith.metadata.user_id': 'u-1',
      'gen_ai.prompt': json({
        messages: [
          [
            {
              lc: 1,
              type: 'constructor',
              id: ['langchain', 'schema', 'messages', 'SystemMessage'],
              kwargs: { content: 'Be brief.', type: 'system' },
            },
            {
              lc: 1,
              type: 'constructor',
              id: ['langchain', 'schema', 'messages', 'HumanMessage'],
              kwargs: { content: 'q', type: 'human' },
            },
          ],
        ],
      }),
      'gen_ai.completion': json({
        generations: [
          [
            {
              text: '',
              type: 'ChatGeneration',
              message: {
                lc: 1,
                type: 'constructor',
                id: ['langchain', 'schema', 'messages', 'AIMessage'],
                kwargs: { content: '', tool_calls: [{ name: 'f', args: { a: 1 }, id: 'c1', type: 'tool_call' }] },
              },
            },
          ],
        ],
        llm_output: null,
      }),
    },
  })
  t.is(event.kind, 'llm')
  t.deepEqual(counts(event.usage), [25, 7, 10, null, 2])
  t.deepEqual([event.sessionId, event.userId], ['s-1', 'u-1'])
  t.deepEqual(event.content.inputMessages, [
    { role: 'system', parts: [{ type: 'text', text: 'Be brief.' }] },
    { role: 'user', parts: [{ type: 'text', text: 'q' }] },
  ])
  t.deepEqual(event.content.outputMessages, [
    { role: 'assistant', parts: [{ type: 'tool_call', id: 'c1', name: 'f', arguments: { a: 1 } }] },
  ])
})

test("LangSmith: LangChain's usage metadata holds the cache and the reasoning, other metadata the agent and the thread", (t) => {
  const readWith = (attributes: { readonly [key: string]: string | number }) =>
    read({ scope: 'langsmith', attributes: { 'langsmith.span.kind': 'llm', ...attributes } })
  const usage = {
    input_tokens: 3_008,
    output_tokens: 128,
    total_tokens: 3_136,
    input_token_details: {
      cache_read: 2_000,
      cache_creation: 0,
      ephemeral_5m_input_tokens: 500,
      ephemeral_1h_input_tokens: 200,
    },
    output_token_details: { reasoning: 64 },
  }
  const call = readWith({
    'gen_ai.usage.input_tokens': 3_008,
    'gen_ai.usage.output_tokens': 128,
    'gen_ai.usage.total_tokens': 3_136,
    'langsmith.metadata.usage_metadata': json(usage),
    'langsmith.metadata.ls_provider': 'anthropic',
    'langsmith.metadata.ls_model_name': 'claude-sonnet-4-5',
    'langsmith.metadata.lc_agent_name': 'researcher',
    'langsmith.metadata.session_id': 's-1',
    'langsmith.metadata.thread_id': 't-1',
  })
  t.deepEqual(counts(call.usage), [3_008, 128, 2_000, 700, 64])
  t.is(call.usage.cacheWrite1hTokens, 200)
  t.deepEqual([...call.flags], [])
  t.deepEqual([call.provider, call.model], ['anthropic', 'claude-sonnet-4-5'])
  t.deepEqual([call.agentOwn, call.sessionId], ['researcher', 's-1'])
  const alone = readWith({
    'langsmith.metadata.usage_metadata': json(usage),
    'langsmith.metadata.thread_id': 't-1',
    'langsmith.metadata.lc_agent_name': 'researcher',
    'gen_ai.agent.name': 'stated',
  })
  t.deepEqual(counts(alone.usage), [3_008, 128, 2_000, 700, 64])
  t.deepEqual([alone.agentOwn, alone.sessionId], ['stated', 't-1'])
})

test('Sentry: its own names for usage, messages and tools', (t) => {
  const event = read({
    name: 'chat gpt-4o',
    attributes: {
      'sentry.op': 'gen_ai.chat',
      'gen_ai.system': 'openai',
      'gen_ai.request.model': 'gpt-4o',
      'gen_ai.usage.input_tokens': 100,
      'gen_ai.usage.input_tokens.cached': 40,
      'gen_ai.usage.input_tokens.cache_write': 10,
      'gen_ai.usage.output_tokens': 30,
      'gen_ai.usage.output_tokens.reasoning': 12,
      'gen_ai.request.messages': json([{ role: 'user', content: 'Hi' }]),
      'gen_ai.response.text': json(['Hello']),
      'gen_ai.response.tool_calls': json([{ id: 'c1', type: 'function', function: { name: 'f', arguments: '{}' } }]),
    },
  })
  t.deepEqual([event.kind, event.operation], ['llm', 'chat'])
  t.deepEqual(counts(event.usage), [100, 30, 40, 10, 12])
  t.deepEqual(event.content.inputMessages, [{ role: 'user', parts: [{ type: 'text', text: 'Hi' }] }])
  t.deepEqual(event.content.outputMessages, [
    {
      role: 'assistant',
      parts: [
        { type: 'text', text: 'Hello' },
        { type: 'tool_call', id: 'c1', name: 'f', arguments: {} },
      ],
    },
  ])
  const tool = read({
    name: 'execute_tool f',
    attributes: { 'sentry.op': 'gen_ai.execute_tool', 'gen_ai.tool.input': '{"a":1}', 'gen_ai.tool.output': 'ok' },
  })
  t.deepEqual([tool.kind, tool.toolName, tool.content.toolResult], ['tool', 'f', 'ok'])
})

test("Langfuse: a run of LangChain notes its agent and its provider among the span's metadata", (t) => {
  const event = read({
    scope: 'langfuse-sdk',
    attributes: {
      'langfuse.observation.type': 'generation',
      'langfuse.observation.model.name': 'gpt-4o-mini',
      'langfuse.observation.metadata.lc_agent_name': '"researcher"',
      'langfuse.observation.metadata.ls_provider': '"openai"',
      // The trace has the metadata of the run around it.
      'langfuse.trace.metadata.lc_agent_name': '"supervisor"',
    },
  })
  t.is(event.agentOwn, 'researcher')
  t.is(event.provider, 'openai')
})

test('Mastra: session and user of the metadata, the first token, and content by the type of the span', (t) => {
  const scope = '@mastra/otel-exporter'
  const metadata = { 'mastra.metadata.sessionId': 's-1', 'mastra.metadata.userId': 'u-1' }
  const call = read({
    name: 'chat gpt-5-mini',
    scope,
    attributes: {
      'gen_ai.operation.name': 'chat',
      'mastra.span.type': 'model_inference',
      'gen_ai.request.model': 'gpt-5-mini',
      'gen_ai.provider.name': 'openai.responses',
      'gen_ai.usage.input_tokens': 2_020,
      'gen_ai.usage.output_tokens': 102,
      'gen_ai.usage.cache_read.input_tokens': 1_024,
      'gen_ai.usage.reasoning_tokens': 64,
      'mastra.completion_start_time': new Date(Number(start / 1_000_000n) + 200).toISOString(),
      ...metadata,
    },
  })
  t.deepEqual([call.kind, call.provider, call.sessionId, call.userId], ['llm', 'openai', 's-1', 'u-1'])
  t.is(call.ttftMs, 200)
  t.deepEqual(counts(call.usage), [2_020, 102, 1_024, null, 64])
  const agent = read({
    name: 'invoke_agent researcher',
    scope,
    attributes: {
      'gen_ai.operation.name': 'invoke_agent',
      'mastra.span.type': 'agent_run',
      'gen_ai.agent.name': 'researcher',
      'mastra.agent_run.input': 'Weather',
      'gen_ai.conversation.id': 'thread-1',
      ...metadata,
    },
  })
  t.deepEqual([agent.kind, agent.agentOwn, agent.sessionId], ['agent', 'researcher', 'thread-1'])
  t.deepEqual(agent.content.inputMessages, [{ role: 'user', parts: [{ type: 'text', text: 'Weather' }] }])
  t.is(read({ scope, attributes: { 'mastra.metadata.resourceId': 'u-2' } }).userId, 'u-2')
})
