import test from 'ava'
import { describeSpan, perMonth, rankMonthly, savedByServing, wordSpan } from '../../src/pricing/monthly.ts'

const toMs = Date.parse('2026-03-08T00:00:00Z')
const dayMs = 86_400_000
const last = (ms: number) => ({ fromMs: toMs - ms, toMs })

test('a month is 30 times the mean day of the days seen', (t) => {
  t.is(perMonth(7, last(7 * dayMs)), 30)
  t.is(perMonth(2, last(dayMs)), 60)
})

test('nothing is extrapolated from less than 24 hours', (t) => {
  t.is(perMonth(2, last(dayMs - 1)), null)
  t.is(perMonth(2, last(0)), null)
  t.is(perMonth(2, last(-5)), null)
})

test('for ordering, a shorter time span counts as a day, so that the order does not change at 24 hours', (t) => {
  t.is(rankMonthly(2, last(60_000)), 60)
  t.is(rankMonthly(2, last(dayMs)), 60)
  t.is(rankMonthly(2, last(2 * dayMs)), 30)
})

test('held-out calls save nothing', (t) => {
  t.is(savedByServing(100, 0.5, 0), 50)
  t.is(savedByServing(100, 0.5, 0.05), 47.5)
})

test('a time span is given by its ends, in days and in words', (t) => {
  t.deepEqual(describeSpan(last(1.5 * dayMs)), {
    from: '2026-03-06T12:00:00.000Z',
    to: '2026-03-08T00:00:00.000Z',
    days: 1.5,
  })
  t.deepEqual(
    [0, 1_000, 45_000, 37 * 60_000, 5 * 3_600_000, dayMs, 2 * dayMs, 6.24 * dayMs].map((ms) => wordSpan(last(ms))),
    [
      'the last second',
      'the last second',
      'the last 45 seconds',
      'the last 37 minutes',
      'the last 5 hours',
      'the last 24 hours',
      'the last 2 days',
      'the last 6.2 days',
    ],
  )
})
