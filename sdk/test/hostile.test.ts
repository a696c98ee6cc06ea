// The service away, slow, lying or hostile: the agent gets what its tool gives, in time, whatever is answered.
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import test, { type ExecutionContext } from 'ava'
import { measure } from '../../test/_kit/standstill.ts'
import { until } from '../../test/_kit/until.ts'
import type { FetchMiss } from '../src/fetch-result.ts'
import type { ToolOptions, Tracewright, TracewrightOptions } from '../src/tracewright.ts'
import { keyOf, makeClient, makeCounter, type Seeded, seed, type WeatherResult } from './_client.ts'
import { deadUrl, type FakeService, type ReceivedRequest, startFakeService, storedResult } from './_service.ts'

// What a busy machine may add to a deadline before a test calls it broken, beside the time in which it stood still. Tests with a short
// deadline run alone: the CPU time of other tests in this process would count as theirs.
const slackMs = 1_500
const deadlineMs = 300

type World = {
  readonly service: FakeService
  readonly seeded: Seeded
  readonly client: Tracewright
  /** Calls the tool that the rule covers; gives how often it has run for real. */
  readonly call: () => Promise<number>
}

async function open(t: ExecutionContext, options: Partial<TracewrightOptions> = {}): Promise<World> {
  const service = await startFakeService()
  const seeded = await seed(service)
  // Without memory, so that each call asks the service.
  const client = makeClient(service.url, { flushTimeoutMs: 50, deadlineMs, maxMemoryBytes: 0, ...options })
  t.teardown(async () => {
    await client.shutdown()
    await service.stop()
  })
  await client.ready(60_000)
  const counter = makeCounter()
  const weather = client.tool('weather', counter.fn, { attest: true })
  return {
    service,
    seeded,
    client,
    async call() {
      const { value: result, tookMs } = await measure(async () => await weather({ city: 'Oslo' }))
      t.true(tookMs < (options.deadlineMs ?? deadlineMs) + slackMs, `${tookMs} ms`)
      t.is(result.degrees, Math.max(1, counter.calls()))
      return counter.calls()
    },
  }
}

/** Each answer is wrong in one way, and the tool has to run. */
function refusesStored(title: string, miss: string, change: (seeded: Seeded, other: ReceivedRequest) => object): void {
  test(`the tool runs for real where ${title}`, async (t) => {
    const { service, seeded, client, call } = await open(t, { deadlineMs: 10_000 })
    const writer = makeClient(service.url)
    const counter = makeCounter()
    await counter.fn({ city: 'none' })
    await writer.tool('weather', counter.fn, { attest: true })({ city: 'Bergen' })
    await writer.shutdown()
    const other = service.spans.at(-1) as ReceivedRequest
    service.store(seeded.decisionId, storedResult(seeded.span, seeded.decisionId, change(seeded, other)))
    t.is(await call(), 1)
    t.deepEqual(client.stats().missed, { [miss]: 1 })
    service.store(seeded.decisionId, storedResult(seeded.span, seeded.decisionId))
    t.is(await call(), 1, 'served once the answer is right')
  })
}

const tampered = (base64: unknown): string => {
  const bytes = Buffer.from(base64 as string, 'base64')
  bytes[0] = (bytes[0] ?? 0) ^ 1
  return bytes.toString('base64')
}
const of = (span: ReceivedRequest, part: string): unknown => span.attributes[`tracewright.tool.${part}`]

refusesStored('the ciphertext was altered', 'not_opened', ({ span }) => ({
  ciphertext_b64: tampered(of(span, 'ciphertext')),
}))
refusesStored('the tag was altered', 'not_opened', ({ span }) => ({ tag_b64: tampered(of(span, 'tag')) }))
refusesStored('the tag was cut', 'not_opened', ({ span }) => ({ tag_b64: (of(span, 'tag') as string).slice(0, 16) }))
refusesStored('the content hash is that of another result', 'not_opened', (_, other) => ({
  content_hash: of(other, 'content_hash'),
}))
refusesStored('the whole result is that of another input', 'other_call', (_, other) => ({
  ...storedResult(other, '', {}),
  decision_id: _.decisionId,
}))
refusesStored('the key is not known', 'not_opened', () => ({ key_id: 'unknown' }))
refusesStored('the result has expired', 'stale', () => ({ expires_at: new Date(Date.now() - 1).toISOString() }))
refusesStored('the result comes from the future', 'stale', () => ({
  cached_at: new Date(Date.now() + 3_600_000).toISOString(),
}))
refusesStored('the answer is for another decision', 'bad_answer', () => ({
  decision_id: '00000000-0000-7000-8000-000000000000',
}))
refusesStored('a time is none', 'bad_answer', () => ({ expires_at: 'soon' }))
refusesStored('a member is missing', 'bad_answer', () => ({ iv_b64: undefined }))
refusesStored('a member is of another type', 'bad_answer', () => ({ ciphertext_b64: { toString: 1 } }))
refusesStored('the ciphertext is no base64', 'bad_answer', () => ({ ciphertext_b64: 'a b\u0000c' }))

const stored = { attest: { unread: { serve: 'stored' } }, scope: () => 'one' } as const

/** Seals a result of the tool as another program would, and has the service give it under a rule about unread results. */
async function serveUnread(
  { service, seeded }: World,
  tool: string,
  options: ToolOptions<{ city: string }, WeatherResult>,
): Promise<void> {
  const writer = makeClient(service.url)
  await writer.tool(tool, makeCounter().fn, options)({ city: 'Oslo' })
  await writer.shutdown()
  const written = service.spans.findLast(({ name }) => name === `execute_tool ${tool}`)
  service.setRules([{ ...seeded.rule, type: 'suppress_dead', input_hash: null }])
  service.store(seeded.decisionId, storedResult(written as ReceivedRequest, seeded.decisionId))
}

const foreign: [string, string, string, ToolOptions<{ city: string }, WeatherResult>, Partial<TracewrightOptions>][] = [
  ['of another tool', 'other_call', 'climate', stored, {}],
  ['of another scope', 'other_call', 'weather', { ...stored, scope: () => 'two' }, {}],
  ['without a scope', 'other_call', 'weather', { attest: true }, {}],
  ['of another version of the tool', 'other_call', 'weather', { ...stored, version: '1' }, {}],
  ['that was hashed with another key', 'other_call', 'weather', stored, { hashKey: keyOf('x') }],
]
for (const [title, miss, tool, options, clientOptions] of foreign) {
  test(`a rule about unread results serves no result ${title}`, async (t) => {
    const world = await open(t)
    await serveUnread(world, tool, options)
    const client = makeClient(world.service.url, clientOptions)
    t.teardown(() => client.shutdown())
    await client.ready(60_000)
    const counter = makeCounter()
    await client.tool('weather', counter.fn, stored)({ city: 'Oslo' }, { callId: 'call' })
    t.is(counter.calls(), 1)
    t.deepEqual(client.stats().missed, { [miss]: 1 })
  })
}

test('a result whose content does not match its hash is not served', async (t) => {
  const { service, client, call } = await open(t, { deadlineMs: 10_000 })
  t.is(await call(), 0)
  const counter = makeCounter()
  const other = client.tool('weather', counter.fn, { attest: true, equals: ({ city }) => city })
  await other({ city: 'Oslo' })
  t.is(counter.calls(), 1)
  t.deepEqual(client.stats().missed, { other_content: 1 })
  t.is(service.requests.filter((request) => request.includes('tool-result')).length, 2)
})

test('an old result is not served, even if the service states a lower age', async (t) => {
  const service = await startFakeService()
  const seeded = await seed(service, {}, { freshness_s: 0.05 })
  const client = makeClient(service.url)
  t.teardown(async () => {
    await client.shutdown()
    await service.stop()
  })
  await client.ready(60_000)
  const counter = makeCounter()
  const weather = client.tool('weather', counter.fn, { attest: true })
  const untilMs = Date.now() + 60
  while (Date.now() < untilMs) await new Promise((turn) => setTimeout(turn, 5))
  service.store(seeded.decisionId, storedResult(seeded.span, seeded.decisionId))
  await weather({ city: 'Oslo' })
  t.is(counter.calls(), 1)
  t.deepEqual(client.stats().missed, { stale: 1 })
})

type Answering = Parameters<FakeService['answer']>[1]

function survives(title: string, miss: FetchMiss, handler: NonNullable<Answering>): void {
  test.serial(`the tool runs for real, and in time, where the service ${title}`, async (t) => {
    const { service, client, call } = await open(t)
    service.answer('result', handler)
    t.is(await call(), 1)
    t.is(await call(), 2)
    const { missed, faults } = client.stats()
    // On a busy machine the deadline may come first.
    t.is((missed[miss] ?? 0) + (miss === 'deadline' ? 0 : (missed.deadline ?? 0)), 2)
    t.is(faults, 0)
  })
}

const ok = { 'content-type': 'application/json' }
survives('never answers', 'deadline', () => undefined)
survives('answers a byte at a time', 'deadline', (_, response) => {
  response.writeHead(200, ok)
  const drip = setInterval(() => response.write(' '), 20)
  response.once('close', () => clearInterval(drip))
})
survives('cuts the answer short', 'unreachable', (_, response) => {
  response.writeHead(200, { ...ok, 'content-length': '1000' })
  response.write('{')
  setImmediate(() => response.destroy())
})
survives('closes the connection', 'unreachable', (request) => request.socket.destroy())
survives('talks no HTTP', 'unreachable', (request) => request.socket.end('SSH-2.0-hello\r\n'))
survives('answers with text that is not JSON', 'bad_answer', (_, response) => response.writeHead(200, ok).end('<html>'))
survives('answers null', 'bad_answer', (_, response) => response.writeHead(200, ok).end('null'))
survives('sends a bomb', 'unreachable', (_, response) =>
  response.writeHead(200, { ...ok, 'content-encoding': 'gzip' }).end(Buffer.alloc(64)),
)
survives('fails', 'bad_answer', (_, response) => response.writeHead(500).end())
survives('refuses', 'refused', (_, response) => response.writeHead(404).end('{"detail":"Not Found"}'))
survives('requests another protocol', 'unreachable', (_, response) =>
  response.writeHead(101, { upgrade: 'x', connection: 'upgrade' }).end(),
)

test('an endless answer is cut off long before the deadline and is not kept in memory', async (t) => {
  const { service, client, call } = await open(t, { deadlineMs: 10_000, maxResultBytes: 1_024 })
  let bytes = 0
  service.answer('result', (_, response) => {
    response.writeHead(200, ok)
    const pour = setInterval(() => {
      response.write('x'.repeat(1_024))
      bytes += 1_024
    }, 1)
    response.once('close', () => clearInterval(pour))
  })
  t.is(await call(), 1)
  t.deepEqual(client.stats().missed, { unreachable: 1 })
  t.true(bytes < 1_048_576)
})

test.serial('a redirect is not followed, so the key goes nowhere else', async (t) => {
  const { service, call } = await open(t)
  let asked = 0
  const elsewhere: Server = createServer((_, response) => {
    asked += 1
    response.end('{}')
  })
  await new Promise<void>((done) => elsewhere.listen(0, '127.0.0.1', done))
  t.teardown(() => elsewhere.close())
  const location = `http://127.0.0.1:${(elsewhere.address() as AddressInfo).port}/`
  service.answer('result', (_, response) => response.writeHead(302, { location }).end())
  t.is(await call(), 1)
  t.is(asked, 0)
})

test.serial('a service that does not answer is not waited for on every call', async (t) => {
  const { service, client, call } = await open(t, { random: () => 0.99 })
  service.answer('result', () => undefined)
  const startedAtMs = performance.now()
  for (let nth = 0; nth < 20; nth++) await call()
  const tookMs = performance.now() - startedAtMs
  const { deadline = 0, paused = 0 } = client.stats().missed
  t.is(deadline + paused, 20)
  // Three, and one more after each pause, which lasts for almost a second. Timers may be a little early.
  t.true(deadline >= 3 && deadline <= 3 + Math.max(0, tookMs - 3 * deadlineMs) / 990, `${deadline} in ${tookMs} ms`)
})

test.serial('without a service, tools run unchanged', async (t) => {
  const service = await startFakeService()
  const work = async (url: string) => {
    const client = makeClient(url, { flushTimeoutMs: 20 })
    t.teardown(() => client.shutdown())
    const { value: hasSent, tookMs } = await measure(async () => {
      await client.ready(60_000)
      const counter = makeCounter()
      const weather = client.tool('weather', counter.fn, { attest: true })
      for (let nth = 1; nth <= 50; nth++) t.is((await weather({ city: 'Oslo' })).degrees, nth)
      t.is(await client.agent('a', {}, () => client.llm({ provider: 'p', model: 'm', messages: [] }, async () => 5)), 5)
      return await client.flush()
    })
    return { hasSent, tookMs, stats: client.stats() }
  }
  // The control is the same work with a service that has no rules.
  const control = await work(service.url)
  await service.stop()
  const { hasSent, tookMs, stats } = await work(deadUrl)
  t.false(hasSent)
  t.true(tookMs < slackMs + 3 * control.tookMs, `${tookMs} ms, and ${control.tookMs} ms with a service`)
  t.like(stats, { served: 0, missed: {}, faults: 0 })
})

const badRules: Record<string, string> = {
  'no JSON': '<html>',
  'no rules': '{"version":1}',
  'rules of all the wrong shapes': JSON.stringify({
    rules: [null, 7, [], {}, { type: 'reuse_identity' }, { type: 'x', tool_name: 'weather', decision_id: 'x' }],
  }),
}
for (const [title, body] of Object.entries(badRules)) {
  test(`tools run for real where the service says it has ${title}`, async (t) => {
    const { service } = await open(t)
    service.answer('rules', (_, response) => response.writeHead(200, ok).end(body))
    const client = makeClient(service.url)
    t.teardown(() => client.shutdown())
    await client.ready(60_000)
    const counter = makeCounter()
    await client.tool('weather', counter.fn, { attest: true })({ city: 'Oslo' })
    t.is(counter.calls(), 1)
    t.like(client.stats(), { rules: 0, faults: 0 })
  })
}

test('a service that answers every poll at once is not asked without a pause', async (t) => {
  const service = await startFakeService()
  service.answer('rules', (_, response) => response.writeHead(200, { ...ok, etag: '"x"' }).end('{"rules":[]}'))
  const countPolls = (): number => service.requests.filter((request) => request.includes('rules')).length
  const startedAtMs = performance.now()
  const client = makeClient(service.url)
  t.teardown(async () => {
    await client.shutdown()
    await service.stop()
  })
  await until(() => countPolls() === 2)
  // Timers may be a little early.
  t.true(performance.now() - startedAtMs >= 990)
})

test('values that a tracer cannot record do not cause errors in the agent', async (t) => {
  const { client } = await open(t)
  const circular: { self?: object } = {}
  circular.self = circular
  const odd: unknown[] = [
    circular,
    new Map(),
    Symbol('x'),
    1n,
    Number.NaN,
    '\ud800',
    () => 1,
    undefined,
    null,
    new Date(0),
  ]
  for (const value of odd) {
    const same = client.tool('same', async (input: unknown) => input, { attest: true })
    t.is(await same(value), value)
  }
  const bad = client.tool('bad', async (input: unknown) => input, {
    attest: true,
    costUsd: () => {
      throw new Error('no price')
    },
    redact: () => {
      throw new Error('no way')
    },
  })
  t.is(await bad(1), 1)
  t.is(await client.llm({ provider: 'p', model: 'm', messages: circular, system: circular }, async () => 'x'), 'x')
})
