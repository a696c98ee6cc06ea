import test from 'ava'
import { activeFilters, listSearch, readTraceFilters } from '../../src/pages/traces/list-search.ts'
import { findToolCall } from '../../src/trace/panel/find-tool-call.ts'
import { readFinishReasons } from '../../src/trace/panel/finish-reasons.ts'
import { explainNoCost, splitTokens } from '../../src/trace/panel/token-parts.ts'

test('tokens are split into parts that do not overlap, and parts that are not there are left out', (t) => {
  const counts = { input_tokens: 1_000, output_tokens: 100, cached_tokens: 600, cache_write_tokens: 150 }
  t.deepEqual(splitTokens({ ...counts, reasoning_tokens: 40 }), [
    { name: 'fresh', tokens: 250 },
    { name: 'cached', tokens: 600 },
    { name: 'written', tokens: 150 },
    { name: 'output', tokens: 60 },
    { name: 'reasoning', tokens: 40 },
  ])
  const none = { input_tokens: null, output_tokens: null, cached_tokens: null, cache_write_tokens: null }
  t.deepEqual(splitTokens(none), [])
})

test('a call without a count of its input, such as one that failed, does not ask for a price', (t) => {
  t.is(explainNoCost({ model: 'gpt-4.1', input_tokens: null }), 'it reports no input tokens')
  t.is(explainNoCost({ model: 'my-llama', input_tokens: 12 }), 'no price for my-llama')
  t.is(explainNoCost({ model: null, input_tokens: 0 }), 'no price for an unknown model')
})

test('the reason why a model stopped is read in the names of several dialects', (t) => {
  t.deepEqual(readFinishReasons({ 'gen_ai.response.finish_reasons': ['stop', 'length'] }), ['stop', 'length'])
  t.deepEqual(readFinishReasons({ 'ai.response.finishReason': 'tool-calls' }), ['tool-calls'])
  t.deepEqual(readFinishReasons({ 'gen_ai.response.finish_reasons': [1, ''] }), [])
  t.deepEqual(readFinishReasons({}), [])
})

test('a tool call in a message leads to the span that ran it', (t) => {
  const spans = [{ tool_call_id: null }, { tool_call_id: 'c1' }, { tool_call_id: 'c1' }]
  t.is(findToolCall(spans, 0, 'c1'), 1)
  t.is(findToolCall(spans, 1, 'c1'), 2)
  t.is(findToolCall(spans, 0, 'c2'), -1)
})

test('a link to a trace takes the filters, the order and the window of its list along, and nothing else', (t) => {
  const search = { range: '7d', status: 'error', order_by: 'cost_usd', peek: 'x', view: 'transcript', kind: 'llm' }
  t.deepEqual(listSearch(search), { range: '7d', status: 'error', order_by: 'cost_usd' })
  t.deepEqual(activeFilters(search), ['status'])
})

test('ids of digits stay text, and a filter that cannot be read is named', (t) => {
  const { filters, ignored } = readTraceFilters({ session_id: '1234567890123456', min_duration_ms: 'long' })
  t.deepEqual(filters, { session_id: '1234567890123456' })
  t.deepEqual(
    ignored.map(({ name }) => name),
    ['min_duration_ms'],
  )
})
