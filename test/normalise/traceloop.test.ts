import test from 'ava'
import { counts, json, read } from './_span.ts'

test('Traceloop: an llm span', (t) => {
  const event = read({
    name: 'openai.chat',
    scope: 'opentelemetry.instrumentation.openai.v1',
    attributes: {
      'llm.request.type': 'chat',
      'gen_ai.system': 'OpenAI',
      'gen_ai.request.model': 'gpt-4o',
      'gen_ai.response.model': 'gpt-4o-2024-08-06',
      'gen_ai.usage.input_tokens': 20,
      'gen_ai.usage.output_tokens': 5,
      'llm.usage.total_tokens': 25,
      'gen_ai.usage.cache_read_input_tokens': 8,
      'gen_ai.usage.reasoning_tokens': 2,
      'gen_ai.prompt.0.role': 'user',
      'gen_ai.prompt.0.content': json([
        { type: 'text', text: 'Hi' },
        { type: 'image_url', image_url: { url: 'data:image/png;base64,QUJD' } },
      ]),
      'gen_ai.prompt.1.role': 'assistant',
      'gen_ai.prompt.1.tool_calls.0.id': 'c1',
      'gen_ai.prompt.1.tool_calls.0.name': 'f',
      'gen_ai.prompt.1.tool_calls.0.arguments': '{"a":1}',
      'gen_ai.prompt.2.role': 'tool',
      'gen_ai.prompt.2.tool_call_id': 'c1',
      'gen_ai.prompt.2.content': 'ok',
      'gen_ai.prompt.name': 'greeting',
      'gen_ai.completion.0.role': 'assistant',
      'gen_ai.completion.0.content': 'Hello',
      'gen_ai.completion.0.finish_reason': 'stop',
      'traceloop.workflow.name': 'joke_flow',
      'traceloop.association.properties.session_id': 's-1',
      'traceloop.association.properties.user_id': 'u-1',
    },
  })
  t.is(event.kind, 'llm')
  t.is(event.operation, 'chat')
  t.is(event.provider, 'openai')
  t.is(event.model, 'gpt-4o-2024-08-06')
  t.deepEqual(counts(event.usage), [20, 5, 8, null, 2])
  t.deepEqual(event.finishReasons, ['stop'])
  t.is(event.agentOwn, 'joke_flow')
  t.is(event.sessionId, 's-1')
  t.is(event.userId, 'u-1')
  t.deepEqual(event.content.inputMessages, [
    {
      role: 'user',
      parts: [
        { type: 'text', text: 'Hi' },
        { type: 'blob', mime_type: 'image/png', bytes: 3 },
      ],
    },
    { role: 'assistant', parts: [{ type: 'tool_call', id: 'c1', name: 'f', arguments: { a: 1 } }] },
    { role: 'tool', parts: [{ type: 'tool_result', id: 'c1', result: 'ok' }] },
  ])
  t.deepEqual(event.content.outputMessages, [{ role: 'assistant', parts: [{ type: 'text', text: 'Hello' }] }])
})

test('Traceloop: the input of Bedrock lacks the cache', (t) => {
  const event = read({
    name: 'chat claude-sonnet-4-5-20250929-v1:0',
    scope: 'opentelemetry.instrumentation.bedrock',
    attributes: {
      'gen_ai.provider.name': 'aws.bedrock',
      'gen_ai.operation.name': 'chat',
      'gen_ai.request.model': 'claude-sonnet-4-5-20250929-v1:0',
      'gen_ai.usage.input_tokens': 5_001,
      'gen_ai.usage.output_tokens': 121,
      'gen_ai.usage.total_tokens': 5_122,
      'gen_ai.usage.cache_read.input_tokens': 400,
      'gen_ai.usage.cache_creation.input_tokens': 300,
    },
  })
  t.is(event.dialect, 'traceloop')
  t.deepEqual(counts(event.usage), [5_701, 121, 400, 300, null])
  t.true(event.flags.has('usage_adjusted'))
})

test('Traceloop: workflow, agent and tool entities', (t) => {
  const entity = (kind: string) =>
    read({
      name: `thing.${kind}`,
      attributes: {
        'traceloop.span.kind': kind,
        'traceloop.entity.name': 'thing',
        'traceloop.workflow.name': 'flow',
        'traceloop.entity.input': '{"q":1}',
        'traceloop.entity.output': '"done"',
      },
    })
  t.is(entity('workflow').kind, 'chain')
  t.is(entity('task').kind, 'chain')
  t.is(entity('agent').agentOwn, 'thing')
  t.is(entity('task').agentOwn, 'flow')
  const tool = entity('tool')
  t.is(tool.kind, 'tool')
  t.is(tool.toolName, 'thing')
  t.deepEqual(tool.content.toolArguments, { q: 1 })
  t.is(tool.content.toolResult, 'done')
})

test('Traceloop: langchain is no provider, the association property says who is', (t) => {
  const event = read({
    attributes: { 'gen_ai.system': 'Langchain', 'traceloop.association.properties.ls_provider': 'amazon_bedrock' },
  })
  t.is(event.provider, 'aws.bedrock')
})

test('OpenLIT: total, cost and prompt events', (t) => {
  const event = read({
    scope: 'openlit.otel.tracing',
    attributes: {
      'gen_ai.operation.name': 'chat',
      'gen_ai.system': 'mistral',
      'gen_ai.request.model': 'mistral-large',
      'gen_ai.usage.input_tokens': '15',
      'gen_ai.usage.output_tokens': '4',
      'gen_ai.usage.total_tokens': '19',
      'gen_ai.usage.cost': 0.002,
      'gen_ai.environment': 'staging',
      'gen_ai.response.finish_reasons': '["stop"]',
    },
    events: [
      { name: 'gen_ai.content.prompt', attributes: { 'gen_ai.prompt': 'user: hi' } },
      { name: 'gen_ai.content.completion', attributes: { 'gen_ai.completion': 'hello' } },
    ],
  })
  t.is(event.provider, 'mistral_ai')
  t.deepEqual(counts(event.usage), [15, 4, null, null, null])
  t.is(event.providedCostUsd, 0.002)
  t.is(event.environment, 'staging')
  t.deepEqual(event.finishReasons, ['stop'])
  t.deepEqual(event.content.inputMessages, [{ role: 'user', parts: [{ type: 'text', text: 'user: hi' }] }])
  t.deepEqual(event.content.outputMessages, [{ role: 'assistant', parts: [{ type: 'text', text: 'hello' }] }])
  const agent = read({ attributes: { 'gen_ai.operation.name': 'execute_task', 'gen_ai.agent.name': 'Crew' } })
  t.deepEqual([agent.kind, agent.agentOwn], ['agent', 'Crew'])
  const tool = read({
    attributes: { 'gen_ai.operation.name': 'execute_tool', 'gen_ai.tool.name': 'f', 'gen_ai.tool.args': '[1]' },
  })
  t.deepEqual(tool.content.toolArguments, [1])
})

test('Laminar: type, session, cost halves and the hour cache', (t) => {
  const event = read({
    scope: 'lmnr.sdk',
    attributes: {
      'lmnr.span.type': 'LLM',
      'gen_ai.system': 'anthropic',
      'gen_ai.request.model': 'claude-sonnet-4-5',
      'gen_ai.usage.input_tokens': 1_000,
      'gen_ai.usage.output_tokens': 50,
      'gen_ai.usage.cache_creation.input_tokens': 300,
      'gen_ai.usage.cache_creation.input_tokens.ephemeral_5m': 100,
      'gen_ai.usage.cache_creation.input_tokens.ephemeral_1h': 200,
      'gen_ai.usage.input_cost': 0.1,
      'gen_ai.usage.output_cost': 0.2,
      'anthropic.response.service_tier': 'priority',
      'gen_ai.request.batch': true,
      'lmnr.association.properties.session_id': 's-9',
      'lmnr.span.input': json([{ role: 'user', content: 'Hi' }]),
      'lmnr.span.output': json('Hello'),
    },
  })
  t.is(event.kind, 'llm')
  t.deepEqual(counts(event.usage), [1_000, 50, null, 300, null])
  t.is(event.usage.cacheWrite1hTokens, 200)
  t.true(Math.abs((event.providedCostUsd ?? 0) - 0.3) < 1e-9)
  t.is(event.serviceTier, 'priority')
  t.true(event.batch)
  t.is(event.sessionId, 's-9')
  const thoughts = read({
    attributes: { 'lmnr.span.path': ['gemini'], 'gen_ai.usage.output_tokens': 182, 'llm.usage.reasoning_tokens': 64 },
  })
  t.deepEqual(counts(thoughts.usage), [null, 182, null, null, 64])
  t.deepEqual(event.content.inputMessages, [{ role: 'user', parts: [{ type: 'text', text: 'Hi' }] }])
  t.is(read({ attributes: { 'lmnr.span.type': 'TOOL' }, name: 'grep' }).toolName, 'grep')
})

test("Traceloop: LangChain's name of an agent is that of its own spans", (t) => {
  const agentOf = (scope: string) =>
    read({
      scope,
      attributes: {
        'gen_ai.operation.name': 'chat',
        'traceloop.association.properties.lc_agent_name': 'researcher',
        'traceloop.workflow.name': 'supervisor',
      },
    }).agentOwn
  t.is(agentOf('opentelemetry.instrumentation.langchain'), 'researcher')
  // Spans inside a LangChain agent inherit its properties, even with another agent in between.
  t.is(agentOf('opentelemetry.instrumentation.openai.v1'), 'supervisor')
})

test('Traceloop: a tool of LangChain for JavaScript has the name of the message that it returns, not that of its class', (t) => {
  const callOf = (id: string, kwargs: object) =>
    read({
      scope: '@traceloop/instrumentation-langchain',
      name: 'execute_tool DynamicStructuredTool',
      attributes: {
        'gen_ai.operation.name': 'execute_tool',
        'traceloop.span.kind': 'task',
        'traceloop.entity.name': 'DynamicStructuredTool',
        'traceloop.entity.input': json({ args: [json({ city: 'Paris' })] }),
        'traceloop.entity.output': json({ lc: 1, kwargs: { tool_call_id: id, content: 'Sunny', ...kwargs } }),
      },
    })
  const [one, other] = [callOf('call-1', { name: 'get_weather' }), callOf('call-2', { name: 'get_weather' })]
  t.deepEqual([one.kind, one.toolName, one.toolCallId], ['tool', 'get_weather', 'call-1'])
  t.deepEqual([one.inputHash, one.contentHash], [other.inputHash, other.contentHash])
  t.is(one.content.toolResult, 'Sunny')
  t.is(callOf('call-1', {}).toolName, 'DynamicStructuredTool')
})

test("an embedding stays one where OpenInference's span processor calls each call of Traceloop or OpenTelemetry LLM", (t) => {
  const kindOf = (attributes: { readonly [name: string]: string }) =>
    read({
      scope: 'opentelemetry.instrumentation.openai.v1',
      attributes: { 'openinference.span.kind': 'LLM', 'gen_ai.usage.input_tokens': '515', ...attributes },
    }).kind
  t.is(kindOf({ 'llm.request.type': 'embedding' }), 'embedding')
  t.is(kindOf({ 'gen_ai.operation.name': 'embeddings' }), 'embedding')
  t.is(kindOf({ 'llm.request.type': 'chat' }), 'llm')
  t.is(kindOf({ 'gen_ai.operation.name': 'chat' }), 'llm')
})

test('OpenAI Agents: of a session in real time, an answer is a call, and its audio is none', (t) => {
  const span = (attributes: { readonly [key: string]: string | number }, name = 'openai.realtime') =>
    read({
      name,
      scope: 'opentelemetry.instrumentation.openai_agents',
      attributes: { 'gen_ai.operation.name': 'realtime', 'gen_ai.provider.name': 'openai', ...attributes },
    })
  const models = {
    'gen_ai.request.model': 'gpt-4o-realtime-preview',
    'gen_ai.response.model': 'gpt-4o-realtime-preview',
  }
  const answer = span({
    ...models,
    'gen_ai.usage.input_tokens': 500,
    'gen_ai.usage.output_tokens': 90,
    'gen_ai.usage.total_tokens': 590,
  })
  t.deepEqual([answer.kind, answer.model, answer.provider], ['llm', 'gpt-4o-realtime-preview', 'openai'])
  t.deepEqual(counts(answer.usage), [500, 90, null, null, null])
  t.is(span({}).kind, 'other')
  t.is(span(models, 'session').kind, 'other', 'of another sender')
})

test('a call of the SDK for Go: its vendor, the model that was asked for, and its messages under the first names', (t) => {
  const event = read({
    name: 'openai.chat',
    scope: 'traceloop.tracer',
    attributes: {
      'traceloop.workflow.name': 'weather',
      'llm.vendor': 'openai',
      'llm.request.type': 'chat',
      'llm.request.model': 'gpt-4o-mini',
      'llm.response.model': 'gpt-4o-mini-2024-07-18',
      'llm.usage.prompt_tokens': 82,
      'llm.usage.completion_tokens': 17,
      'llm.usage.total_tokens': 99,
      'llm.prompts.0.role': 'user',
      'llm.prompts.0.content': 'Weather in Paris?',
      'llm.completions.0.role': 'assistant',
      'llm.completions.0.content': '',
      'llm.completions.0.tool_calls.0.id': 'call_1',
      'llm.completions.0.tool_calls.0.type': 'function',
      'llm.completions.0.tool_calls.0.name': 'get_weather',
      'llm.completions.0.tool_calls.0.arguments': '{"city":"Paris"}',
    },
  })
  t.like(event, { kind: 'llm', provider: 'openai', requestModel: 'gpt-4o-mini', model: 'gpt-4o-mini-2024-07-18' })
  t.deepEqual(event.toolRequests, [{ id: 'call_1', name: 'get_weather' }])
  t.deepEqual(event.content.inputMessages, [{ role: 'user', parts: [{ type: 'text', text: 'Weather in Paris?' }] }])
  t.deepEqual(event.content.outputMessages, [
    {
      role: 'assistant',
      parts: [{ type: 'tool_call', id: 'call_1', name: 'get_weather', arguments: { city: 'Paris' } }],
    },
  ])
})

test('an embedding on Bedrock is none of the completions that Traceloop calls it', (t) => {
  const call = (model: string, scope = 'opentelemetry.instrumentation.bedrock') =>
    read({
      name: `text_completion ${model}`,
      scope,
      attributes: {
        'gen_ai.operation.name': 'text_completion',
        'gen_ai.request.model': model,
        'gen_ai.usage.input_tokens': 12,
      },
    })
  const { kind, usage } = call('titan-embed-text-v2:0')
  t.deepEqual([kind, usage.inputTokens], ['embedding', 12])
  t.is(call('embed-english-v3').kind, 'embedding')
  t.is(call('titan-text-express-v1').kind, 'llm')
  t.is(call('titan-embed-text-v2:0', 'another').kind, 'llm')
})
