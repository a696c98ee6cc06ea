import test from 'ava'
import { read } from './_span.ts'

test('HoneyHive: functions of the application by their type', (t) => {
  const traced = (type: string, more: Record<string, string> = {}) =>
    read({
      name: 'get_weather',
      scope: 'honeyhive.140149523443984',
      attributes: { honeyhive_event_type: type, 'honeyhive.session_id': 's-1', ...more },
    })
  const tool = traced('tool', { 'honeyhive_inputs.city': 'Paris', 'honeyhive_outputs.result': 'sunny' })
  t.deepEqual([tool.kind, tool.toolName, tool.sessionId], ['tool', 'get_weather', 's-1'])
  t.is(tool.content.toolResult, 'sunny')
  t.deepEqual(
    ['chain', 'session', 'model'].map((type) => traced(type).kind),
    ['chain', 'chain', 'llm'],
  )
})

test('HoneyHive marks the spans of instrumentations, which keep their kind', (t) => {
  const attributes = { honeyhive_event_type: 'model', 'openinference.span.kind': 'TOOL' }
  t.is(read({ name: 'search', scope: 'openinference.instrumentation.x', attributes }).kind, 'tool')
})
