import test from 'ava'
import { makeReadCache } from '../../src/accounts/read-cache.ts'
import { measure } from '../_kit/standstill.ts'
import { until } from '../_kit/until.ts'

/** Each read takes the next answer once it is given. Time passes only by `pass`. */
function makeReads() {
  const reads: PromiseWithResolvers<string>[] = []
  let ageMs = 1
  const cache = makeReadCache({
    idsOf: (subject: { readonly user: string; readonly place: string }) => [subject.user, subject.place],
    read: async () => {
      const read = Promise.withResolvers<string>()
      reads.push(read)
      return await read.promise
    },
    isFound: (result) => result !== 'nothing',
    nowMs: () => ageMs,
  })
  return {
    reads,
    ...cache,
    pass: (ms: number): void => {
      ageMs += ms
    },
  }
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

test('a result is read again after five seconds, whether it was found or not', async (t) => {
  for (const answer of ['found', 'nothing']) {
    const { reads, get, pass } = makeReads()
    const first = get(ada)
    reads[0]?.resolve(answer)
    await first
    pass(4_900)
    t.is(await get(ada), answer)
    pass(200)
    // The cache reads its clock once a millisecond.
    await until(() => {
      void get(ada)
      return reads.length === 2
    })
  }
})

test('a read that began before a change answers its own callers only', async (t) => {
  const { reads, get, forget } = makeReads()
  const before = get(ada)
  forget('elsewhere')
  const alsoBefore = get(ada)
  forget('ada')
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
  forget('here')
  const next = get(ada)
  reads[1]?.resolve('read')
  t.is(await next, 'read')
  reads[0]?.reject(new Error('away'))
  await t.throwsAsync(failing, { message: 'away' })
  t.is(await get(ada), 'read')
  forget('here')
  const again = get(ada)
  reads[2]?.reject(new Error('away'))
  await t.throwsAsync(again, { message: 'away' })
  void get(ada)
  t.is(reads.length, 4)
})

test('what is not found is cached, and evicts nothing that was found', async (t) => {
  const { reads, get, forget } = makeReads()
  const found = get(ada)
  reads[0]?.resolve('found')
  await found
  for (let at = 0; at < 20_500; at += 1) {
    const missing = get({ user: 'eve', place: `${at}` })
    reads.at(-1)?.resolve('nothing')
    await missing
  }
  t.is(await get(ada), 'found')
  t.is(await get({ user: 'eve', place: '20499' }), 'nothing')
  t.is(reads.length, 20_501)
  forget('eve')
  void get({ user: 'eve', place: '20499' })
  t.is(await get(ada), 'found')
  t.is(reads.length, 20_502)
})

test('a result that is not found after a change is not cached', async (t) => {
  const { reads, get, forget } = makeReads()
  const before = get(ada)
  forget('ada')
  reads[0]?.resolve('nothing')
  t.is(await before, 'nothing')
  const afterwards = get(ada)
  reads[1]?.resolve('found')
  t.is(await afterwards, 'found')
  t.is(await get(ada), 'found')
})

test('to forget an id passes over no other entries', async (t) => {
  const { reads, get, forget } = makeReads()
  for (let at = 0; at < 20_000; at += 1) void get({ user: `${at}`, place: 'here' })
  for (const { resolve } of reads) resolve('found')
  await get({ user: '0', place: 'here' })
  const { tookMs } = await measure(async () => {
    for (let at = 0; at < 2_000; at += 1) forget(`${at}`)
    await Promise.resolve()
  })
  // A pass over 20,000 entries takes more than a millisecond.
  t.true(tookMs < 500, `${tookMs} ms`)
  void get({ user: '1999', place: 'here' })
  t.is(await get({ user: '2000', place: 'here' }), 'found')
  t.is(reads.length, 20_001)
})
