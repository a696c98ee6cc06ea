import { connect, type Socket } from 'node:net'
import test, { type ExecutionContext } from 'ava'
import { z } from 'zod'
import { openActorHost } from '../../src/actors/host.ts'
import { makeNotices, type Notices } from '../../src/actors/notices.ts'
import { makeActorRouter } from '../../src/actors/router.ts'
import { Outage } from '../../src/base/fault.ts'
import { makeUuidV7 } from '../../src/base/ids.ts'
import { openLocalTransport } from '../../src/bus/local.ts'
import { readRules } from '../../src/decisions/snapshot.ts'
import { makeApplyRoutes, rulesResponse } from '../../src/serving/routes.ts'
import { openRules, type Rules } from '../../src/serving/rules.ts'
import { rulesTimeouts } from '../../src/serving/rules-cache.ts'
import { describeRoutes } from '../../src/web/openapi.ts'
import { unauthorized } from '../../src/web/refuse.ts'
import { route } from '../../src/web/route.ts'
import { serve, type WebServer } from '../../src/web/server.ts'
import { fixedRoutes, ownEverything, wakefulClock } from '../_kit/actors.ts'
import { makeDatabase, openTestPool, type TestDatabase } from '../_kit/db.ts'
import { fastest } from '../_kit/fastest.ts'
import { openRelay, type Relay } from '../_kit/relay.ts'
import { measure } from '../_kit/standstill.ts'
import { until } from '../_kit/until.ts'
import { addDecision, makeWorkspace } from '../_kit/workspace.ts'

type World = {
  base: TestDatabase
  workspaceId: string
  notices: Notices
  rules: Rules
  server: WebServer
  fallbacks: string[]
  /** Keys that are revoked. */
  revoked: Set<string>
  stopDatabase: () => Promise<void>
  /** The connection to the database. */
  relay: Relay
  /** Long by default: these tests are not about a slow machine. */
  patience: { oldMs: number; invalidatedMs: number }
  /** Makes all measured times older by `ms`. */
  age: (ms: number) => void
  stopHost: () => Promise<void>
  get: (path: string, headers?: Record<string, string>, signal?: AbortSignal) => Promise<Response>
  stop: (deadlineMs?: number) => Promise<void>
}

/** The whole path: server, memory, transport, actor, database. */
async function makeWorld(t: ExecutionContext): Promise<World> {
  const base = await makeDatabase()
  const workspaceId = await makeWorkspace(base.query)
  const relay = await openRelay(Number(new URL(base.url).port))
  const db = openTestPool(Object.assign(new URL(base.url), { port: relay.port }).href, {
    name: 'rules',
    maxConnections: 4,
  })
  let ended: Promise<void> | null = null
  const stopDatabase = (): Promise<void> => {
    ended ??= db.stop()
    return ended
  }
  const transport = openLocalTransport({ onError: (error) => t.fail(String(error)) })
  const notices = makeNotices(transport)
  let agedMs = 0
  const nowMs = (): number => performance.now() + agedMs
  const read = (id: string, ifVersion: string | null) => readRules({ db, pollAfterS: 30 }, id, ifVersion)
  const host = openActorHost({
    transport,
    notices,
    boot: 'abcdef',
    mayAnswer: () => true,
    onFenced: () => t.fail(),
    onError: (error) => t.fail(String(error)),
    actor: { readQuota: () => Promise.resolve(null), readRules: read, nowMs },
  })
  ownEverything(host, 1)
  const revoked = new Set<string>()
  const fallbacks: string[] = []
  const router = makeActorRouter({
    transport,
    boot: 'abcdef',
    routes: fixedRoutes(1, 'abcdef'),
    clock: wakefulClock,
    onRetry: () => undefined,
    onRequest: () => undefined,
    onFallback: (path) => void fallbacks.push(path),
  })
  const timeouts = { oldMs: 60_000, invalidatedMs: 60_000 }
  const rules = openRules({
    timeouts,
    askActor: (id, ifVersion) => router.snapshot(id, ifVersion),
    readDatabase: read,
    maxReads: 3,
    isDeaf: () => false,
    onStale: () => undefined,
    onError: () => undefined,
    nowMs,
  })
  notices.subscribeChanges((id, kind) => {
    if (kind === 'rules') rules.invalidate(id)
  })
  const server = await serve({
    host: '127.0.0.1',
    port: 0,
    routes: makeApplyRoutes({ rules, nowMs }),
    authenticator: {
      session: () => Promise.resolve(null),
      key: (token) => Promise.resolve(token === 'good' && !revoked.has(token) ? { keyId: 'k', workspaceId } : null),
      role: () => Promise.resolve(null),
    },
    maxJsonBodyBytes: 1 << 20,
    trustedProxies: 0,
    onRequest: ({ error }) => {
      if (error !== undefined && !(error instanceof Outage)) t.fail('a bug was reported')
    },
  })
  let stopped: Promise<void> | null = null
  async function stop(deadlineMs: number): Promise<void> {
    relay.set('open')
    await server.stop(deadlineMs)
    rules.stop()
    await host.stop()
    await transport.stop()
    await stopDatabase()
    await relay.stop()
    await base.stop()
  }
  const stopOnce = (deadlineMs = 1_000): Promise<void> => {
    stopped ??= stop(deadlineMs)
    return stopped
  }
  // A failed test must leave nothing open, or the test process of this file would never end.
  t.teardown(() => stopOnce())
  return {
    base,
    workspaceId,
    notices,
    rules,
    server,
    fallbacks,
    revoked,
    stopDatabase,
    relay,
    patience: timeouts,
    age: (ms) => {
      agedMs += ms
    },
    stopHost: host.stop,
    get: (path, headers = {}, signal) =>
      fetch(`http://127.0.0.1:${server.port}${path}`, {
        headers: { authorization: 'Bearer good', ...headers },
        ...(signal === undefined ? {} : { signal }),
      }),
    stop: stopOnce,
  }
}

test('the first response contains the rules; later ones are 304 while the rules are current', async (t) => {
  const world = await makeWorld(t)
  const decisionId = await addDecision(world.base.query, world.workspaceId, { config: { freshness_s: 60 } })
  const first = await world.get('/v1/apply/rules')
  t.is(first.status, 200)
  const body = rulesResponse.parse(await first.json())
  t.is(body.rules[0]?.decision_id, decisionId)
  t.is(first.headers.get('cache-control'), 'private, no-cache')
  t.is(first.headers.get('vary'), 'Accept-Encoding')
  t.is(first.headers.get('content-type'), 'application/json; charset=utf-8')
  t.is(first.headers.get('age'), null)
  const etag = first.headers.get('etag') ?? ''
  t.regex(etag, /^"[\da-f]{12}\.1-[\w-]+?(-gz)?"$/)

  const second = await world.get('/v1/apply/rules', { 'if-none-match': etag })
  t.is(second.status, 304)
  t.is(second.headers.get('etag'), etag)
  t.is(await second.text(), '')
})

test('the front asks the actor, and the database if the actor does not answer', async (t) => {
  const world = await makeWorld(t)
  // The route waits 150 ms for an actor; its first read or a busy machine may take longer.
  let tries = 0
  do {
    world.fallbacks.length = 0
    world.rules.invalidate(world.workspaceId)
    t.is((await world.get('/v1/apply/rules')).status, 200)
    tries += 1
  } while (world.fallbacks.length > 0 && tries < 20)
  t.deepEqual(world.fallbacks, [])
  await world.stopHost()
  world.rules.invalidate(world.workspaceId)
  t.is((await world.get('/v1/apply/rules')).status, 200)
  t.deepEqual(world.fallbacks, ['rules'])
})

test('gzip is sent only to clients that accept it, with its own entity tag', async (t) => {
  const world = await makeWorld(t)
  for (let n = 0; n < 5; n += 1) await addDecision(world.base.query, world.workspaceId, {})
  const plain = await world.get('/v1/apply/rules', { 'accept-encoding': 'identity' })
  const packed = await world.get('/v1/apply/rules', { 'accept-encoding': 'gzip' })
  t.is(plain.headers.get('content-encoding'), null)
  t.is(packed.headers.get('content-encoding'), 'gzip')
  t.not(plain.headers.get('etag'), packed.headers.get('etag'))
  t.is(await plain.text(), await packed.text())
  const held = { 'if-none-match': plain.headers.get('etag') ?? '' }
  t.is((await world.get('/v1/apply/rules', { ...held, 'accept-encoding': 'gzip' })).status, 200)
  t.is((await world.get('/v1/apply/rules', { ...held, 'accept-encoding': 'identity' })).status, 304)
})

test.serial(
  'a change is seen by the next request once its notice is out, and wakes a parked one within 100 ms',
  async (t) => {
    const world = await makeWorld(t)
    const first = await world.get('/v1/apply/rules')
    const etag = first.headers.get('etag') ?? ''
    let held = etag
    let version = 0
    const tookMs = await fastest(async () => {
      const parked = world.get('/v1/apply/rules?wait=20', { 'if-none-match': held })
      await until(() => world.rules.parked() === 1)
      await addDecision(world.base.query, world.workspaceId, {})
      const { value: answer, tookMs } = await measure(async () => {
        world.notices.publishChange(world.workspaceId, 'rules')
        return await parked
      })
      t.is(answer.status, 200)
      version += 1
      t.is(rulesResponse.parse(await answer.json()).version.split('.')[1], String(version))
      held = answer.headers.get('etag') ?? ''
      return tookMs
    }, 100)
    t.true(tookMs < 100, `${tookMs} ms`)
    t.is((await world.get('/v1/apply/rules', { 'if-none-match': etag })).status, 200)
  },
)

test('a wait without a change ends with 304, and a client without the current rules does not wait', async (t) => {
  const world = await makeWorld(t)
  const first = await world.get('/v1/apply/rules?wait=30')
  t.is(first.status, 200)
  t.is((await world.get('/v1/apply/rules?wait=30', { 'if-none-match': '"0-old"' })).status, 200)
  const startedAtMs = performance.now()
  const waited = await world.get('/v1/apply/rules?wait=1', { 'if-none-match': first.headers.get('etag') ?? '' })
  const tookMs = performance.now() - startedAtMs
  t.is(waited.status, 304)
  // Timers may fire a little early.
  t.true(tookMs >= 990, `${tookMs} ms`)
  t.is((await world.get('/v1/apply/rules?wait=0', { 'if-none-match': '*' })).status, 304)
})

test('an invalid wait is a 422 that names the parameter', async (t) => {
  const world = await makeWorld(t)
  for (const [wait, type, ctx] of [
    ['31', 'less_than_equal', { le: 30 }],
    ['-1', 'greater_than_equal', { ge: 0 }],
    ['soon', 'int_parsing', undefined],
    ['1.5', 'int_parsing', undefined],
    ['', 'int_parsing', undefined],
  ] as const) {
    const answer = await world.get(`/v1/apply/rules?wait=${wait}`)
    t.is(answer.status, 422, wait)
    t.is(answer.headers.get('cache-control'), 'no-store')
    const { detail } = (await answer.json()) as { detail: { msg: string }[] }
    t.is(detail.length, 1)
    const { msg, ...item } = detail[0] ?? { msg: '' }
    t.true(msg.length > 0)
    t.deepEqual(item, { loc: ['query', 'wait'], type, input: wait, ...(ctx === undefined ? {} : { ctx }) })
  }
})

test('without a valid key no rules are returned', async (t) => {
  const world = await makeWorld(t)
  const answer = await world.get('/v1/apply/rules', { authorization: 'Bearer bad' })
  t.is(answer.status, 401)
  t.is(answer.headers.get('www-authenticate'), 'Bearer')
})

test('the key of a deleted workspace is refused, also for requests that wait under it', async (t) => {
  const world = await makeWorld(t)
  const first = await world.get('/v1/apply/rules')
  const parked = world.get('/v1/apply/rules?wait=20', { 'if-none-match': first.headers.get('etag') ?? '' })
  await until(() => world.rules.parked() === 1)
  await world.base.query('update workspaces set deleted_at = now() where id = $1', [world.workspaceId])
  world.rules.invalidate(world.workspaceId)
  for (const answer of [await parked, await world.get('/v1/apply/rules')]) {
    t.is(answer.status, 401)
    t.deepEqual(await answer.json(), { detail: unauthorized.key.detail })
  }
})

test('a caller whose key was revoked during the wait does not get the new rules', async (t) => {
  const world = await makeWorld(t)
  const first = await world.get('/v1/apply/rules')
  const parked = world.get('/v1/apply/rules?wait=20', { 'if-none-match': first.headers.get('etag') ?? '' })
  await until(() => world.rules.parked() === 1)
  world.revoked.add('good')
  await addDecision(world.base.query, world.workspaceId, {})
  world.rules.invalidate(world.workspaceId)
  t.is((await parked).status, 401)
})

test('a check of keys ends the waits under a revoked key at once, and waits under a valid one continue', async (t) => {
  const world = await makeWorld(t)
  const etag = (await world.get('/v1/apply/rules')).headers.get('etag') ?? ''
  const park = () => world.get('/v1/apply/rules?wait=30', { 'if-none-match': etag })
  const parked = park()
  await until(() => world.rules.parked() === 1)
  for (const workspaceId of [world.workspaceId, null]) {
    world.rules.wake(workspaceId)
    t.is(world.rules.parked(), 0)
    await until(() => world.rules.parked() === 1)
  }
  world.revoked.add('good')
  world.rules.wake(makeUuidV7())
  t.is(world.rules.parked(), 1, 'the control: of another workspace')
  world.rules.wake(world.workspaceId)
  t.is((await parked).status, 401)
})

test('a key that is revoked before its wait begins does not wait', async (t) => {
  const world = await makeWorld(t)
  const etag = (await world.get('/v1/apply/rules')).headers.get('etag') ?? ''
  const read = world.rules.read
  const isRead = Promise.withResolvers<void>()
  const goOn = Promise.withResolvers<void>()
  Object.assign(world.rules, {
    async read(workspaceId: string) {
      isRead.resolve()
      await goOn.promise
      return await read(workspaceId)
    },
  })
  const answer = world.get('/v1/apply/rules?wait=30', { 'if-none-match': etag })
  await isRead.promise
  world.revoked.add('good')
  world.rules.wake(world.workspaceId)
  goOn.resolve()
  t.is((await answer).status, 401)
})

test('while the database is unavailable, rules in memory are served with their age, and other requests get 503', async (t) => {
  const world = await makeWorld(t)
  await world.get('/v1/apply/rules')
  await world.stopDatabase()
  world.rules.invalidate(world.workspaceId)
  const held = await world.get('/v1/apply/rules')
  t.is(held.status, 200)
  t.regex(held.headers.get('age') ?? '', /^[1-9]\d?$/)
  await world.stop()

  const cold = await makeWorld(t)
  await cold.stopDatabase()
  const answer = await cold.get('/v1/apply/rules')
  t.is(answer.status, 503)
  t.regex(answer.headers.get('retry-after') ?? '', /^[1-9]\d*$/)
  await cold.stop()
})

test.serial(
  'while the database hangs, callers get the rules in memory without waiting, in a long poll or not',
  async (t) => {
    const world = await makeWorld(t)
    const etag = (await world.get('/v1/apply/rules')).headers.get('etag') ?? ''
    const parked = measure(async () => await world.get('/v1/apply/rules?wait=1', { 'if-none-match': etag }))
    await until(() => world.rules.parked() === 1)
    world.relay.set('silent')
    Object.assign(world.patience, rulesTimeouts)
    world.age(20_000)
    const { value: held, tookMs } = await measure(async () => await world.get('/v1/apply/rules'))
    t.is(held.status, 200)
    t.true(Number(held.headers.get('age')) >= 20)
    t.true(tookMs < 300, `${tookMs} ms`)
    const waited = await parked
    t.is(waited.value.status, 304)
    t.true(Number(waited.value.headers.get('age')) >= 20, 'of the end of the wait, not of its start')
    t.true(waited.tookMs < 1_300, `${waited.tookMs} ms`)

    world.age(60_000)
    const { value: refused, tookMs: refusedMs } = await measure(async () => await world.get('/v1/apply/rules'))
    t.is(refused.status, 503)
    t.true(Number(refused.headers.get('retry-after')) >= 1)
    t.true(refusedMs < 2_300, `${refusedMs} ms`)

    world.relay.set('open')
    await until(async () => (await world.get('/v1/apply/rules')).headers.get('age') === null)
  },
)

test('a parked request ends when its client goes away and when the service stops', async (t) => {
  const world = await makeWorld(t)
  const etag = (await world.get('/v1/apply/rules')).headers.get('etag') ?? ''
  const gone = new AbortController()
  const left = world.get('/v1/apply/rules?wait=30', { 'if-none-match': etag }, gone.signal).catch(() => null)
  await until(() => world.rules.parked() === 1)
  gone.abort()
  await left
  await until(() => world.rules.parked() === 0)

  const parked = world.get('/v1/apply/rules?wait=30', { 'if-none-match': etag })
  await until(() => world.rules.parked() === 1)
  // A poll that is not woken would be cut off after this time.
  const stopping = world.stop(60_000)
  const answer = await parked
  t.is(answer.status, 304)
  t.is(answer.headers.get('connection'), 'close')
  await stopping
})

// Serial: the memory of other tests would count too.
test.serial('two thousand parked requests cost kilobytes each, and all are answered on a change', async (t) => {
  const world = await makeWorld(t)
  const etag = (await world.get('/v1/apply/rules', { 'accept-encoding': 'identity' })).headers.get('etag') ?? ''
  const before = process.memoryUsage().rss
  const parked = 2_000
  let answered = 0
  const faults: Error[] = []
  const poll = `GET /v1/apply/rules?wait=30 HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer good\r\nIf-None-Match: ${etag}\r\n\r\n`
  const open = (): Socket => {
    const socket = connect(world.server.port, '127.0.0.1')
    socket.on('error', (error) => faults.push(error))
    socket.write(poll)
    socket.on('data', (data) => {
      const answer = data.toString('latin1')
      if (answer.startsWith('HTTP/1.1 200')) answered += 1
      // On a slow machine, the first ones wait in vain while the others are opened.
      else if (answer.startsWith('HTTP/1.1 304')) socket.write(poll)
    })
    return socket
  }
  const sockets: Socket[] = []
  // Not all at once: a busy machine takes longer to accept so many connections than the service waits for a header.
  while (sockets.length < parked) {
    for (let nth = 0; nth < 100; nth++) sockets.push(open())
    await until(() => world.rules.parked() === sockets.length)
  }
  const eachBytes = (process.memoryUsage().rss - before) / parked
  t.log(`${Math.round(eachBytes / 1_024)} KiB each, client sockets of the test included`)
  t.true(eachBytes < 100 * 1_024)
  await addDecision(world.base.query, world.workspaceId, {})
  world.notices.publishChange(world.workspaceId, 'rules')
  await until(() => answered === parked)
  t.is(world.rules.parked(), 0)
  t.deepEqual(faults, [])
  for (const socket of sockets) socket.destroy()
})

test('the document describes the route, and its references lead somewhere', (t) => {
  const rules = { read: () => Promise.resolve(null), waitForChange: () => Promise.resolve('timeout' as const) }
  const json = route({
    method: 'GET',
    path: '/v1/other',
    tag: 'Other',
    summary: 'Other',
    auth: 'key',
    query: z.object({ a: z.string() }),
    status: 200,
    response: z.object({}),
    refusals: {},
    handle: () => Promise.resolve({ ok: true as const, value: {} }),
  })
  const text = JSON.stringify(describeRoutes([...makeApplyRoutes({ rules, nowMs: () => 0 }), json]))
  const document = JSON.parse(text) as {
    paths: Record<string, { get: { parameters: { name: string }[]; responses: object } }>
    components: { schemas: object }
  }
  const operation = document.paths['/v1/apply/rules']?.get
  t.deepEqual(
    operation?.parameters.map(({ name }) => name),
    ['wait', 'If-None-Match'],
  )
  t.deepEqual(Object.keys(operation?.responses ?? {}), ['200', '304', '401', '422', '503'])
  const names = [...text.matchAll(/#\/components\/schemas\/(\w+)/g)].map(([, name]) => name ?? '')
  for (const name of names) t.true(name in document.components.schemas, name)
})
