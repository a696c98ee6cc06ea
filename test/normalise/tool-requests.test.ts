import test from 'ava'
import { json, type Plain, read } from './_span.ts'

const call = (attributes: Record<string, string>, scope = ''): unknown =>
  read({ scope, attributes: { 'gen_ai.operation.name': 'chat', ...attributes } }).toolRequests

const asked = [{ id: 'c1', name: 'search' }]

test('requests are read from the answers of every dialect', (t) => {
  const openAi = {
    role: 'assistant',
    tool_calls: [{ id: 'c1', type: 'function', function: { name: 'search', arguments: '{}' } }],
  }
  const anthropic = { role: 'assistant', content: [{ type: 'tool_use', id: 'c1', name: 'search', input: {} }] }
  const parts = [{ role: 'assistant', parts: [{ type: 'tool_call', id: 'c1', name: 'search', arguments: {} }] }]
  t.deepEqual(call({ 'gen_ai.output.messages': json(parts) }), asked)
  t.deepEqual(call({ 'output.value': json({ choices: [{ message: openAi }] }) }), asked)
  t.deepEqual(call({ 'output.value': json(anthropic) }), asked)
  t.deepEqual(
    call({
      'llm.output_messages.0.message.role': 'assistant',
      'llm.output_messages.0.message.tool_calls.0.tool_call.id': 'c1',
      'llm.output_messages.0.message.tool_calls.0.tool_call.function.name': 'search',
    }),
    asked,
  )
  t.deepEqual(
    call({
      'gen_ai.completion.0.role': 'assistant',
      'gen_ai.completion.0.tool_calls.0.id': 'c1',
      'gen_ai.completion.0.tool_calls.0.name': 'search',
    }),
    asked,
  )
  t.deepEqual(call({ 'ai.response.toolCalls': json([{ toolCallId: 'c1', toolName: 'search', args: '{}' }]) }), asked)
  t.deepEqual(
    read({
      attributes: { 'gen_ai.operation.name': 'chat' },
      events: [{ name: 'gen_ai.choice', attributes: { message: json(openAi) } }],
    }).toolRequests,
    asked,
  )
})

test('OpenInference: requests that the flattened messages leave out are read from the whole answer', (t) => {
  const answer = json({
    choices: [
      { message: { role: 'assistant', tool_calls: [{ id: 'c1', function: { name: 'search', arguments: '{}' } }] } },
    ],
  })
  const flat = { 'llm.output_messages.0.message.role': 'assistant', 'output.value': answer }
  t.deepEqual(call({ ...flat, 'llm.finish_reason': 'tool_calls' }), asked)
  t.deepEqual(call({ ...flat, 'llm.finish_reason': 'stop' }), [], 'an answer that quotes one')
  const told = { 'llm.output_messages.0.message.tool_calls.0.tool_call.function.name': 'fetch' }
  t.deepEqual(call({ ...flat, ...told, 'llm.finish_reason': 'tool_calls' }), [{ id: null, name: 'fetch' }])
})

test('on a model call the attributes of a tool call name what was asked for, where its answer does not', (t) => {
  const named = { 'gen_ai.tool.name': 'search', 'gen_ai.tool.call.id': 'c1', 'gen_ai.tool.args': '{}' }
  t.deepEqual(call(named), asked)
  t.deepEqual(call({ ...named, 'gen_ai.tool.name': 'search, open', 'gen_ai.tool.call.id': 'c1, c2' }), [
    ...asked,
    { id: 'c2', name: 'open' },
  ])
  const parts = [{ role: 'assistant', parts: [{ type: 'tool_call', id: 'c3', name: 'open', arguments: {} }] }]
  t.deepEqual(call({ ...named, 'gen_ai.output.messages': json(parts) }), [{ id: 'c3', name: 'open' }])
  t.deepEqual(call({ 'gen_ai.tool.name': 'search' }), [])
  t.deepEqual(call({ ...named, 'gen_ai.tool.call.id': 'c1, c2' }), [], 'not as many ids as names')
  t.deepEqual(read({ attributes: { ...named, 'gen_ai.operation.name': 'execute_tool' } }).toolRequests, [])
})

test('what is asked of the model, what it says and what others say are no requests', (t) => {
  const history = json([{ role: 'assistant', parts: [{ type: 'tool_call', id: 'c1', name: 'search', arguments: {} }] }])
  t.deepEqual(call({ 'gen_ai.input.messages': history }), [])
  const text = json([{ role: 'assistant', parts: [{ type: 'text', content: 'I would make a tool_call to search.' }] }])
  t.deepEqual(call({ 'gen_ai.output.messages': text }), [])
  const agent = { 'gen_ai.operation.name': 'invoke_agent', 'gen_ai.output.messages': history }
  t.deepEqual(read({ attributes: agent }).toolRequests, [])
})

test('requests are bounded, and their texts are lines', (t) => {
  const many = Array.from({ length: 200 }, (_, at) => ({
    type: 'tool_call',
    id: `c${at}`,
    name: 'a\tb\nc',
    arguments: {},
  }))
  const { toolRequests, flags } = read({
    attributes: {
      'gen_ai.operation.name': 'chat',
      'gen_ai.output.messages': json([{ role: 'assistant', parts: many }]),
    },
  })
  t.is(toolRequests.length, 128)
  t.true(flags.has('truncated'))
  t.deepEqual(toolRequests[0], { id: 'c0', name: 'a b c' })
})

test('a request that an answer tells among its contents and in its list of calls is one', (t) => {
  const use = { type: 'tool_use', id: 'c1', name: 'search', input: {} }
  const listed = { id: 'c1', type: 'function', function: { name: 'search', arguments: '{}' } }
  const both = { role: 'assistant', content: [use], tool_calls: [listed] }
  t.deepEqual(call({ 'output.value': json(both) }), asked)
  const other = { ...listed, id: 'c2' }
  const more = [...asked, { id: 'c2', name: 'search' }]
  t.deepEqual(call({ 'output.value': json({ ...both, tool_calls: [listed, other] }) }), more)
  const alike = { role: 'assistant', content: 'I search.', tool_calls: [listed, listed] }
  t.deepEqual(call({ 'output.value': json(alike) }), [...asked, ...asked], 'a list is taken as it is')
  const nameless = { ...listed, id: undefined }
  t.deepEqual(call({ 'output.value': json({ ...both, tool_calls: [nameless] }) }), [
    ...asked,
    { id: null, name: 'search' },
  ])
})

test('a tool that the provider itself ran inside of the call is no request', (t) => {
  const content = (...parts: Plain[]): string => json({ role: 'assistant', content: parts })
  const own = { type: 'tool_use', id: 'c1', name: 'search', input: {} }
  const anthropic = [
    { type: 'server_tool_use', id: 'srvtoolu_1', name: 'web_search', input: { query: 'x' } },
    { type: 'web_search_tool_result', tool_use_id: 'srvtoolu_1', content: [] },
    { type: 'mcp_tool_use', id: 'mcptoolu_1', name: 'ask', server_name: 'deep', input: {} },
    own,
  ]
  t.deepEqual(call({ 'output.value': content(...anthropic) }), asked)
  // Some instrumentations give every block of a call the same type; the provider's ids still distinguish them.
  const flat = 'llm.output_messages.0.message.tool_calls'
  const ofOpenInference = {
    [`${flat}.0.tool_call.id`]: 'srvtoolu_1',
    [`${flat}.0.tool_call.function.name`]: 'web_search',
    [`${flat}.1.tool_call.id`]: 'c1',
    [`${flat}.1.tool_call.function.name`]: 'search',
  }
  t.deepEqual(call(ofOpenInference), asked)
  const openAi = [
    { type: 'web_search_call', id: 'ws_1', status: 'completed' },
    { type: 'mcp_call', id: 'mcp_1', name: 'ask', server_label: 'deep', arguments: '{}', output: 'yes' },
    { type: 'function_call', id: 'fc_1', call_id: 'c1', name: 'search', arguments: '{}' },
  ]
  t.deepEqual(call({ 'output.value': json({ output: openAi }) }), asked)
  const custom = { type: 'custom_tool_call', id: 'ctc_1', call_id: 'c1', name: 'search', input: 'x' }
  t.deepEqual(call({ 'output.value': json({ output: [custom] }) }), asked, 'run by the client as well')
  const named = { [`${flat}.0.tool_call.id`]: 'ws_1', [`${flat}.0.tool_call.function.name`]: 'web_search_call' }
  t.deepEqual(call(named), [], 'OpenInference names it by the type of the item')
  const part = { type: 'tool_call', id: 'c2', name: 'web_search', arguments: {} }
  const ofAgents = (...parts: Plain[]): string => json([{ role: 'assistant', parts }])
  t.deepEqual(call({ 'gen_ai.output.messages': ofAgents({ ...part, type: 'server_tool_call' }) }), [])
  t.deepEqual(call({ 'gen_ai.output.messages': ofAgents({ ...part, builtin: true }) }), [], 'pydantic-ai')
  t.deepEqual(call({ 'gen_ai.output.messages': ofAgents(part) }), [{ id: 'c2', name: 'web_search' }])
  const vercel = { toolCallId: 'c1', toolName: 'search', args: '{}' }
  t.deepEqual(call({ 'ai.response.toolCalls': json([vercel, { ...vercel, providerExecuted: true }]) }), asked)
  const answered = ofAgents(
    part,
    { ...part, id: 'c1', name: 'search' },
    { type: 'tool_call_response', id: 'c2', response: 1 },
  )
  t.deepEqual(call({ 'gen_ai.output.messages': answered }), asked, 'Vercel 7: the answer has the result too')
  const local = [{ type: 'tool_use', id: 'toolu_1', name: 'bash', input: {} }]
  t.deepEqual(call({ 'output.value': content(...local) }), [{ id: 'toolu_1', name: 'bash' }], 'run by the client')
})
