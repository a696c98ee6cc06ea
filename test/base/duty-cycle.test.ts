import { setTimeout as sleep } from 'node:timers/promises'
import test from 'ava'
import { makeDutyCycle } from '../../src/base/duty-cycle.ts'

const worked = async (): Promise<number> => {
  await sleep(20)
  return performance.now()
}

test('after work it rests until the share of time is met', async (t) => {
  const pace = makeDutyCycle(0.1, new AbortController().signal)
  const endedMs = (await pace.run(worked)) ?? 0
  const startedMs = (await pace.run(async () => performance.now())) ?? 0
  // Timers may fire a little early.
  t.true(startedMs - endedMs >= 160, `${startedMs - endedMs} ms`)
})

test('it also rests after work that fails, and reports the failure', async (t) => {
  const pace = makeDutyCycle(0.2, new AbortController().signal)
  let failedMs = 0
  await t.throwsAsync(
    pace.run(async () => {
      failedMs = await worked()
      throw new Error('failed')
    }),
    { message: 'failed' },
  )
  const startedMs = (await pace.run(async () => performance.now())) ?? 0
  // Timers may fire a little early.
  t.true(startedMs - failedMs >= 70, `${startedMs - failedMs} ms`)
})

test('a stop ends the rest, and no work begins after it', async (t) => {
  const stopping = new AbortController()
  const pace = makeDutyCycle(0.000_1, stopping.signal)
  await pace.run(worked)
  const resting = pace.run(async () => t.fail('it was begun'))
  stopping.abort()
  t.is(await resting, null)
})
