import test from 'ava'
import { makeReadCache } from '../../src/accounts/read-cache.ts'

/** Each read takes the next answer once it is given. */
function makeReads() {
  const reads: PromiseWithResolvers<string>[] = []
  const cache = makeReadCache(
    (subject: { readonly user: string; readonly place: string }) => `${subject.user} ${subject.place}`,
    async () => {
      const read = Promise.withResolvers<string>()
      reads.push(read)
      return await read.promise
    },
  )
  return { reads, ...cache }
}
const ada = { user: 'ada', place: 'here' }

test('concurrent callers share a read, and later ones get its result', async (t) => {
  const { reads, get } = makeReads()
  const both = [get(ada), get({ ...ada })]
  reads[0]?.resolve('first')
  t.deepEqual(await Promise.all(both), ['first', 'first'])
  t.is(await get(ada), 'first')
  t.is(reads.length, 1)
})

test('a read that began before a change answers its own callers only', async (t) => {
  const { reads, get, forget } = makeReads()
  const before = get(ada)
  forget(({ place }) => place === 'elsewhere')
  const alsoBefore = get(ada)
  forget(({ user }) => user === 'ada')
  const afterwards = get(ada)
  t.is(reads.length, 2)
  reads[1]?.resolve('new')
  t.is(await afterwards, 'new')
  reads[0]?.resolve('old')
  t.deepEqual(await Promise.all([before, alsoBefore]), ['old', 'old'])
  t.is(await get(ada), 'new')
})

test('a read that fails is not cached, and does not remove the result of a later one', async (t) => {
  const { reads, get, forget } = makeReads()
  const failing = get(ada)
  forget(() => true)
  const next = get(ada)
  reads[1]?.resolve('read')
  t.is(await next, 'read')
  reads[0]?.reject(new Error('away'))
  await t.throwsAsync(failing, { message: 'away' })
  t.is(await get(ada), 'read')
  forget(() => true)
  const again = get(ada)
  reads[2]?.reject(new Error('away'))
  await t.throwsAsync(again, { message: 'away' })
  void get(ada)
  t.is(reads.length, 4)
})
