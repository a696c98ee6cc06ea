import test from 'ava'
import { makeRetryBudget } from '../../src/actors/retry-budget.ts'

const drain = (take: () => boolean): number => {
  let taken = 0
  while (take()) taken += 1
  return taken
}

test('five retries a second are always allowed, and at most fifty accumulate', (t) => {
  let nowMs = 0
  const budget = makeRetryBudget({ nowMs: () => nowMs })
  t.is(drain(budget.take), 5)
  nowMs += 1_000
  t.is(drain(budget.take), 5)
  nowMs += 100
  t.is(drain(budget.take), 0)
  nowMs += 3_600_000
  t.is(drain(budget.take), 50)
})

test('a tenth of many requests may be repeated', (t) => {
  const budget = makeRetryBudget({ nowMs: () => 0 })
  drain(budget.take)
  let repeated = 0
  for (let at = 0; at < 10_000; at += 1) {
    budget.earn()
    if (budget.take()) repeated += 1
  }
  t.true(repeated >= 990 && repeated <= 1_000, `${repeated}`)
})
