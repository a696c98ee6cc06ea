import test from 'ava'
import { late, withRunningTimeout, withTimeout } from '../../src/base/within.ts'
import { standStill } from '../_kit/standstill.ts'

test('work that ends in time returns its result or throws its error', async (t) => {
  t.is(await withTimeout(60_000, Promise.resolve('done')), 'done')
  await t.throwsAsync(withTimeout(60_000, Promise.reject(new Error('broken'))), { message: 'broken' })
})

test('work that takes longer continues without its caller, and its failure is ignored', async (t) => {
  const work = Promise.withResolvers<string>()
  t.is(await withTimeout(1, work.promise), late)
  work.resolve('done')
  t.is(await withTimeout(60_000, work.promise), 'done')
  const failing = Promise.withResolvers<never>()
  t.is(await withTimeout(1, failing.promise), late)
  t.is(await withTimeout(-1, failing.promise), late)
  failing.reject(new Error('nobody waits for it any more'))
  await t.throwsAsync(failing.promise)
})

const makeTurns = async (turns: number): Promise<string> => {
  for (let nth = 0; nth < turns; nth += 1) await new Promise((turn) => setImmediate(turn))
  return 'done'
}

test('time in which the process stands still is no part of the limit, for work of many turns either', async (t) => {
  const limited = withRunningTimeout(200, makeTurns(50))
  const control = withTimeout(200, makeTurns(50))
  standStill(400)
  t.is(await control, late, 'the control: a limit that counts the pause')
  t.is(await limited, 'done')
})

test('work that never ends is late after the time in which the process ran', async (t) => {
  const startedAtMs = performance.now()
  t.is(await withRunningTimeout(40, new Promise<never>(() => undefined)), late)
  // Timers may fire a little early.
  t.true(performance.now() - startedAtMs >= 30)
  await t.throwsAsync(withRunningTimeout(60_000, Promise.reject(new Error('broken'))), { message: 'broken' })
})
