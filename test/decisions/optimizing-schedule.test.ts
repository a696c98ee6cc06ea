import test from 'ava'
import { makeSchedule, noteTime } from '../../src/decisions/optimizing-schedule.ts'

test('the workspace that has been due for longest comes first, however often others are woken', (t) => {
  const schedule = makeSchedule(1_000)
  schedule.wake('noisy', 0)
  schedule.wake('quiet', 1)
  schedule.wake('noisy', 2)
  t.is(schedule.take(10), 'noisy')
  schedule.wake('noisy', 11)
  t.is(schedule.lagMs(10), 9)
  t.is(schedule.take(11), 'quiet')
  t.is(schedule.take(11), null)
})

test('two passes over a workspace begin at least the interval apart', (t) => {
  const schedule = makeSchedule(1_000)
  schedule.wake('one', 0)
  t.is(schedule.take(0), 'one')
  schedule.wake('one', 100)
  t.is(schedule.take(999), null)
  t.is(schedule.lagMs(999), 0)
  t.is(schedule.take(1_000), 'one')
  schedule.wake('one', 5_000)
  t.is(schedule.take(5_000), 'one')
})

test('a workspace that did not finish is due again at once, behind those that wait', (t) => {
  const schedule = makeSchedule(1_000)
  for (const [at, one] of ['large', 'small'].entries()) schedule.wake(one, at)
  t.is(schedule.take(5), 'large')
  schedule.putBack('large', 6)
  t.is(schedule.take(7), 'small')
  t.is(schedule.take(7), 'large')
})

test('the interval between failed passes grows, until one succeeds', (t) => {
  const schedule = makeSchedule(10)
  const delays: number[] = []
  let nowMs = 0
  const next = (): void => {
    for (const startMs = nowMs; schedule.take(nowMs) === null; nowMs += 10)
      if (nowMs - startMs > 100_000) throw new Error('it never came')
  }
  schedule.wake('broken', 0)
  for (let nth = 0; nth < 8; nth += 1) {
    next()
    const failedMs = nowMs
    schedule.postpone('broken', nowMs)
    schedule.wake('broken', nowMs)
    next()
    delays.push(nowMs - failedMs)
    schedule.putBack('broken', nowMs)
  }
  t.deepEqual(delays, [1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 60_000, 60_000])
  next()
  schedule.succeed('broken')
  schedule.postpone('broken', nowMs)
  const failedMs = nowMs
  next()
  t.is(nowMs - failedMs, 1_000)
})

test('the number of workspaces in the schedule is limited', (t) => {
  const schedule = makeSchedule(1_000, 2)
  for (const one of ['a', 'b', 'c']) schedule.wake(one, 0)
  t.true(schedule.isFull())
  t.deepEqual([schedule.take(1), schedule.take(1), schedule.take(1)], ['a', 'b', null])
})

test('passes that are older than the interval are forgotten, also while one workspace never finishes', (t) => {
  const passesMs = new Map<string, number>()
  for (let nowMs = 0; nowMs <= 10_000; nowMs += 500) {
    noteTime(passesMs, 'unfinished', nowMs, 1_000)
    noteTime(passesMs, `other ${nowMs}`, nowMs, 1_000)
  }
  t.deepEqual([...passesMs.keys()], ['other 9500', 'unfinished', 'other 10000'])
})
