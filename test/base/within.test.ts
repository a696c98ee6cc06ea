import test from 'ava'
import { late, withTimeout } from '../../src/base/within.ts'

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
