import test from 'ava'
import { compareSavings, expectSavings, isWorthwhile } from '../../../src/decisions/propose/expect-savings.ts'

const toMs = Date.parse('2026-03-08T00:00:00Z')
const dayMs = 86_400_000
const lookBack = { fromMs: toMs - 7 * dayMs, toMs }
const weighed = {
  reusable: 70,
  cut: false,
  first_at: new Date(toMs - 7 * dayMs),
  median_ms: 225,
  mean_cost_usd: 0.01,
}

test('a month is 30 times the mean day since the first execution, less the calls that are held out', (t) => {
  const { monthly, seen, observed } = expectSavings(weighed, lookBack, 0)
  t.deepEqual(monthly, { calls: 300, latency_saved_ms: 60_000, usd: 3 })
  t.deepEqual(seen, { calls: 70, latency_saved_ms: 14_000, usd: 0.7 })
  t.is(observed.days, 7)
  t.deepEqual(expectSavings(weighed, lookBack, 0.1).monthly, { calls: 270, latency_saved_ms: 54_000, usd: 2.7 })
})

test('less than 24 hours of executions give no monthly estimate, only the observed sum', (t) => {
  const young = { ...weighed, first_at: new Date(toMs - dayMs + 1) }
  const { monthly, seen, rank } = expectSavings(young, lookBack, 0)
  t.is(monthly, null)
  t.deepEqual(seen, { calls: 70, latency_saved_ms: 14_000, usd: 0.7 })
  t.true(Math.abs(rank.usd - 21) < 1e-9)
  t.true(Math.abs(expectSavings({ ...weighed, first_at: new Date(toMs - dayMs) }, lookBack, 0).rank.usd - 21) < 1e-9)
})

test('one call more than is read changes the figures of a burst by one call: they do not jump', (t) => {
  const burst = (calls: number) => {
    const first_at = new Date(toMs - 60_000)
    return expectSavings({ ...weighed, reusable: calls - 1, cut: calls >= 200, first_at }, lookBack, 0)
  }
  t.is(burst(199).monthly, null)
  t.is(burst(200).monthly, null)
  t.is(burst(199).seen.usd, 1.98)
  t.is(burst(200).seen.usd, 1.99)
})

test('unknown values save nothing, and a tool that is faster than a fetch costs time', (t) => {
  const unknown = expectSavings({ ...weighed, median_ms: null, mean_cost_usd: null }, lookBack, 0)
  t.deepEqual(unknown.monthly, { calls: 300, latency_saved_ms: 0, usd: null })
  t.false(isWorthwhile(unknown))
  const fast = expectSavings({ ...weighed, median_ms: 5, mean_cost_usd: null }, lookBack, 0)
  t.is(fast.monthly?.latency_saved_ms, -6_000)
  t.false(isWorthwhile(fast))
  t.true(isWorthwhile(expectSavings({ ...weighed, median_ms: 5, mean_cost_usd: 0.001 }, lookBack, 0)))
})

test('money comes before time', (t) => {
  const of = (usd: number | null, savedMs: number) =>
    expectSavings({ ...weighed, reusable: 1, median_ms: 25 + savedMs, mean_cost_usd: usd }, lookBack, 0)
  const sorted = [of(null, 5), of(0.1, 1), of(null, 9), of(0.2, 0)].toSorted(compareSavings)
  t.deepEqual(
    sorted.map(({ seen }) => [seen.usd, seen.latency_saved_ms]),
    [
      [0.2, 0],
      [0.1, 1],
      [null, 9],
      [null, 5],
    ],
  )
})
