// The facts behind the figures.
import test from 'ava'
import { durationOf, isNamed, splitTokens, windowBefore } from '../../src/stats/facts.ts'

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

test('a group without a name is not offered as a filter', (t) => {
  t.true(isNamed({ key: 'gpt-4.1-mini' }))
  t.false(isNamed({ key: 'unknown' }))
  t.false(isNamed({ key: 'other' }))
})
