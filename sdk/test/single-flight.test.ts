// Equal calls at the same time.
import test, { type ExecutionContext } from 'ava'
import { runInTime } from '../../test/_kit/in-time.ts'
import { until } from '../../test/_kit/until.ts'
import { makeFlights, maxFlightMs } from '../src/serving/single-flight.ts'
import { changeRules, openWorld, reuseRule, seed } from './_client.ts'
import type { FakeService } from './_service.ts'

type Found = { readonly call: number; readonly city: string }

/** A tool whose calls end when they are told to. */
function makeGated() {
  const waiting: { readonly end: () => void; readonly fail: (error: Error) => void }[] = []
  return {
    waiting,
    fn: ({ city }: { city: string }): Promise<Found> =>
      new Promise((resolve, reject) => {
        const call = waiting.length + 1
        waiting.push({ end: () => resolve({ call, city }), fail: reject })
      }),
  }
}

/** Ends the call that runs, and then the one that waited for it and runs for itself. Gives which call each got its result from. */
async function endInTurn(
  { waiting }: ReturnType<typeof makeGated>,
  calls: readonly Promise<Found>[],
): Promise<number[]> {
  waiting[0]?.end()
  await until(() => waiting.length === 2)
  waiting[1]?.end()
  return (await Promise.all(calls)).map(({ call }) => call)
}

const oslo = '{"city":"Oslo"}'
const bergen = '{"city":"Bergen"}'
const inOslo = { city: 'Oslo' }
/** Every look-up is answered, so what would run by itself has begun to run. */
const turns = async (): Promise<void> => {
  for (let nth = 0; nth < 20; nth++) await new Promise((turn) => setImmediate(turn))
}

/** Five equal calls and another one, all of them at the same time. */
async function callSixTimes(t: ExecutionContext) {
  const { service, client } = await openWorld(t)
  const rule = reuseRule('weather', [oslo, bergen])
  service.setRules([rule])
  const tracewright = await client()
  const gated = makeGated()
  const weather = tracewright.tool('weather', gated.fn, { attest: true })
  const calls = Array.from({ length: 5 }, () => weather(inOslo))
  const other = weather({ city: 'Bergen' })
  await until(() => gated.waiting.length >= 2)
  await turns()
  for (const { end } of gated.waiting) end()
  return { service, rule, tracewright, gated, five: await Promise.all(calls), other: await other }
}

test('under a rule equal calls at the same time run once, and each gets a copy of its own', async (t) => {
  const { service, rule, tracewright, gated, five, other } = await runInTime(maxFlightMs, () => callSixTimes(t))
  t.is(other.city, 'Bergen')
  t.is(gated.waiting.length, 2)
  t.is(new Set(five).size, 5)
  for (const found of five) t.is(found.city, 'Oslo')
  t.like(tracewright.stats(), { served: 4 })
  t.is(tracewright.stats().servedFrom.shared, 4)
  const spans = await service.received('execute_tool weather', 6)
  const served = spans.filter(({ attributes }) => attributes['tracewright.tool.served'] === true)
  t.is(served.length, 4)
  for (const { attributes } of served) {
    t.is(attributes['tracewright.decision_id'], rule.decision_id)
    t.false('tracewright.tool.attested' in attributes)
  }
})

test('equal calls at the same time ask the service once', async (t) => {
  const { service, client } = await openWorld(t)
  await seed(service)
  const tracewright = await client()
  const weather = tracewright.tool('weather', makeGated().fn, { attest: true })
  await Promise.all(Array.from({ length: 5 }, () => weather(inOslo)))
  t.deepEqual(tracewright.stats().servedFrom, { memory: 0, shared: 4, fetched: 1, stub: 0 })
  t.is(service.requests.filter((request) => request.includes('tool-result')).length, 1)
})

test('if the running call fails, only it gets the error, and the waiting calls run by themselves', async (t) => {
  const { service, client } = await openWorld(t)
  service.setRules([reuseRule('weather', [oslo])])
  const tracewright = await client()
  const gated = makeGated()
  const weather = tracewright.tool('weather', gated.fn, { attest: true })
  const [first, second, third] = [weather(inOslo), weather(inOslo), weather(inOslo)]
  await until(() => gated.waiting.length === 1)
  gated.waiting[0]?.fail(new RangeError('once'))
  await t.throwsAsync(first, { instanceOf: RangeError })
  await until(() => gated.waiting.length === 3)
  gated.waiting[1]?.end()
  gated.waiting[2]?.fail(new SyntaxError('of its own'))
  t.is((await second).call, 2)
  await t.throwsAsync(third, { instanceOf: SyntaxError })
  t.like(tracewright.stats(), { served: 0, missed: { refused: 1, not_shared: 2 } })
})

test('a result that has no text is not shared', async (t) => {
  const { service, client } = await openWorld(t)
  service.setRules([reuseRule('weather', [oslo])])
  const tracewright = await client()
  let calls = 0
  const weather = tracewright.tool(
    'weather',
    async (_input: { city: string }) => {
      calls += 1
      await turns()
      return new Map([['call', calls]])
    },
    { attest: true },
  )
  const results = await Promise.all([weather(inOslo), weather(inOslo)])
  t.is(calls, 2)
  t.true(results.every((result) => result instanceof Map))
})

test('a held-out call runs by itself, and no other call waits for it', async (t) => {
  const { service, client } = await openWorld(t)
  service.setRules([reuseRule('weather', [oslo], { holdout_rate: 0.5 })])
  let draw = 0
  const tracewright = await client({ random: () => draw })
  const gated = makeGated()
  const weather = tracewright.tool('weather', gated.fn, { attest: true })
  const heldOut = weather(inOslo)
  draw = 0.9
  const leading = weather(inOslo)
  await until(() => gated.waiting.length === 2)
  draw = 0
  const alsoHeldOut = weather(inOslo)
  await until(() => gated.waiting.length === 3)
  for (const { end } of gated.waiting) end()
  await Promise.all([heldOut, leading, alsoHeldOut])
  t.like(tracewright.stats(), { served: 0, heldOut: 2 })
})

test('calls of two agents, and calls without a rule, are not shared', async (t) => {
  const { service, client } = await openWorld(t)
  const tracewright = await client()
  const gated = makeGated()
  const weather = tracewright.tool('weather', gated.fn, { attest: true })
  const plain = [weather(inOslo), weather(inOslo)]
  await until(() => gated.waiting.length === 2)
  service.setRules([reuseRule('weather', [oslo])])
  await until(() => tracewright.stats().rules === 1)
  const byAgent = ['critic', 'writer'].map((name) => tracewright.agent(name, {}, () => weather(inOslo)))
  await until(() => gated.waiting.length === 4)
  for (const { end } of gated.waiting) end()
  await Promise.all([...plain, ...byAgent])
  t.is(tracewright.stats().served, 0)
})

/** Makes two equal calls under a rule: the first one runs, and the second one waits for it. */
async function callTwice(t: ExecutionContext, rule: ReturnType<typeof reuseRule>) {
  const { service, client } = await openWorld(t)
  service.setRules([rule])
  const tracewright = await client()
  const gated = makeGated()
  const weather = tracewright.tool('weather', gated.fn, { attest: true })
  const calls = [weather(inOslo), weather(inOslo)]
  await until(() => gated.waiting.length === 1)
  return { service, tracewright, gated, weather, calls }
}

test('a call that waits is served by the age limit that its rule has then', async (t) => {
  const rule = reuseRule('weather', [oslo], { freshness_s: 60 })
  const { service, tracewright, gated, calls } = await callTwice(t, rule)
  await turns()
  await changeRules(service, [{ ...rule, freshness_s: 0 }])
  t.deepEqual(await endInTurn(gated, calls), [1, 2])
  t.is(tracewright.stats().served, 0)
})

test('a waiting call runs by itself if its rule ends', async (t) => {
  const { service, tracewright, gated, calls } = await callTwice(t, reuseRule('weather', [oslo]))
  service.setRules([])
  await until(() => tracewright.stats().rules === 0)
  t.deepEqual(await endInTurn(gated, calls), [1, 2])
})

type Invalidate = (
  weather: { readonly invalidate: () => Promise<boolean> },
  service: FakeService,
  rule: ReturnType<typeof reuseRule>,
) => Promise<unknown>

const invalidatedBy: Readonly<Record<string, Invalidate>> = {
  'another process': async (_, service, rule) =>
    await changeRules(service, [{ ...rule, executed_after: new Date(Date.now() + 60_000).toISOString() }]),
  'this process': async ({ invalidate }) => await invalidate(),
}
for (const [who, invalidate] of Object.entries(invalidatedBy)) {
  test(`a call that waits for a result that ${who} invalidates runs for itself`, async (t) => {
    const rule = reuseRule('weather', [oslo])
    const { service, tracewright, gated, weather, calls } = await callTwice(t, rule)
    await invalidate(weather, service, rule)
    t.deepEqual(await endInTurn(gated, calls), [1, 2])
    t.is(tracewright.stats().missed.not_shared, 1)
  })
}

test('a call that a tool makes to itself does not wait for the call that it is part of', async (t) => {
  const { service, client } = await openWorld(t)
  service.setRules([reuseRule('weather', [oslo])])
  const tracewright = await client()
  let isAuthorized = false
  const weather = tracewright.tool(
    'weather',
    async (input: { city: string }): Promise<Found> => {
      if (isAuthorized) return { call: 2, city: input.city }
      isAuthorized = true
      return await weather(input)
    },
    { attest: true },
  )
  t.is((await weather(inOslo)).call, 2)
  t.deepEqual(tracewright.stats().missed, { refused: 2 })
})

test('other calls wait for a call that hangs until ten seconds after its start, and do not join it after that', async (t) => {
  const clock = { nowMs: 0 }
  const flights = makeFlights(() => ({ unixMs: clock.nowMs, monotonicMs: clock.nowMs }))
  const flight = flights.lead('search', 'key')
  const shared = flights.find('key')
  clock.nowMs = maxFlightMs - 5
  t.is(flights.find('key'), shared)
  t.is(await flights.join(shared as NonNullable<typeof shared>), null)
  clock.nowMs = maxFlightMs
  t.is(flights.find('key'), null)
  const next = flights.lead('search', 'key')
  flight.land(null)
  t.truthy(flights.find('key'), 'the end of the old call does not end the new one')
  next.land(null)
  t.is(flights.find('key'), null)
})
