import test from 'ava'
import { counts, type Plain, read } from './_span.ts'

const failed = (name: string, attributes: { readonly [key: string]: Plain } = {}, scope = 'gcp.vertex.agent') =>
  read({ name, scope, spanKind: 1, statusCode: 2, statusMessage: 'ValueError: no', attributes })

test('a call and a tool that failed have no attributes, and are known by the names of their spans', (t) => {
  const call = failed('call_llm')
  t.deepEqual([call.kind, call.status, call.model], ['llm', 'error', null])
  const tool = failed('execute_tool get_weather')
  t.deepEqual([tool.kind, tool.status, tool.toolName], ['tool', 'error', 'get_weather'])
})

test('the same names of other scopes, and spans that say of themselves what they are, are left alone', (t) => {
  t.is(failed('call_llm', {}, 'app').kind, 'other')
  t.is(failed('execute_tool get_weather', {}, 'app').kind, 'other')
  t.is(failed('call_llm', { 'gcp.vertex.agent.invocation_id': 'e-1' }).kind, 'other')
  t.is(failed('invocation').kind, 'other')
  t.is(failed('agent_run [researcher]').kind, 'agent')
})

test('ADK for Java has an operation of its own for the call of a model', (t) => {
  const call = read({
    name: 'call_llm',
    scope: 'gcp.vertex.agent',
    spanKind: 1,
    attributes: {
      'gen_ai.system': 'gcp.vertex.agent',
      'gen_ai.operation.name': 'call_llm',
      'gen_ai.request.model': 'gemini-2.5-flash',
      'gcp.vertex.agent.invocation_id': 'e-1',
      'gcp.vertex.agent.session_id': 's-1',
      'gcp.vertex.agent.llm_request': '{}',
      'gcp.vertex.agent.llm_response': '{}',
      'gen_ai.usage.input_tokens': 120,
      'gen_ai.usage.output_tokens': 30,
      'gen_ai.usage.cache_read.input_tokens': 40,
      'gen_ai.usage.reasoning.output_tokens': 10,
    },
  })
  t.deepEqual([call.kind, call.model, call.sessionId], ['llm', 'gemini-2.5-flash', 's-1'])
  t.deepEqual(counts(call.usage), [120, 30, 40, null, 10])
  const sent = { 'gen_ai.operation.name': 'send_data', 'gcp.vertex.agent.invocation_id': 'e-1' }
  t.is(read({ name: 'send_data', scope: 'gcp.vertex.agent', spanKind: 1, attributes: sent }).kind, 'other')
})

const tool = (name: string, id: { readonly [key: string]: string }, scope = 'gcp.vertex.agent') =>
  read({
    name: `execute_tool ${name}`,
    scope,
    spanKind: 1,
    attributes: {
      'gen_ai.operation.name': 'execute_tool',
      'gen_ai.tool.name': name,
      'gcp.vertex.agent.tool_call_args': '{"city":"Paris"}',
      'gcp.vertex.agent.tool_response': '{"sky":"clear"}',
      'gcp.vertex.agent.event_id': 'event-1',
      'gcp.vertex.agent.llm_request': '{}',
      'gcp.vertex.agent.llm_response': '{}',
      ...id,
    },
  })

test('the span that merges the results of several tools is no call', (t) => {
  const merged = read({
    name: 'execute_tool (merged)',
    scope: 'gcp.vertex.agent',
    spanKind: 1,
    attributes: {
      'gen_ai.operation.name': 'execute_tool',
      'gen_ai.tool.name': '(merged tools)',
      'gen_ai.tool.description': '(merged tools)',
      'gen_ai.tool.call.id': 'event-1',
      'gcp.vertex.agent.tool_call_args': 'N/A',
      'gcp.vertex.agent.event_id': 'event-1',
      'gcp.vertex.agent.tool_response': '{"id":"event-1"}',
    },
  })
  t.deepEqual([merged.kind, merged.toolName], ['other', null])
  t.is(merged.toolCallId, null, 'the id is that of an event')
  t.is(tool('get_weather', { 'gen_ai.tool.call.id': 'adk-1' }).kind, 'tool')
  const attributes = { 'gen_ai.operation.name': 'execute_tool', 'gen_ai.tool.name': '(merged tools)' }
  t.is(read({ name: 'execute_tool', scope: 'app', attributes }).kind, 'tool', 'of another sender')
})

test('the id of a call is under another name in Java, and may be a text that names none', (t) => {
  t.is(tool('get_weather', { 'gen_ai.tool_call.id': 'adk-1' }).toolCallId, 'adk-1')
  t.is(tool('get_weather', { 'gen_ai.tool_call.id': '<not specified>' }).toolCallId, null)
  t.is(tool('get_weather', { 'gen_ai.tool.call.id': 'adk-1' }).toolCallId, 'adk-1')
  t.is(tool('get_weather', { 'gen_ai.tool.call.id': '<not specified>' }).toolCallId, null)
})

test("Braintrust's callbacks for ADK for Go name the agent and the session on each span", (t) => {
  const attributes = {
    'adk.agent.name': 'planner',
    'adk.agent.session_id': 's1',
    'braintrust.span_attributes': '{"type":"llm"}',
    'gen_ai.request.model': 'gemini-2.5-flash',
  }
  const event = read({ name: 'call_llm', scope: 'braintrust', attributes })
  t.like(event, { kind: 'llm', agentOwn: 'planner', sessionId: 's1' })
})
