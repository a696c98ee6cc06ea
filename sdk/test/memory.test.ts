// Results in the memory of the client, as an agent meets them.
import test from 'ava'
import { until } from '../../test/_kit/until.ts'
import type { Tracewright } from '../src/tracewright.ts'
import { countLookups, makeCounter, openWorld, reuseRule, seed } from './_client.ts'

const oslo = '{"city":"Oslo"}'
const isServed = ({ attributes }: { attributes: Record<string, unknown> }): boolean =>
  attributes['tracewright.tool.served'] === true

test('under a rule a repeated call gets the result of the real one, with no request', async (t) => {
  const { service, client } = await openWorld(t)
  const rule = reuseRule('weather', [oslo])
  service.setRules([rule])
  const tracewright = await client()
  const counter = makeCounter()
  const weather = tracewright.tool('weather', counter.fn, { attest: true })
  const first = await weather({ city: 'Oslo' })
  t.is(countLookups(service), 1)
  const second = await weather({ city: 'Oslo' })
  t.deepEqual(second, { degrees: 1, city: 'Oslo' })
  t.deepEqual(Object.keys(second), ['degrees', 'city'])
  t.not(second, first)
  Object.assign(second, { degrees: 99 })
  Object.assign(first, { degrees: 99 })
  t.is((await weather({ city: 'Oslo' })).degrees, 1, 'no caller can change what another gets')
  t.is(counter.calls(), 1)
  t.is(countLookups(service), 1)
  t.like(tracewright.stats(), { served: 2, missed: { refused: 1 } })
  t.deepEqual(tracewright.stats().servedFrom, { memory: 2, shared: 0, fetched: 0, stub: 0 })
  t.true(tracewright.stats().memoryBytes > 0)
  const spans = await service.received('execute_tool weather', 3)
  const served = spans.filter(isServed)
  t.is(served.length, 2)
  for (const { attributes } of served) {
    t.is(attributes['tracewright.decision_id'], rule.decision_id)
    t.false('tracewright.tool.input_hash' in attributes)
  }
})

test('a fetched result is served from memory afterwards', async (t) => {
  const { service, client } = await openWorld(t)
  await seed(service)
  const tracewright = await client()
  const counter = makeCounter()
  const weather = tracewright.tool('weather', counter.fn, { attest: true })
  for (let nth = 0; nth < 3; nth++) await weather({ city: 'Oslo' })
  t.is(counter.calls(), 0)
  t.is(countLookups(service), 1)
  t.deepEqual(tracewright.stats().servedFrom, { memory: 2, shared: 0, fetched: 1, stub: 0 })
})

test('without a rule nothing is stored in memory', async (t) => {
  const { service, client } = await openWorld(t)
  const tracewright = await client()
  const counter = makeCounter()
  const weather = tracewright.tool('weather', counter.fn, { attest: true })
  await weather({ city: 'Oslo' })
  await weather({ city: 'Oslo' })
  t.is(tracewright.stats().memoryBytes, 0)
  service.setRules([reuseRule('weather', ['{"city":"Bergen"}'])])
  await until(() => tracewright.stats().rules === 1)
  await weather({ city: 'Oslo' })
  t.is(counter.calls(), 3, 'an input that the rule does not list')
  t.is(tracewright.stats().memoryBytes, 0)
  t.is(countLookups(service), 0)
})

test('memory returns the same as a stored result: redacted, and decoded for each call', async (t) => {
  const { service, client } = await openWorld(t)
  service.setRules([reuseRule('lookup', ['"x"']), reuseRule('coded', ['"x"'])])
  const tracewright = await client()
  const lookup = tracewright.tool('lookup', async (_input: string) => ({ id: 7, secret: 'yes' }), {
    attest: true,
    redact: (copy) => ({ ...copy, secret: '' }),
  })
  t.deepEqual(await lookup('x'), { id: 7, secret: 'yes' })
  t.deepEqual(await lookup('x'), { id: 7, secret: '' })
  const coded = tracewright.tool('coded', async (_input: string) => new Map([['a', 1]]), {
    attest: true,
    encode: (map) => JSON.stringify([...map]),
    decode: (text) => new Map(JSON.parse(text) as [string, number][]),
  })
  await coded('x')
  const served = await coded('x')
  served.set('b', 2)
  t.deepEqual(await coded('x'), new Map([['a', 1]]))
  t.is(tracewright.stats().servedFrom.memory, 3)
})

test('the holdout comes before memory, and a result that differs ends serving until it repeats', async (t) => {
  const { service, client } = await openWorld(t)
  service.setRules([reuseRule('weather', [oslo], { holdout_rate: 0.5 })])
  let draw = 0.9
  const tracewright = await client({ random: () => draw })
  const counter = makeCounter()
  const weather = tracewright.tool('weather', counter.fn, { attest: true })
  await weather({ city: 'Oslo' })
  t.is((await weather({ city: 'Oslo' })).degrees, 1)
  draw = 0
  t.is((await weather({ city: 'Oslo' })).degrees, 2)
  draw = 0.9
  t.is((await weather({ city: 'Oslo' })).degrees, 3, 'it runs, and gives another result again')
  t.is((await weather({ city: 'Oslo' })).degrees, 4)
  t.like(tracewright.stats(), { served: 1, heldOut: 1 })
  await tracewright.flush()
  // In any order: a span is sent when its result is encrypted.
  const changed = service.spans.filter(({ attributes }) => attributes['tracewright.tool.changed'] === true)
  t.deepEqual([service.spans.length, changed.length], [5, 3], 'the service is told of each result that differs')
})

test('when the newest execution failed, nothing is served until one succeeds, not even what the service has', async (t) => {
  const { service, client } = await openWorld(t)
  await seed(service, {}, { holdout_rate: 0.5 })
  let draw = 0.9
  const tracewright = await client({ random: () => draw })
  let isRevoked = false
  let calls = 0
  const weather = tracewright.tool(
    'weather',
    async ({ city }: { city: string }) => {
      calls += 1
      if (isRevoked) throw new Error('access revoked')
      return { degrees: 50 + calls, city }
    },
    { attest: true },
  )
  t.is((await weather({ city: 'Oslo' })).degrees, 1)
  isRevoked = true
  draw = 0
  await t.throwsAsync(weather({ city: 'Oslo' }), { message: 'access revoked' })
  draw = 0.9
  await t.throwsAsync(weather({ city: 'Oslo' }), { message: 'access revoked' })
  isRevoked = false
  t.is((await weather({ city: 'Oslo' })).degrees, 53)
  t.is((await weather({ city: 'Oslo' })).degrees, 53)
  t.is(countLookups(service), 1)
  t.deepEqual(tracewright.stats().missed, { newest_unusable: 2 })
})

test('a result that cannot be stored is not answered with an older one', async (t) => {
  const { service, client } = await openWorld(t)
  await seed(service, {}, { holdout_rate: 0.5 })
  let draw = 0
  const tracewright = await client({ random: () => draw, maxResultBytes: 1_024 })
  let chars = 2_000
  const weather = tracewright.tool('weather', async (_input: { city: string }) => 'x'.repeat(chars), { attest: true })
  await weather({ city: 'Oslo' })
  draw = 0.9
  t.is((await weather({ city: 'Oslo' })).length, 2_000)
  chars = 10
  await weather({ city: 'Oslo' })
  t.is((await weather({ city: 'Oslo' })).length, 10)
  t.is(tracewright.stats().served, 1)
})

test('a result that only its bytes make too large is not kept either, as the service counts the call as failed', async (t) => {
  const { service, client } = await openWorld(t)
  service.setRules([reuseRule('translate', ['"x"'])])
  const tracewright = await client({ maxResultBytes: 1_024 })
  let calls = 0
  // 500 characters in 1,500 bytes.
  const translate = tracewright.tool('translate', async (_input: string) => `${calls++}${'漢'.repeat(500)}`, {
    attest: true,
  })
  await translate('x')
  t.true((await translate('x')).startsWith('1'))
  t.like(tracewright.stats(), { served: 0, missed: { refused: 1, newest_unusable: 1 }, unstored: { too_large: 2 } })
  const spans = await service.received('execute_tool translate', 2)
  for (const { attributes } of spans) t.is(attributes['tracewright.tool.content_hash'], 'unstorable')
})

test('the memory of an agent serves no other agent', async (t) => {
  const { service, client } = await openWorld(t)
  const of = (agent: string) => ({ agent_id: '00000000-0000-4000-8000-000000000001', agent_name: agent })
  service.setRules([reuseRule('weather', [oslo], of('critic')), reuseRule('weather', [oslo], of('writer'))])
  const tracewright = await client()
  const counter = makeCounter()
  const weather = tracewright.tool('weather', counter.fn, { attest: true })
  const callAs = (name: string): Promise<{ degrees: number }> =>
    tracewright.agent(name, {}, () => weather({ city: 'Oslo' }))
  t.is((await callAs('critic')).degrees, 1)
  t.is((await callAs('writer')).degrees, 2)
  t.is((await callAs('critic')).degrees, 1)
  t.is((await callAs('writer')).degrees, 2)
  t.is((await callAs('other')).degrees, 3)
})

test('the memory of a client is bounded', async (t) => {
  const { service, client } = await openWorld(t)
  const inputs = Array.from({ length: 200 }, (_, nth) => nth)
  service.setRules([reuseRule('page', inputs.map(String))])
  const maxMemoryBytes = 50_000
  const tracewright: Tracewright = await client({ maxMemoryBytes })
  const page = tracewright.tool('page', async (_nth: number) => 'x'.repeat(1_000), { attest: true })
  for (const nth of inputs) {
    await page(nth)
    t.true(tracewright.stats().memoryBytes <= maxMemoryBytes)
  }
  t.true(tracewright.stats().memoryBytes > maxMemoryBytes / 2)
})

test('after shutdown every call runs for real, since changes of the rules would not arrive', async (t) => {
  const { service, client } = await openWorld(t)
  await seed(service)
  const tracewright = await client()
  const counter = makeCounter()
  const weather = tracewright.tool('weather', counter.fn, { attest: true })
  await weather({ city: 'Oslo' })
  t.is(counter.calls(), 0)
  await tracewright.shutdown()
  await weather({ city: 'Oslo' })
  t.is(counter.calls(), 1)
  t.like(tracewright.stats(), { rules: 0, memoryBytes: 0, served: 1, missed: {} })
})
