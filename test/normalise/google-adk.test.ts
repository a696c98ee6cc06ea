import test from 'ava'
import { type Plain, read } from './_span.ts'

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
