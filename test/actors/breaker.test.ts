import test from 'ava'
import { makeBreaker } from '../../src/actors/breaker.ts'

function make() {
  const clock = { ms: 0 }
  const breaker = makeBreaker({ nowMs: () => clock.ms })
  const timeOut = (times: number, epoch = 1): void => {
    for (let at = 0; at < times; at += 1) breaker.timeOut(7, epoch)
  }
  return { clock, breaker, timeOut }
}

test('three timeouts in a row open the breaker for that partition only, and any response resets the count', (t) => {
  const { breaker, timeOut } = make()
  timeOut(2)
  breaker.succeed(7, 1)
  timeOut(2)
  t.true(breaker.allows(7, 1))
  t.is(breaker.open(), 0)
  timeOut(1)
  t.false(breaker.allows(7, 1))
  t.true(breaker.allows(8, 1))
  t.is(breaker.open(), 1)
})

test('one caller every 250 ms probes whether the owner answers again', (t) => {
  const { clock, breaker, timeOut } = make()
  timeOut(3)
  clock.ms = 249
  t.false(breaker.allows(7, 1))
  clock.ms = 250
  t.true(breaker.allows(7, 1))
  t.false(breaker.allows(7, 1), 'one, not all')
  clock.ms = 500
  t.true(breaker.allows(7, 1))
  breaker.timeOut(7, 1)
  t.false(breaker.allows(7, 1))
  clock.ms = 750
  t.true(breaker.allows(7, 1))
  breaker.succeed(7, 1)
  t.true(breaker.allows(7, 1))
  t.true(breaker.allows(7, 1))
})

test('late timeouts of the old owner do not count for a new owner', (t) => {
  const { breaker, timeOut } = make()
  timeOut(3, 1)
  t.true(breaker.allows(7, 2))
  t.is(breaker.open(), 0)
  timeOut(1, 2)
  timeOut(5, 1)
  t.true(breaker.allows(7, 2))
  timeOut(2, 2)
  breaker.succeed(7, 1)
  t.false(breaker.allows(7, 2))
})
