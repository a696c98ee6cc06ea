import test from 'ava'
import { read, type SpanGiven } from '../_span.ts'

const ofOperation = (name: string, operation: string, more: SpanGiven['attributes'] = {}) =>
  read({ name, scope: 'org.springframework.boot', attributes: { 'gen_ai.operation.name': operation, ...more } })

const agent = { 'embabel.event.type': 'agent_process', 'embabel.agent.name': 'researcher' }

test('an agent has its own name, not that of its span', (t) => {
  t.like(ofOperation('agent researcher', 'agent', agent), { dialect: 'embabel', kind: 'agent', agentOwn: 'researcher' })
})

test('its actions and loops of tools are steps of the agent', (t) => {
  t.like(ofOperation('action search', 'action', agent), { kind: 'chain', agentOwn: 'researcher' })
  t.is(ofOperation('tool_loop', 'tool_loop', agent).kind, 'chain')
})

test('a tool took the time that its span states, and ended with its span', (t) => {
  const tool = ofOperation('execute_tool search', 'execute_tool', {
    'gen_ai.tool.name': 'search',
    'embabel.tool.duration_ms': '250',
  })
  const untimed = ofOperation('execute_tool search', 'execute_tool', { 'gen_ai.tool.name': 'search' })
  t.is(tool.durationUs, 250_000)
  t.is(untimed.startTimeUnixNano - tool.startTimeUnixNano, 250_000_000n)
  t.is(ofOperation('execute_tool search', 'execute_tool', { 'embabel.tool.duration_ms': 'long' }).durationUs, 1_500)
})
