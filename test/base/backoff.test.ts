import test from 'ava'
import { makeBackoff } from '../../src/base/backoff.ts'

test('the wait after a failure doubles each time, up to a limit, and ends with a success', (t) => {
  const backoff = makeBackoff({ firstDelayMs: 1_000, maxDelayMs: 3_000, maxKeys: 10 })
  t.false(backoff.isWaiting('a', 0))
  for (const delayMs of [1_000, 2_000, 3_000, 3_000]) {
    backoff.fail('a', 0)
    t.deepEqual([backoff.isWaiting('a', delayMs - 1), backoff.isWaiting('a', delayMs)], [true, false])
    t.deepEqual([backoff.listWaiting(delayMs - 1), backoff.listWaiting(delayMs)], [['a'], []])
  }
  backoff.succeed('a')
  backoff.fail('a', 0)
  t.false(backoff.isWaiting('a', 1_000))
})

test('beyond the limit, the key that failed longest ago is dropped', (t) => {
  const backoff = makeBackoff({ firstDelayMs: 1_000, maxDelayMs: 3_000, maxKeys: 2 })
  for (const key of ['a', 'b', 'a', 'c']) backoff.fail(key, 0)
  t.deepEqual(backoff.listWaiting(0), ['a', 'c'])
})
