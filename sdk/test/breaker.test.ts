import { randomUUID } from 'node:crypto'
import test from 'ava'
import { makeBreaker, makeKeyBreakers } from '../src/breaker.ts'
import { countLookups, keyOf, makeCounter, openWorld, reuseRule, seed } from './_client.ts'
import { storedResult } from './_service.ts'

test('failures of concurrent requests pause further ones no longer than three failures do', (t) => {
  const clock = { nowMs: 0 }
  const nowMs = (): number => clock.nowMs
  const most = (): number => 1
  const breaker = makeBreaker(nowMs, most)
  const keys = makeKeyBreakers(nowMs, most)
  const burst = (): void => {
    for (let nth = 0; nth < 20; nth++) {
      breaker.failed()
      keys.notOpened('rule', 'key')
    }
  }
  const isClosedAt = (atMs: number): boolean[] => {
    clock.nowMs = atMs
    return [breaker.isClosed(), keys.isClosed('rule')]
  }
  burst()
  t.deepEqual(isClosedAt(999), [false, false])
  t.deepEqual(isClosedAt(1_000), [true, true])
  burst()
  t.deepEqual(isClosedAt(2_999), [false, false], 'twice as long after the next failure')
  t.deepEqual(isClosedAt(3_000), [true, true])
})

test('rules whose last result has a key id that cannot be decrypted pause, and are tried again', (t) => {
  const clock = { nowMs: 0 }
  const keys = makeKeyBreakers(
    () => clock.nowMs,
    () => 1,
  )
  for (let nth = 0; nth < 3; nth++) {
    t.true(keys.isClosed('first'))
    keys.notOpened('first', 'new')
  }
  t.false(keys.isClosed('first'))
  t.true(keys.isClosed('second'), 'nothing is known of its results')
  keys.notOpened('second', 'new')
  t.false(keys.isClosed('second'), 'the key is known by now')
  keys.notOpened('third', 'other')
  t.true(keys.isClosed('third'))
  clock.nowMs = 2_000
  t.true(keys.isClosed('first'))
  keys.notOpened('first', 'new')
  t.false(keys.isClosed('first'))
  clock.nowMs = 60_000
  keys.opened('first', 'new')
  t.true(keys.isClosed('first'))
  t.true(keys.isClosed('second'))
})

test('results that were encrypted with another key are not fetched repeatedly', async (t) => {
  const { service, client } = await openWorld(t)
  const { span, rule } = await seed(service)
  const cities = Array.from({ length: 10 }, (_, nth) => `city ${nth}`)
  const other = reuseRule(
    'weather',
    cities.map((city) => JSON.stringify({ city })),
  )
  service.setRules([rule, other])
  service.store(other.decision_id, storedResult(span, other.decision_id, { key_id: 'unknown' }))
  const tracewright = await client({ random: () => 0.99 })
  const counter = makeCounter()
  const weather = tracewright.tool('weather', counter.fn, { attest: true })
  const startedAtMs = performance.now()
  for (const city of cities) await weather({ city })
  const tookMs = performance.now() - startedAtMs
  const { not_opened: tried = 0, paused = 0 } = tracewright.stats().missed
  t.is(tried + paused, cities.length)
  // Three, and one more after each pause, which lasts for almost a second.
  t.true(tried >= 3 && tried <= 3 + tookMs / 990, `${tried} in ${tookMs} ms`)
  t.is(countLookups(service), tried)
  t.is((await weather({ city: 'Oslo' })).degrees, 1, 'another rule is still asked for')
  t.is(counter.calls(), cities.length)
})

test('a result that a known key cannot decrypt does not block other results of that key', async (t) => {
  const { service, client } = await openWorld(t)
  const { span, rule } = await seed(service)
  const broken = reuseRule('weather', ['{"city":"Bergen"}'], { decision_id: randomUUID() })
  service.setRules([rule, broken])
  service.store(broken.decision_id, storedResult(span, broken.decision_id, { tag_b64: '' }))
  const tracewright = await client({ maxMemoryBytes: 0, encryptionKeys: { current: { keyId: 'a', key: keyOf('a') } } })
  const counter = makeCounter()
  const weather = tracewright.tool('weather', counter.fn, { attest: true })
  for (let nth = 0; nth < 4; nth++) await weather({ city: 'Bergen' })
  t.is(counter.calls(), 4)
  await weather({ city: 'Oslo' })
  t.is(tracewright.stats().served, 1)
})
