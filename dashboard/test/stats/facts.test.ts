// What figures are made of.
import test from 'ava'
import { countUnpriced, durationOf, isNamed, splitTokens, windowBefore } from '../../src/stats/facts.ts'

const nothing = {
  key: 'k',
  label: 'k',
  events: 0,
  llm_calls: 0,
  tool_calls: 0,
  served_calls: 0,
  errors: 0,
  input_tokens: 0,
  output_tokens: 0,
  cached_tokens: 0,
  cost_usd: 0,
  p50_duration_ms: 0,
  p95_duration_ms: 0,
  distinct_inputs: 0,
}

test('the window before ends where this one begins, and is as long', (t) => {
  const window = { from: '2026-11-20T00:00:00.000Z', to: '2026-11-21T12:00:00.000Z' }
  t.deepEqual(windowBefore(window), { from: '2026-11-18T12:00:00.000Z', to: window.from })
})

test('the parts of the tokens add up to input and output', (t) => {
  const tokens = { input_tokens: 100, cached_tokens: 60, cache_write_tokens: 10, output_tokens: 7 }
  t.deepEqual(splitTokens(tokens), { fresh: 30, cached: 60, written: 10, output: 7 })
  t.is(splitTokens({ ...tokens, input_tokens: 5 }).fresh, 0)
})

test('a bucket without events has no duration', (t) => {
  t.is(durationOf(0, { events: 0 }), null)
  t.is(durationOf(0, { events: 3 }), 0)
})

test('calls without a price are counted over all groups', (t) => {
  const row = (unpriced: number) => ({ ...nothing, unpriced_calls: unpriced })
  t.is(countUnpriced({ items: [row(2), row(0)], other: row(3) }), 5)
  t.is(countUnpriced({ items: [row(2)], other: null }), 2)
  t.is(countUnpriced({ items: [], other: null }), 0)
})

test('a group without a name is none that a filter finds', (t) => {
  t.true(isNamed({ key: 'gpt-4.1-mini' }))
  t.false(isNamed({ key: 'unknown' }))
  t.false(isNamed({ key: 'other' }))
})
