import test from 'ava'
import { compareSavings, expectSavings, isWorthwhile } from '../../../src/decisions/propose/expect-savings.ts'

const toMs = Date.parse('2026-03-08T00:00:00Z')
const dayMs = 86_400_000
const lookBack = { fromMs: toMs - 7 * dayMs, toMs }
const weighed = {
  reusable: 70,
  cut: false,
  first_at: new Date(toMs - dayMs),
  median_ms: 225,
  mean_cost_usd: 0.01,
}

test('a month is as many times the look-back as it is long, less the calls that are held out', (t) => {
  t.deepEqual(expectSavings(weighed, lookBack, 0), { calls: 300, latency_saved_ms: 60_000, usd: 3 })
  t.deepEqual(expectSavings(weighed, lookBack, 0.1), { calls: 270, latency_saved_ms: 54_000, usd: 2.7 })
})

test('where there was more than was looked at, it stands for the time that it covers', (t) => {
  t.is(expectSavings({ ...weighed, cut: true }, lookBack, 0).calls, 2_100)
})

test('a burst of more than was looked at is not taken to last for a month', (t) => {
  const burst = { ...weighed, cut: true, first_at: new Date(toMs - 15_000) }
  t.is(expectSavings(burst, lookBack, 0).calls, 2_100)
})

test('what is not known saves nothing, and a tool that is faster than a fetch costs time', (t) => {
  const unknown = expectSavings({ ...weighed, median_ms: null, mean_cost_usd: null }, lookBack, 0)
  t.deepEqual(unknown, { calls: 300, latency_saved_ms: 0, usd: null })
  t.false(isWorthwhile(unknown))
  const fast = expectSavings({ ...weighed, median_ms: 5, mean_cost_usd: null }, lookBack, 0)
  t.is(fast.latency_saved_ms, -6_000)
  t.false(isWorthwhile(fast))
  t.true(isWorthwhile({ ...fast, usd: 0.01 }))
})

test('money comes before time', (t) => {
  const of = (usd: number | null, savedMs: number) => ({ calls: 1, latency_saved_ms: savedMs, usd })
  const sorted = [of(null, 5), of(0.1, 1), of(null, 9), of(0.2, 0)].toSorted(compareSavings)
  t.deepEqual(
    sorted.map(({ usd, latency_saved_ms }) => [usd, latency_saved_ms]),
    [
      [0.2, 0],
      [0.1, 1],
      [null, 9],
      [null, 5],
    ],
  )
})
