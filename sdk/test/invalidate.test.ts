import { randomUUID } from 'node:crypto'
import { setMaxListeners } from 'node:events'
import type { ServerResponse } from 'node:http'
import test from 'ava'
import { until } from '../../test/_kit/until.ts'
import {
  changeRules,
  countLookups,
  hmacOf,
  inputHashOf,
  makeClient,
  makeCounter,
  openWorld,
  reuseRule,
  seed,
} from './_client.ts'
import { deadUrl, storedResult } from './_service.ts'

const [oslo, bergen] = ['{"city":"Oslo"}', '{"city":"Bergen"}']

test('an invalidation ends serving in this process at once and is sent to the service', async (t) => {
  const { service, client } = await openWorld(t)
  service.setRules([reuseRule('weather', [oslo, bergen])])
  const tracewright = await client()
  const counter = makeCounter()
  const weather = tracewright.tool('weather', counter.fn, { attest: true })
  for (const city of ['Oslo', 'Bergen', 'Oslo', 'Bergen']) await weather({ city })
  t.is(counter.calls(), 2)
  const told = weather.invalidate({ city: 'Oslo' })
  await weather({ city: 'Bergen' })
  t.is(counter.calls(), 2, 'of another input')
  await weather({ city: 'Oslo' })
  t.is(counter.calls(), 3)
  t.true(await told)
  t.deepEqual(service.invalidations, [{ tool_name: 'weather', input_hash: inputHashOf('weather', oslo) }])
  await weather({ city: 'Oslo' })
  t.is(counter.calls(), 3, 'what was executed since is served')
  t.true(await weather.invalidate())
  t.deepEqual(service.invalidations[1], { tool_name: 'weather' })
  for (const city of ['Oslo', 'Bergen']) await weather({ city })
  t.is(counter.calls(), 5)
})

test('a success response of another server does not count as an invalidation', async (t) => {
  const { service, client } = await openWorld(t)
  const tracewright = await client()
  const weather = tracewright.tool('weather', makeCounter().fn, { attest: true })
  service.answer('invalidate', (request, response) => {
    request.resume().once('end', () => response.writeHead(200, { 'content-type': 'text/html' }).end('<html>'))
  })
  t.false(await weather.invalidate())
})

test('results from before an invalidation are not served, even if the service still has them', async (t) => {
  const { service, client } = await openWorld(t)
  await seed(service)
  const tracewright = await client()
  const counter = makeCounter()
  const weather = tracewright.tool('weather', counter.fn, { attest: true })
  t.true(await weather.invalidate())
  await weather({ city: 'Oslo' })
  t.is(counter.calls(), 1)
  t.deepEqual(tracewright.stats().missed, { stale: 1 })
  t.is(countLookups(service), 1)
})

test('a result that another process invalidates during the fetch is not served', async (t) => {
  const { service, client } = await openWorld(t)
  const { rule, span, decisionId } = await seed(service)
  const asked = Promise.withResolvers<ServerResponse>()
  service.answer('result', (_, response) => asked.resolve(response))
  const tracewright = await client()
  const counter = makeCounter()
  const weather = tracewright.tool('weather', counter.fn, { attest: true })
  const called = weather({ city: 'Oslo' })
  const response = await asked.promise
  await changeRules(service, [{ ...rule, executed_after: new Date(Date.now() + 60_000).toISOString() }])
  response.writeHead(200, { 'content-type': 'application/json' })
  response.end(JSON.stringify(storedResult(span, decisionId)))
  await called
  t.is(counter.calls(), 1)
  t.deepEqual(tracewright.stats().missed, { stale: 1 })
})

test('a call in progress is not stored after an invalidation, and later calls do not join it', async (t) => {
  const { service, client } = await openWorld(t)
  service.setRules([reuseRule('weather', [oslo])])
  const tracewright = await client()
  const ends: (() => void)[] = []
  const fn = (_input: { city: string }): Promise<number> =>
    new Promise((resolve) => {
      const nth = ends.length + 1
      ends.push(() => resolve(nth))
    })
  const weather = tracewright.tool('weather', fn, { attest: true })
  const before = weather({ city: 'Oslo' })
  await until(() => ends.length === 1)
  await weather.invalidate()
  const after = weather({ city: 'Oslo' })
  await until(() => ends.length === 2)
  ends[0]?.()
  t.is(await before, 1)
  const third = weather({ city: 'Oslo' })
  ends[1]?.()
  t.is(await after, 2)
  t.is(await third, 2)
})

test('a rule that serves only what was executed after a time refuses what is older', async (t) => {
  const { service, client } = await openWorld(t)
  const { rule } = await seed(service)
  const afterMs = Date.now()
  service.setRules([{ ...rule, executed_after: new Date(afterMs).toISOString() }])
  await until(() => Date.now() > afterMs)
  const tracewright = await client()
  const counter = makeCounter()
  const weather = tracewright.tool('weather', counter.fn, { attest: true })
  await weather({ city: 'Oslo' })
  await weather({ city: 'Oslo' })
  t.is(counter.calls(), 1)
  t.like(tracewright.stats(), { served: 1, missed: { stale: 1 } })
  service.setRules([{ ...rule, executed_after: new Date(Date.now() + 1).toISOString() }])
  await until(() => tracewright.stats().memoryBytes === 0)
  await weather({ city: 'Oslo' })
  t.is(counter.calls(), 2)
})

test('an invalidation contains the version and the hash of the scope', async (t) => {
  const { service, client } = await openWorld(t)
  const tracewright = await client()
  const options = { attest: true, version: '2', scope: () => 'user 1' } as const
  const weather = tracewright.tool('weather', makeCounter().fn, options)
  t.true(await weather.invalidate({ city: 'Oslo' }))
  t.deepEqual(service.invalidations, [
    {
      tool_name: 'weather',
      version: '2',
      input_hash: hmacOf(`tracewright/input/2\n["weather","2","user 1"]\n${oslo}`),
    },
  ])
})

test('if an input has no hash, all results of the tool are invalidated', async (t) => {
  const { service, client } = await openWorld(t)
  const tracewright = await client()
  const circular: { self?: object } = {}
  circular.self = circular
  const hostile = {
    get city(): string {
      throw new Error('no city')
    },
  }
  const odd = tracewright.tool('odd', async (_input: unknown) => 1, { attest: true })
  for (const input of [circular, hostile]) t.true(await odd.invalidate(input))
  const scoped = tracewright.tool('odd', async (_input: unknown) => 1, {
    attest: true,
    scope: () => {
      throw new Error('no scope')
    },
  })
  t.true(await scoped.invalidate({ city: 'Oslo' }))
  t.deepEqual(service.invalidations, [{ tool_name: 'odd' }, { tool_name: 'odd' }, { tool_name: 'odd' }])
})

test('an invalidation that is refused for its rate is sent again when the service allows it', async (t) => {
  const { service, client } = await openWorld(t)
  const tracewright = await client()
  const weather = tracewright.tool('weather', makeCounter().fn, { attest: true })
  let refusals = 0
  service.answer('invalidate', (request, response) => {
    refusals += 1
    if (refusals === 2) service.answer('invalidate', null)
    request.resume().once('end', () => response.writeHead(refusals === 1 ? 429 : 503, { 'retry-after': '0' }).end())
  })
  t.true(await weather.invalidate({ city: 'Oslo' }))
  t.is(refusals, 2)
  t.deepEqual(service.invalidations, [{ tool_name: 'weather', input_hash: inputHashOf('weather', oslo) }])
})

test('an invalidation is sent again if the service is unavailable or the connection fails', async (t) => {
  const { service, client } = await openWorld(t)
  const tracewright = await client()
  const weather = tracewright.tool('weather', makeCounter().fn, { attest: true })
  const outages = [502, 503, 504, null]
  let refused = 0
  service.answer('invalidate', (request, response) => {
    const status = outages[refused]
    refused += 1
    if (refused === outages.length) service.answer('invalidate', null)
    if (status === null || status === undefined) request.socket.destroy()
    else request.resume().once('end', () => response.writeHead(status).end())
  })
  // At once, so that all wait for the same second.
  const cities = ['Oslo', 'Bergen', 'Bodø', 'Narvik']
  t.deepEqual(await Promise.all(cities.map((city) => weather.invalidate({ city }))), [true, true, true, true])
  t.is(refused, outages.length)
  t.is(service.invalidations.length, cities.length)
})

test('many invalidations that wait to be sent again cause no warning', async (t) => {
  const { service } = await openWorld(t)
  const original = globalThis.AbortController
  // Node 20 limits the listeners of each signal to ten; newer versions do not.
  globalThis.AbortController = class extends original {
    constructor() {
      super()
      setMaxListeners(10, this.signal)
    }
  }
  const tracewright = makeClient(service.url)
  globalThis.AbortController = original
  const warnings: string[] = []
  const onWarning = ({ name }: Error): void => void warnings.push(name)
  process.on('warning', onWarning)
  t.teardown(async () => {
    process.off('warning', onWarning)
    await tracewright.shutdown()
  })
  const cities = Array.from({ length: 12 }, (_, nth) => `city ${nth}`)
  const waiting: ServerResponse[] = []
  service.answer('invalidate', (request, response) => {
    request.resume().once('end', () => {
      if (waiting.push(response) < cities.length) return
      service.answer('invalidate', null)
      for (const one of waiting) one.writeHead(429, { 'retry-after': '1' }).end()
    })
  })
  const weather = tracewright.tool('weather', makeCounter().fn, { attest: true })
  await Promise.all(cities.map((city) => weather.invalidate({ city })))
  t.is(service.invalidations.length, cities.length)
  t.deepEqual(warnings, [])
})

test('a client that shuts down does not wait to send an invalidation again', async (t) => {
  const { service, client } = await openWorld(t)
  const tracewright = await client()
  const weather = tracewright.tool('weather', makeCounter().fn, { attest: true })
  const refuse = (retryAfter: string) => {
    const refused = Promise.withResolvers<void>()
    service.answer('invalidate', (request, response) => {
      request.resume().once('end', () => {
        response.writeHead(429, { 'retry-after': retryAfter }).end()
        refused.resolve()
      })
    })
    return refused.promise
  }
  void refuse('60')
  t.false(await weather.invalidate(), 'longer than it waits')
  const refused = refuse('20')
  const invalidated = weather.invalidate()
  await refused
  await tracewright.shutdown()
  t.false(await invalidated)
})

test('`invalidate` resolves to false if the service does not accept it, and never rejects', async (t) => {
  const { service, client } = await openWorld(t)
  const tracewright = await client()
  const weather = tracewright.tool('weather', makeCounter().fn, { attest: true })
  for (const status of [404, 429, 500]) {
    service.answer('invalidate', (request, response) => {
      request.resume().once('end', () => response.writeHead(status).end())
    })
    t.false(await weather.invalidate())
  }
  const alone = makeClient(deadUrl, { flushTimeoutMs: 20 })
  const invalidated = alone.tool('weather', makeCounter().fn).invalidate()
  await alone.shutdown()
  t.false(await invalidated)
  t.false(await alone.tool('weather', makeCounter().fn).invalidate({ city: randomUUID() }))
  t.is(alone.stats().faults, 0)
})
