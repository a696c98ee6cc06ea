import test from 'ava'
import { counts, type Plain, read } from '../_span.ts'

const span = (name: string, attributes: { readonly [key: string]: Plain }) =>
  read({ name, scope: 'codex_exec', spanKind: 1, attributes })

test('the part of an answer that has the usage of a call is the call', (t) => {
  const call = span('handle_responses', {
    'codex.request.reasoning_effort': 'default',
    'gen_ai.usage.input_tokens': 2_000,
    'gen_ai.usage.cache_read.input_tokens': 1_024,
    'gen_ai.usage.cache_write.input_tokens': 0,
    'gen_ai.usage.output_tokens': 100,
    'codex.usage.reasoning_output_tokens': 64,
    'codex.usage.total_tokens': 2_100,
  })
  t.is(call.kind, 'llm')
  t.deepEqual(counts(call.usage), [2_000, 100, 1_024, 0, 64])
  t.is(span('handle_responses', { 'codex.request.reasoning_effort': 'default', tool_name: 'shell' }).kind, 'other')
})

test('the sum of a turn is no call', (t) => {
  t.is(span('session_task.turn', { model: 'gpt-5-mini', 'codex.turn.token_usage.input_tokens': 16_280 }).kind, 'chain')
})

test('the dispatch of a tool is its call', (t) => {
  const tool = span('exec_command', {
    tool_name: 'exec_command',
    call_id: 'call_1',
    'conversation.id': 'c-1',
    'codex.tool.phase': 'dispatch',
  })
  t.deepEqual([tool.kind, tool.toolName, tool.toolCallId, tool.sessionId], ['tool', 'exec_command', 'call_1', 'c-1'])
  t.is(span('guardian_scoring_observation', { tool_name: 'exec_command', call_id: 'call_1' }).kind, 'other')
})
