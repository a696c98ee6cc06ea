import test from 'ava'
import { counts, read } from '../_span.ts'
import { listCounted } from '../_trace.ts'

const scope = 'livekit-agents'
const asked = (model: string, more: Readonly<Record<string, string | number>> = {}) => ({
  'gen_ai.provider.name': 'a-provider',
  'gen_ai.request.model': model,
  ...more,
})
const usage = { 'gen_ai.usage.input_tokens': 900, 'gen_ai.usage.output_tokens': 80 }

test('recognizing and synthesizing speech are no model calls', (t) => {
  const counted = listCounted(
    { id: 'heard', name: 'user_turn', scope, attributes: asked('nova-3') },
    { id: 'turn', name: 'agent_turn', scope },
    { id: 'node', in: 'turn', name: 'llm_node', scope, attributes: asked('gpt-4.1-mini') },
    {
      id: 'request',
      in: 'node',
      name: 'llm_request',
      scope,
      attributes: asked('gpt-4.1-mini', { 'gen_ai.operation.name': 'chat', ...usage }),
    },
    { id: 'spoken', in: 'turn', name: 'tts_node', scope, attributes: asked('sonic-2') },
    { id: 'synthesis', in: 'spoken', name: 'tts_request', scope, attributes: asked('sonic-2') },
    { id: 'attempt', in: 'synthesis', name: 'tts_request_run', scope, attributes: asked('sonic-2') },
  )
  t.deepEqual(counted, ['llm request 900/80'])
})

test('releases that state no operation report calls of language models all the same', (t) => {
  t.is(read({ name: 'llm_request', scope, attributes: asked('gpt-4.1-mini') }).kind, 'llm', 'also without usage')
  t.is(read({ name: 'agent_turn', scope, attributes: asked('gpt-realtime', usage) }).kind, 'llm')
  t.is(read({ name: 'realtime_metrics', scope, attributes: asked('gpt-realtime', usage) }).kind, 'llm')
  t.is(read({ name: 'function_tool', scope, attributes: { 'lk.function_tool.name': 'find' } }).kind, 'tool')
  t.is(read({ name: 'user_turn', scope: 'another', attributes: asked('nova-3') }).kind, 'llm', 'only for LiveKit')
})

test('older releases report the cached tokens of a session in real time under one name', (t) => {
  const attributes = asked('gpt-realtime', { ...usage, 'gen_ai.usage.input_cached_tokens': 640 })
  t.deepEqual(counts(read({ name: 'realtime_metrics', scope, attributes }).usage), [900, 80, 640, null, null])
})
