import test from 'ava'
import { hashInput } from '../../src/event/canonical-json.ts'
import { cutEvent } from '../../src/normalise/cut-event.ts'
import { normalise } from '../../src/normalise/normalise.ts'
import { counts, json, makeSpan, read } from './_span.ts'

test('the current OpenTelemetry form is read in full', (t) => {
  const event = read({
    name: 'chat gpt-4o',
    scope: 'opentelemetry.instrumentation.openai_v2',
    resource: { 'service.name': 'shop', 'service.version': '2.1', 'deployment.environment.name': 'prod' },
    attributes: {
      'gen_ai.operation.name': 'chat',
      'gen_ai.provider.name': 'openai',
      'gen_ai.request.model': 'gpt-4o',
      'gen_ai.response.model': 'gpt-4o-2024-08-06',
      'gen_ai.response.id': 'chatcmpl-1',
      'gen_ai.response.finish_reasons': ['stop', 'tool_calls'],
      'gen_ai.conversation.id': 'conv-1',
      'gen_ai.usage.input_tokens': 1_000,
      'gen_ai.usage.output_tokens': 200,
      'gen_ai.usage.cache_read.input_tokens': 600,
      'gen_ai.usage.cache_write.input_tokens': 100,
      'gen_ai.usage.reasoning.output_tokens': 50,
      'gen_ai.response.time_to_first_chunk': 0.25,
      'openai.response.service_tier': 'default',
      'user.id': 'u-1',
      'gen_ai.system_instructions': json([{ type: 'text', content: 'Be brief.' }]),
      'gen_ai.input.messages': json([
        { role: 'user', parts: [{ type: 'text', content: 'Weather in Paris?' }] },
        { role: 'assistant', parts: [{ type: 'tool_call', id: 'c1', name: 'weather', arguments: { city: 'Paris' } }] },
        { role: 'tool', parts: [{ type: 'tool_call_response', id: 'c1', response: 'rain' }] },
        { role: 'tool', parts: [{ type: 'tool_call_response', id: 'c2', result: { ok: true } }] },
      ]),
      'gen_ai.output.messages': json([
        {
          role: 'assistant',
          parts: [
            { type: 'reasoning', content: 'Hm.' },
            { type: 'text', content: 'Rainy.' },
          ],
          finish_reason: 'stop',
        },
      ]),
    },
  })
  t.is(event.kind, 'llm')
  t.is(event.operation, 'chat')
  t.is(event.provider, 'openai')
  t.is(event.requestModel, 'gpt-4o')
  t.is(event.model, 'gpt-4o-2024-08-06')
  t.is(event.responseId, 'chatcmpl-1')
  t.deepEqual(event.finishReasons, ['stop', 'tool_calls'])
  t.is(event.sessionId, 'conv-1')
  t.is(event.userId, 'u-1')
  t.deepEqual(counts(event.usage), [1_000, 200, 600, 100, 50])
  t.is(event.ttftMs, 250)
  t.is(event.serviceTier, 'default')
  t.false(event.batch)
  t.is(event.agentOwn, null)
  t.is(event.agentFallback, 'shop')
  t.is(event.agentVersion, '2.1')
  t.is(event.environment, 'prod')
  t.is(event.durationUs, 1_500)
  t.is(event.status, 'ok')
  t.deepEqual(event.content.inputMessages, [
    { role: 'system', parts: [{ type: 'text', text: 'Be brief.' }] },
    { role: 'user', parts: [{ type: 'text', text: 'Weather in Paris?' }] },
    { role: 'assistant', parts: [{ type: 'tool_call', id: 'c1', name: 'weather', arguments: { city: 'Paris' } }] },
    { role: 'tool', parts: [{ type: 'tool_result', id: 'c1', result: 'rain' }] },
    { role: 'tool', parts: [{ type: 'tool_result', id: 'c2', result: { ok: true } }] },
  ])
  t.deepEqual(event.content.outputMessages, [
    {
      role: 'assistant',
      parts: [
        { type: 'reasoning', text: 'Hm.' },
        { type: 'text', text: 'Rainy.' },
      ],
    },
  ])
  t.deepEqual([...event.flags], [])
})

test('messages may be structured values instead of JSON text', (t) => {
  const event = read({
    attributes: {
      'gen_ai.operation.name': 'chat',
      'gen_ai.input.messages': [{ role: 'user', parts: [{ type: 'text', content: 'Hi' }] }],
      'gen_ai.output.messages': [
        { role: 'assistant', parts: [{ type: 'tool_call', id: 'c', name: 'f', arguments: { n: 2n ** 60n } }] },
      ],
    },
  })
  t.deepEqual(event.content.inputMessages, [{ role: 'user', parts: [{ type: 'text', text: 'Hi' }] }])
  t.deepEqual(event.content.outputMessages, [
    { role: 'assistant', parts: [{ type: 'tool_call', id: 'c', name: 'f', arguments: { n: '1152921504606846976' } }] },
  ])
})

test('the older OpenTelemetry form has its messages in span events', (t) => {
  const event = read({
    name: 'chat claude',
    attributes: {
      'gen_ai.operation.name': 'chat',
      'gen_ai.system': 'anthropic',
      'gen_ai.request.model': 'claude-3-5-sonnet-latest',
      'gen_ai.usage.prompt_tokens': 12,
      'gen_ai.usage.completion_tokens': 7,
      'gen_ai.openai.response.service_tier': 'batch',
      'enduser.id': 'u-2',
    },
    events: [
      { name: 'gen_ai.system.message', attributes: { content: 'Be brief.' } },
      { name: 'gen_ai.user.message', attributes: { content: 'Hi' } },
      {
        name: 'gen_ai.assistant.message',
        attributes: {
          tool_calls: json([{ id: 'c1', type: 'function', function: { name: 'f', arguments: '{"a":1}' } }]),
        },
      },
      { name: 'gen_ai.tool.message', attributes: { id: 'c1', content: 'done' } },
      {
        name: 'gen_ai.choice',
        attributes: { index: 0, finish_reason: 'stop', message: json({ role: 'assistant', content: 'Hello' }) },
      },
    ],
  })
  t.is(event.kind, 'llm')
  t.is(event.provider, 'anthropic')
  t.is(event.model, 'claude-3-5-sonnet-latest')
  t.deepEqual(counts(event.usage), [12, 7, null, null, null])
  t.deepEqual(event.finishReasons, ['stop'])
  t.true(event.batch)
  t.is(event.userId, 'u-2')
  t.deepEqual(event.content.inputMessages, [
    { role: 'system', parts: [{ type: 'text', text: 'Be brief.' }] },
    { role: 'user', parts: [{ type: 'text', text: 'Hi' }] },
    { role: 'assistant', parts: [{ type: 'tool_call', id: 'c1', name: 'f', arguments: { a: 1 } }] },
    { role: 'tool', parts: [{ type: 'tool_result', id: 'c1', result: 'done' }] },
  ])
  t.deepEqual(event.content.outputMessages, [{ role: 'assistant', parts: [{ type: 'text', text: 'Hello' }] }])
})

test('the details event carries messages in the current form, Azure puts its body in one attribute', (t) => {
  const details = read({
    attributes: { 'gen_ai.operation.name': 'chat' },
    events: [
      {
        name: 'gen_ai.client.inference.operation.details',
        attributes: {
          'gen_ai.input.messages': [{ role: 'user', parts: [{ type: 'text', content: 'Hi' }] }],
          'gen_ai.output.messages': json([{ role: 'assistant', parts: [{ type: 'text', content: 'Yo' }] }]),
        },
      },
    ],
  })
  t.deepEqual(details.content.inputMessages, [{ role: 'user', parts: [{ type: 'text', text: 'Hi' }] }])
  t.deepEqual(details.content.outputMessages, [{ role: 'assistant', parts: [{ type: 'text', text: 'Yo' }] }])
  const azure = read({
    attributes: { 'gen_ai.operation.name': 'chat', 'gen_ai.system': 'az.ai.inference' },
    events: [
      { name: 'gen_ai.user.message', attributes: { 'gen_ai.event.content': json({ role: 'user', content: 'Hi' }) } },
      {
        name: 'gen_ai.choice',
        attributes: { 'gen_ai.event.content': json({ message: { content: 'Yo' }, finish_reason: 'stop', index: 0 }) },
      },
    ],
  })
  t.is(azure.provider, 'azure.ai.inference')
  t.deepEqual(azure.content.inputMessages, [{ role: 'user', parts: [{ type: 'text', text: 'Hi' }] }])
  t.deepEqual(azure.content.outputMessages, [{ role: 'assistant', parts: [{ type: 'text', text: 'Yo' }] }])
})

test('each operation name gives its kind', (t) => {
  const kindOf = (operation: string) =>
    read({ attributes: { 'gen_ai.operation.name': operation, 'gen_ai.request.model': 'm' } }).kind
  for (const name of ['chat', 'text_completion', 'generate_content', 'completion', 'generate'])
    t.is(kindOf(name), 'llm')
  t.is(kindOf('embeddings'), 'embedding')
  t.is(kindOf('execute_tool'), 'tool')
  for (const name of ['invoke_agent', 'create_agent', 'agent', 'execute_task']) t.is(kindOf(name), 'agent')
  for (const name of ['invoke_workflow', 'plan', 'handle_conversation_turn', 'agent_step']) t.is(kindOf(name), 'chain')
  t.is(kindOf('retrieval'), 'retriever')
  t.is(kindOf('rerank'), 'reranker')
  t.is(kindOf('search_memory'), 'memory')
  t.is(kindOf('create_memory_store'), 'memory')
  t.is(kindOf('something_of_their_own'), 'other')
})

test('the id of an earlier response is no session: it is another one on each call', (t) => {
  const session = (id: string) => read({ attributes: { 'gen_ai.conversation.id': id } }).sessionId
  t.is(session('resp_68a1f0c2'), null)
  t.is(session('conv_68a1f0c2'), 'conv_68a1f0c2')
})

test('a session without an id is none', (t) => {
  const session = (id: string) =>
    read({ attributes: { 'session.id': id }, resource: { 'session.id': 'of-the-resource' } }).sessionId
  for (const id of ['null', 'None', 'undefined']) t.is(session(id), 'of-the-resource')
  t.is(session('nullable'), 'nullable')
  for (const id of ['null', 'None', 'undefined']) {
    t.is(read({ resource: { 'session.id': id } }).sessionId, null, 'of the resource')
  }
})

test('a placeholder does not hide the session beside it', (t) => {
  const session = (attributes: Record<string, string>) => read({ attributes }).sessionId
  t.is(session({ 'session.id': 'None', 'gen_ai.conversation.id': 'conv_1' }), 'conv_1')
  t.is(session({ 'gen_ai.conversation.id': 'resp_1', 'traceloop.association.properties.session_id': 's1' }), 's1')
  const ofCall = { 'gen_ai.response.id': 'call-1', 'session.id': 'call-1' }
  t.is(session({ ...ofCall, 'gen_ai.conversation.id': 'conv_1' }), 'conv_1')
  t.is(session(ofCall), null)
})

test('fetching a stored response has no usage of its own', (t) => {
  const event = read({ attributes: { 'gen_ai.operation.name': 'fetch_response', 'gen_ai.usage.input_tokens': 5 } })
  t.is(event.kind, 'other')
  t.deepEqual(counts(event.usage), [null, null, null, null, null])
})

test('without an operation, the attributes that are there tell the kind', (t) => {
  const kindOf = (name: string) => read({ attributes: { [name]: 'x' } }).kind
  t.is(kindOf('gen_ai.tool.call.id'), 'tool')
  t.is(kindOf('gen_ai.tool.call.arguments'), 'tool')
  t.is(kindOf('tracewright.tool.input_hash'), 'tool')
  t.is(kindOf('gen_ai.retrieval.query.text'), 'retriever')
  t.is(kindOf('gen_ai.response.model'), 'llm')
  t.is(kindOf('gen_ai.input.messages'), 'llm')
  t.is(kindOf('http.request.method'), 'other')
  t.is(kindOf('model'), 'other')
})

test('integers in JSON text that a double does not hold are kept as text', (t) => {
  const digits = ['1234567890123456789', '-9007199254740993', `1${'0'.repeat(30)}1`]
  const { content, inputHash } = read({
    name: 'execute_tool find',
    attributes: {
      'gen_ai.operation.name': 'execute_tool',
      'gen_ai.tool.call.arguments': `{"ids":[${digits.join()}],"exact":[9007199254740992,1234567890123456],"share":0.12345678901234567}`,
    },
  })
  t.deepEqual(content.toolArguments, {
    ids: digits,
    exact: [9_007_199_254_740_992, 1_234_567_890_123_456],
    share: Number('0.12345678901234567'),
  })
  t.is(inputHash, hashInput(content.toolArguments), 'the hash is that of the exact values')
})

test('a tool span and an agent span of the current form', (t) => {
  const tool = read({
    name: 'execute_tool weather',
    attributes: {
      'gen_ai.operation.name': 'execute_tool',
      'gen_ai.tool.call.id': 'c1',
      'gen_ai.tool.call.arguments': '{"city":"Paris"}',
      'gen_ai.tool.call.result': { sky: 'rain' },
    },
  })
  t.is(tool.kind, 'tool')
  t.is(tool.toolName, 'weather')
  t.is(tool.toolCallId, 'c1')
  t.deepEqual(tool.content.toolArguments, { city: 'Paris' })
  t.deepEqual(tool.content.toolResult, { sky: 'rain' })
  t.is(tool.content.inputMessages, null)
  const agent = read({
    attributes: {
      'gen_ai.operation.name': 'invoke_agent',
      'gen_ai.agent.name': 'Planner',
      'gen_ai.agent.version': '7',
      'gen_ai.usage.input_tokens': 9,
    },
    resource: { 'gen_ai.main_agent.name': 'Boss', 'service.name': 'svc' },
  })
  t.is(agent.kind, 'agent')
  t.is(agent.agentOwn, 'Planner')
  t.is(agent.agentFallback, 'Boss')
  t.is(agent.agentVersion, '7')
  t.is(agent.usage.inputTokens, 9)
})

test('each span of a resource gets the values of the resource, and the flag if one of them is too long', (t) => {
  const first = makeSpan({ resource: { 'service.name': 'shop', 'service.version': '2'.repeat(300) } })
  const second = { ...makeSpan({ attributes: { 'gen_ai.agent.version': '7' } }), resource: first.resource }
  const third = { ...makeSpan(), resource: first.resource }
  const events = [first, second, third].map((span) => normalise(span))
  t.deepEqual(
    events.map(({ agentFallback, agentVersion, flags }) => [agentFallback, agentVersion?.[0], flags.has('truncated')]),
    [
      ['shop', '2', true],
      ['shop', '7', false],
      ['shop', '2', true],
    ],
  )
})

test('an MCP client span is a tool call only where it calls a tool', (t) => {
  const call = read({
    name: 'tools/call search',
    attributes: { 'mcp.method.name': 'tools/call', 'gen_ai.tool.call.arguments': '{"q":1}', 'mcp.session.id': 's' },
  })
  t.is(call.kind, 'tool')
  t.is(call.toolName, 'search')
  t.is(call.toolCallId, null)
  t.deepEqual(call.content.toolArguments, { q: 1 })
  t.is(read({ name: 'initialize', attributes: { 'mcp.method.name': 'initialize' } }).kind, 'other')
  const ofPython = read({
    name: 'MCP send tools/call search',
    scope: 'mcp-python-sdk',
    attributes: { 'mcp.method.name': 'tools/call', 'jsonrpc.request.id': '2' },
  })
  t.deepEqual([ofPython.kind, ofPython.toolName], ['tool', 'search'])
})

test('every sign of failure makes an error, with the type and message that are there', (t) => {
  const byStatus = read({ statusCode: 2, statusMessage: 'boom' })
  t.is(byStatus.status, 'error')
  t.is(byStatus.errorMessage, 'boom')
  const byType = read({ attributes: { 'error.type': 'timeout' } })
  t.is(byType.status, 'error')
  t.is(byType.errorType, 'timeout')
  const byException = read({
    events: [{ name: 'exception', attributes: { 'exception.type': 'ValueError', 'exception.message': 'bad' } }],
  })
  t.deepEqual([byException.status, byException.errorType, byException.errorMessage], ['error', 'ValueError', 'bad'])
  t.is(read({ attributes: { 'ai.response.finishReason': 'error' } }).status, 'error')
  const langfuse = read({
    attributes: { 'langfuse.observation.level': 'ERROR', 'langfuse.observation.status_message': 'refused' },
  })
  t.deepEqual([langfuse.status, langfuse.errorMessage], ['error', 'refused'])
  const fine = read({ statusCode: 1, statusMessage: 'all well', attributes: { success: false } })
  t.deepEqual([fine.status, fine.errorType, fine.errorMessage], ['ok', null, null])
})

test('a duration is in whole microseconds, and unknown where the decoder found the end unbelievable', (t) => {
  t.is(read({ start: 5_000n, end: 5_000n }).durationUs, 0)
  t.is(read({ start: 5_000n, end: 7_999n }).durationUs, 2)
  const span = makeSpan({ start: 2_000n, end: 1_000n })
  span.flags.add('duration_unknown')
  t.is(normalise(span).durationUs, null)
})

test('names that become columns are cut between code points, and flagged', (t) => {
  const event = cutEvent(
    read({
      attributes: {
        'gen_ai.agent.name': `${'a'.repeat(255)}😀b`,
        'error.type': 'x',
        'tracewright.consumed_tool_call_ids': ['c'.repeat(300)],
      },
      statusCode: 2,
      statusMessage: 'm'.repeat(5_000),
    }),
  )
  t.is(event.agentOwn, 'a'.repeat(255))
  t.is(event.errorMessage?.length, 2_048)
  t.true(event.flags.has('truncated'))
  const short = read({ attributes: { 'gen_ai.agent.name': 'a'.repeat(256) } })
  t.is(cutEvent(short), short)
})
