import test from 'ava'
import { counts, json, read, type SpanGiven } from './_span.ts'

test('Pydantic AI: agent run, model request and tool of the event form', (t) => {
  const scope = 'pydantic-ai'
  const agent = read({
    name: 'agent run',
    scope,
    attributes: {
      agent_name: 'helper',
      model_name: 'gpt-4o',
      'gen_ai.usage.input_tokens': 30,
      all_messages_events: json([
        { content: 'Hi', role: 'user', 'event.name': 'gen_ai.user.message', 'gen_ai.message.index': 0 },
        { role: 'assistant', content: 'Hello', 'event.name': 'gen_ai.assistant.message', 'gen_ai.message.index': 1 },
      ]),
      final_result: 'Hello',
    },
  })
  t.deepEqual([agent.kind, agent.agentOwn, agent.requestModel], ['agent', 'helper', 'gpt-4o'])
  t.deepEqual(agent.content.inputMessages, [
    { role: 'user', parts: [{ type: 'text', text: 'Hi' }] },
    { role: 'assistant', parts: [{ type: 'text', text: 'Hello' }] },
  ])
  t.deepEqual(agent.content.outputMessages, [{ role: 'assistant', parts: [{ type: 'text', text: 'Hello' }] }])
  const call = read({
    name: 'chat gpt-4o',
    scope,
    attributes: {
      'gen_ai.operation.name': 'chat',
      'gen_ai.system': 'google-gla',
      'gen_ai.request.model': 'gemini-2.5-pro',
      'gen_ai.usage.input_tokens': 30,
      'gen_ai.usage.output_tokens': 9,
      'gen_ai.usage.details.cache_read_tokens': 12,
      'gen_ai.usage.details.reasoning_tokens': 4,
      'operation.cost': 0.004,
      events: json([
        { content: 'Hi', role: 'user', 'event.name': 'gen_ai.user.message', 'gen_ai.message.index': 0 },
        {
          index: 0,
          message: {
            role: 'assistant',
            tool_calls: [{ id: 'c1', type: 'function', function: { name: 'roll', arguments: '{}' } }],
          },
          'event.name': 'gen_ai.choice',
        },
      ]),
    },
  })
  t.is(call.provider, 'gcp.gemini')
  t.deepEqual(counts(call.usage), [30, 9, 12, null, 4])
  t.is(call.providedCostUsd, 0.004)
  t.deepEqual(call.content.inputMessages, [{ role: 'user', parts: [{ type: 'text', text: 'Hi' }] }])
  t.deepEqual(call.content.outputMessages, [
    { role: 'assistant', parts: [{ type: 'tool_call', id: 'c1', name: 'roll', arguments: {} }] },
  ])
  const tool = read({
    name: 'running tool',
    scope,
    attributes: {
      'gen_ai.tool.name': 'roll',
      'gen_ai.tool.call.id': 'c1',
      tool_arguments: '{"sides":6}',
      tool_response: '4',
    },
  })
  t.deepEqual(
    [tool.kind, tool.toolName, tool.content.toolArguments, tool.content.toolResult],
    ['tool', 'roll', { sides: 6 }, 4],
  )
})

test('Pydantic AI: the newer form keeps all messages on the agent in the current OpenTelemetry form', (t) => {
  const event = read({
    name: 'invoke_agent helper',
    scope: 'pydantic-ai',
    attributes: {
      'gen_ai.operation.name': 'invoke_agent',
      'gen_ai.agent.name': 'helper',
      'pydantic_ai.all_messages': json([{ role: 'user', parts: [{ type: 'text', content: 'Hi' }] }]),
    },
  })
  t.deepEqual(event.content.inputMessages, [{ role: 'user', parts: [{ type: 'text', text: 'Hi' }] }])
})

test('Claude Code: counts are beside the cache, names are bare', (t) => {
  const scope = 'com.anthropic.claude_code.tracing'
  const event = read({
    name: 'claude_code.llm_request',
    scope,
    attributes: {
      'session.id': 's-1',
      'user.id': 'u-1',
      'gen_ai.system': 'anthropic',
      model: 'claude-opus-5',
      input_tokens: 5_000,
      output_tokens: 1_200,
      cache_read_tokens: 3_000,
      cache_creation_tokens: 700,
      ttft_ms: 900,
      stop_reason: 'tool_use',
      success: true,
      query_source: 'agent:builtin:explore',
      'response.model_output': 'Looking.',
    },
  })
  t.is(event.kind, 'llm')
  t.deepEqual([event.provider, event.model], ['anthropic', 'claude-opus-5'])
  t.deepEqual(counts(event.usage), [8_700, 1_200, 3_000, 700, null])
  t.true(event.flags.has('usage_adjusted'))
  t.is(event.ttftMs, 900)
  t.deepEqual(event.finishReasons, ['tool_use'])
  t.is(event.agentOwn, 'builtin:explore')
  t.is(event.status, 'ok')
  t.deepEqual(event.content.outputMessages, [{ role: 'assistant', parts: [{ type: 'text', text: 'Looking.' }] }])
  const tool = read({
    name: 'claude_code.tool',
    scope,
    attributes: {
      tool_name: 'Bash',
      tool_use_id: 'toolu_1',
      tool_input: '{"command":"ls"}',
      success: 'false',
      error: 'no',
    },
    events: [{ name: 'tool.output', attributes: { output: 'a.txt' } }],
  })
  t.deepEqual([tool.kind, tool.toolName, tool.toolCallId], ['tool', 'Bash', 'toolu_1'])
  t.deepEqual(tool.content.toolArguments, { command: 'ls' })
  t.is(tool.content.toolResult, 'a.txt')
  t.deepEqual([tool.status, tool.errorMessage], ['error', 'no'])
  const waiting = read({ name: 'claude_code.tool.blocked_on_user', scope })
  t.deepEqual([waiting.kind, waiting.toolName], ['tool', null])
  const turn = read({
    name: 'claude_code.interaction',
    scope,
    attributes: { user_prompt: 'fix it', query_source: 'main' },
  })
  t.deepEqual([turn.kind, turn.agentOwn], ['chain', null])
  t.deepEqual(turn.content.inputMessages, [{ role: 'user', parts: [{ type: 'text', text: 'fix it' }] }])
  t.is(read({ name: 'claude_code.hook', scope }).kind, 'other')
})

test('Strands: Bedrock counts beside the cache, Bedrock messages in events, tool input as an event', (t) => {
  const scope = 'strands.telemetry.tracer'
  const event = read({
    name: 'chat',
    scope,
    attributes: {
      'gen_ai.operation.name': 'chat',
      'gen_ai.system': 'strands-agents',
      'gen_ai.request.model': 'us.anthropic.claude-sonnet-4-20250514-v1:0',
      'gen_ai.usage.input_tokens': 1_000,
      'gen_ai.usage.output_tokens': 100,
      'gen_ai.usage.total_tokens': 1_900,
      'gen_ai.usage.cache_read_input_tokens': 500,
      'gen_ai.usage.cache_write_input_tokens': 300,
      'gen_ai.server.time_to_first_token': 640,
    },
    events: [
      { name: 'gen_ai.user.message', attributes: { content: json([{ text: 'Hi' }]) } },
      {
        name: 'gen_ai.choice',
        attributes: {
          finish_reason: 'tool_use',
          message: json([{ text: 'Sure.' }, { toolUse: { toolUseId: 'c1', name: 'calc', input: { x: 1 } } }]),
        },
      },
    ],
  })
  t.is(event.kind, 'llm')
  t.is(event.provider, null)
  t.deepEqual(counts(event.usage), [1_800, 100, 500, 300, null])
  t.is(event.ttftMs, 640)
  t.deepEqual(event.finishReasons, ['tool_use'])
  t.deepEqual(event.content.inputMessages, [{ role: 'user', parts: [{ type: 'text', text: 'Hi' }] }])
  t.deepEqual(event.content.outputMessages, [
    {
      role: 'assistant',
      parts: [
        { type: 'text', text: 'Sure.' },
        { type: 'tool_call', id: 'c1', name: 'calc', arguments: { x: 1 } },
      ],
    },
  ])
  const tool = read({
    name: 'execute_tool calc',
    scope,
    attributes: { 'gen_ai.operation.name': 'execute_tool', 'gen_ai.tool.name': 'calc', 'gen_ai.tool.call.id': 'c1' },
    events: [
      { name: 'gen_ai.tool.message', attributes: { role: 'tool', content: '{"x":1}', id: 'c1' } },
      { name: 'gen_ai.choice', attributes: { message: json([{ text: '2' }]), id: 'c1' } },
    ],
  })
  t.deepEqual(tool.content.toolArguments, { x: 1 })
  t.deepEqual(tool.content.toolResult, [{ text: '2' }])
  t.regex(tool.inputHash ?? '', /^sha256:[0-9a-f]{64}$/)
})

test('a tool span that has only messages is read from them', (t) => {
  const event = read({
    attributes: {
      'gen_ai.operation.name': 'execute_tool',
      'gen_ai.tool.name': 'calc',
      'gen_ai.input.messages': json([
        { role: 'tool', parts: [{ type: 'tool_call', id: 'c1', name: 'calc', arguments: { x: 1 } }] },
      ]),
      'gen_ai.output.messages': json([
        { role: 'tool', parts: [{ type: 'tool_call_response', id: 'c1', response: '2' }] },
      ]),
    },
  })
  t.deepEqual(event.content.toolArguments, { x: 1 })
  t.is(event.content.toolResult, '2')
  t.truthy(event.inputHash)
})

test('Google ADK: Gemini requests and responses, thoughts beside the answer', (t) => {
  const event = read({
    name: 'call_llm',
    scope: 'gcp.vertex.agent',
    attributes: {
      'gen_ai.system': 'gcp.vertex.agent',
      'gen_ai.request.model': 'gemini-2.5-flash',
      'gcp.vertex.agent.llm_request': json({
        model: 'gemini-2.5-flash',
        config: { system_instruction: 'Be brief.' },
        contents: [
          { role: 'user', parts: [{ text: 'Hi' }, { inline_data: { mime_type: 'image/png', data: 'QUJDRA==' } }] },
          { role: 'model', parts: [{ function_call: { id: 'c1', name: 'f', args: { a: 1 } } }] },
          { role: 'user', parts: [{ function_response: { id: 'c1', name: 'f', response: { r: 2 } } }] },
        ],
      }),
      'gcp.vertex.agent.llm_response': json({
        content: { role: 'model', parts: [{ text: 'Hm.', thought: true }, { text: 'Hello' }] },
        usage_metadata: {
          prompt_token_count: 100,
          candidates_token_count: 50,
          thoughts_token_count: 20,
          cached_content_token_count: 64,
          total_token_count: 170,
        },
      }),
    },
  })
  t.is(event.kind, 'llm')
  t.deepEqual(counts(event.usage), [100, 70, 64, null, 20])
  t.true(event.flags.has('usage_adjusted'))
  t.deepEqual(event.content.inputMessages, [
    { role: 'system', parts: [{ type: 'text', text: 'Be brief.' }] },
    {
      role: 'user',
      parts: [
        { type: 'text', text: 'Hi' },
        { type: 'blob', mime_type: 'image/png', bytes: 4 },
      ],
    },
    { role: 'assistant', parts: [{ type: 'tool_call', id: 'c1', name: 'f', arguments: { a: 1 } }] },
    { role: 'user', parts: [{ type: 'tool_result', id: 'c1', result: { r: 2 } }] },
  ])
  t.deepEqual(event.content.outputMessages, [
    {
      role: 'assistant',
      parts: [
        { type: 'reasoning', text: 'Hm.' },
        { type: 'text', text: 'Hello' },
      ],
    },
  ])
  const tool = read({
    name: 'execute_tool f',
    scope: 'gcp.vertex.agent',
    attributes: { 'gcp.vertex.agent.tool_call_args': '{"a":1}', 'gcp.vertex.agent.tool_response': '{"r":2}' },
  })
  t.deepEqual(
    [tool.kind, tool.toolName, tool.content.toolArguments, tool.content.toolResult],
    ['tool', 'f', { a: 1 }, { r: 2 }],
  )
})

test("OpenLIT: Anthropic's input lacks the cache, and a cost of 0 is none", (t) => {
  const call = (scope: string, provider: string) =>
    read({
      scope,
      attributes: {
        'gen_ai.operation.name': 'chat',
        'gen_ai.provider.name': provider,
        'gen_ai.usage.input_tokens': 5_009,
        'gen_ai.usage.output_tokens': 129,
        'gen_ai.client.token.usage': 5_138,
        'gen_ai.usage.cache_read.input_tokens': 400,
        'gen_ai.usage.cache_creation.input_tokens': 300,
        'gen_ai.usage.cost': 0,
      },
    })
  for (const scope of ['openlit.instrumentation.anthropic', 'openlit.otel.tracing']) {
    const event = call(scope, 'anthropic')
    t.deepEqual(counts(event.usage), [5_709, 129, 400, 300, null])
    t.is(event.providedCostUsd, null)
    t.deepEqual([...event.flags], ['usage_adjusted'])
  }
  t.is(call('openlit.otel.tracing', 'openai').usage.inputTokens, 5_009)
  t.is(call('openlit.instrumentation.langchain', 'anthropic').usage.inputTokens, 5_009)
})

test('a failed call without attributes is known by its name', (t) => {
  const failed = (name: string, given: SpanGiven = {}) => {
    const { kind, operation, requestModel, model } = read({ name, statusCode: 2, ...given })
    return [kind, operation, requestModel, model]
  }
  const sonnet = ['llm', 'chat', 'claude-sonnet-4-5', 'claude-sonnet-4-5']
  t.deepEqual(failed('chat claude-sonnet-4-5'), sonnet)
  t.deepEqual(failed('chat claude-sonnet-4-5', { attributes: { 'session.id': 's-1' } }), sonnet)
  t.deepEqual(failed('embeddings text-embedding-3-small'), [
    'embedding',
    'embeddings',
    'text-embedding-3-small',
    'text-embedding-3-small',
  ])
  t.deepEqual(failed('text_completion davinci-002').slice(0, 2), ['llm', 'text_completion'])
  const none = ['other', null, null, null]
  t.deepEqual(failed('chat claude-sonnet-4-5', { statusCode: 1 }), none)
  t.deepEqual(failed('chat'), none)
  t.deepEqual(failed('chat with a friend'), none)
  t.deepEqual(failed('chat room-7', { spanKind: 2, attributes: { 'http.route': '/chat' } }), none)
})

test('a failed call has the model of its parameters where nothing else names one', (t) => {
  const event = read({
    name: 'ChatCompletion',
    statusCode: 2,
    attributes: { 'openinference.span.kind': 'LLM', 'llm.invocation_parameters': json({ model: 'gpt-4o-mini' }) },
  })
  t.deepEqual([event.requestModel, event.model], ['gpt-4o-mini', 'gpt-4o-mini'])
  const odd = read({ attributes: { 'openinference.span.kind': 'LLM', 'llm.invocation_parameters': '{"model":3}' } })
  t.is(odd.model, null)
})

test('OpenTelemetry for the Agents SDK of OpenAI: its stand-in names no agent, and a handoff is a tool', (t) => {
  const own = {
    'gen_ai.provider.name': 'openai',
    'gen_ai.agent.name': 'OpenAI Agent',
    'gen_ai.agent.description': 'OpenAI Agents instrumentation',
  }
  const scope = 'opentelemetry.instrumentation.openai_agents'
  const named = (operation: string, more: SpanGiven['attributes'] = {}) =>
    read({ scope, name: `${operation} x`, attributes: { ...own, 'gen_ai.operation.name': operation, ...more } })
  t.is(named('chat', { 'gen_ai.request.model': 'gpt-5-mini' }).agentOwn, null)
  t.is(named('execute_tool', { 'gen_ai.tool.name': 'get_weather' }).agentOwn, null)
  t.is(named('invoke_agent', { 'gen_ai.agent.name': 'researcher' }).agentOwn, 'researcher')
  // An application may give the same name to all spans and to an agent.
  t.is(named('chat', { 'gen_ai.agent.name': 'support' }).agentOwn, 'support')
  t.is(named('invoke_agent').agentOwn, 'OpenAI Agent')
  const { 'gen_ai.agent.description': _, ...others } = own
  t.is(read({ scope, attributes: { ...others, 'gen_ai.operation.name': 'chat' } }).agentOwn, 'OpenAI Agent')
  const handoff = named('agent_handoff', { 'gen_ai.handoff.from_agent': 'supervisor', 'gen_ai.handoff.to_agent': 'b' })
  t.deepEqual([handoff.kind, handoff.toolName, handoff.agentOwn], ['tool', 'handoff to b', null])
})

test('a class that Python prints as the type of an error goes by its name', (t) => {
  const typeOf = (type: string) =>
    read({
      name: 'chat gpt-4o-mini',
      statusCode: 2,
      attributes: { 'gen_ai.operation.name': 'chat', 'error.type': type },
    }).errorType
  t.is(typeOf("<class 'openai.RateLimitError'>"), 'openai.RateLimitError')
  t.is(typeOf('RateLimitError'), 'RateLimitError')
  t.is(typeOf("<class ''>"), "<class ''>")
})
