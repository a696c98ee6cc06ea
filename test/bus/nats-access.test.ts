// Which clients NATS servers admit, and what a URL configures.
import { once } from 'node:events'
import { createServer } from 'node:net'
import test, { type ExecutionContext } from 'ava'
import { openNatsTransport } from '../../src/bus/nats.ts'
import { readNatsAddress } from '../../src/bus/nats-address.ts'
import { NoResponders, type TransportState, Unavailable } from '../../src/bus/transport.ts'
import { openConnected } from '../_kit/connected.ts'
import { flushed } from '../_kit/flushed.ts'
import { startNats } from '../_kit/nats.ts'
import { until } from '../_kit/until.ts'

const bytes = (text: string): Uint8Array => Buffer.from(text)
const soon = { timeoutMs: 60_000 }
const shared = { name: 'test', prefix: 'prod' }
const open = (url: string, onError: (error: unknown) => void) => openConnected({ ...shared, address: { url }, onError })

/** Resolves when the server admits the client, and throws the reason of a refusal. An attempt that times out decides nothing. */
async function ask(url: string, onError: (error: unknown) => void): Promise<void> {
  const states: TransportState[] = []
  while (!states.includes('up')) {
    const transport = await openNatsTransport({ ...shared, address: { url }, onError })
    transport.onState((state) => states.push(state))
    await transport.stop()
  }
}

/** Starts a fake server that reports this version and answers pings. */
async function startPretender(t: ExecutionContext, version: string): Promise<string> {
  const server = createServer((socket) => {
    const info = { server_id: 'x', version, proto: 1, headers: true, max_payload: 1_024, host: '127.0.0.1', port: 4222 }
    socket.write(`INFO ${JSON.stringify(info)}\r\n`)
    socket.on('data', (data: Buffer) => {
      if (data.toString().includes('PING')) socket.write('PONG\r\n')
    })
    socket.on('error', () => undefined)
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  t.teardown(() => server.close())
  return `nats://127.0.0.1:${(server.address() as { port: number }).port}`
}

test('a server before 2.10 is refused at the start, by its version; later ones are not', async (t) => {
  for (const version of ['2.9.25', '1.10.0']) {
    const url = await startPretender(t, version)
    await t.throwsAsync(
      ask(url, () => undefined),
      { message: `the NATS server has version ${version}; version 2.10 or later is required` },
    )
  }
  for (const version of ['2.10.0', '2.11.1-beta', '3.0.0']) {
    const transport = await open(await startPretender(t, version), () => t.fail())
    const states: string[] = []
    transport.onState((state) => states.push(state))
    t.deepEqual(states, ['up'], version)
    await transport.stop()
  }
})

// The permissions that operators must grant. An actor that is also a front needs no more.
const users = `
authorization {
  front = { publish: ["prod.tw.p.>", "prod.tw.inv.*", "prod.tw.commit.*"], subscribe: ["prod.tw.hb.*", "prod.tw.route", "prod.tw.inv.*", "prod.tw.commit.*", "_INBOX.prod.>"] }
  actor = { publish: ["prod.tw.>", "_INBOX.prod.>"], subscribe: ["prod.tw.>", "_INBOX.prod.>"] }
  users: [
    { user: "front", password: "p@ss/word", permissions: $front }
    { user: "actor", password: "other", permissions: $actor }
  ]
}`

test('a front may request and subscribe but not serve, an actor may do both, and a login without a password is refused', async (t) => {
  const nats = await startNats({ config: users })
  t.teardown(() => nats.stop())
  const as = (identity: string): string => nats.url.replace('://', `://${identity}@`)
  const errors: Error[] = []
  const onError = (error: unknown): void => void errors.push(error as Error)
  for (const url of [nats.url, as('front:wrong')])
    await t.throwsAsync(ask(url, onError), { message: /authorization/i }, 'refused')
  t.false(errors.some(({ message }) => /authorization/i.test(message)))
  errors.length = 0

  const front = await open(as('front:p%40ss%2Fword'), onError)
  const actor = await open(as('actor:other'), onError)
  t.teardown(() => Promise.all([front.stop(), actor.stop()]))
  const heard: string[] = []
  actor.serve('tw.p.1.1xabc.*', (body) => Promise.resolve(body))
  front.subscribe('tw.inv.*', (_body, subject) => heard.push(subject))
  await Promise.all([flushed(actor), flushed(front)])
  t.deepEqual(Buffer.from(await front.request('tw.p.1.1xabc.ping', bytes('x'), soon)).toString(), 'x')
  actor.publish('tw.inv.1', bytes('x'))
  await until(() => heard.length === 1)
  t.deepEqual(errors, [])

  front.serve('tw.p.2.1xabc.*', (body) => Promise.resolve(body))
  await flushed(front)
  await t.throwsAsync(actor.request('tw.p.2.1xabc.ping', bytes('x'), soon), { instanceOf: NoResponders })
  await t.throwsAsync(front.request('other.subject', bytes('x'), soon), { instanceOf: Unavailable })
  // A front cannot impersonate an owner.
  for (const subject of ['tw.hb.actor-0', 'tw.route']) front.publish(subject, bytes('x'))
  await flushed(front)
  // A connection that is made anew is refused its subscription once more.
  const refused = new Set<string | undefined>()
  await until(() => {
    for (const { message } of errors.filter((error) => !error.message.startsWith('not connected to NATS')))
      refused.add(/permissions violation for .*"prod\.(.*?)"/i.exec(message)?.[1])
    return refused.size >= 4
  })
  const expected = new Set(['other.subject', 'tw.hb.actor-0', 'tw.p.2.1xabc.*', 'tw.route'])
  t.deepEqual([...refused.symmetricDifference(expected)], [])
})

test('a URL contains servers, a user and TLS; the error of a malformed one does not contain the URL', (t) => {
  t.deepEqual(readNatsAddress({ url: 'nats://a:4223, nats://b' }), { servers: ['a:4223', 'b:4222'] })
  t.deepEqual(readNatsAddress({ url: '127.0.0.1:4222' }), { servers: ['127.0.0.1:4222'] })
  t.deepEqual(readNatsAddress({ url: 'nats://u:p%40@a,nats://[::1]:1' }), {
    servers: ['a:4222', '[::1]:1'],
    user: 'u',
    pass: 'p@',
  })
  t.deepEqual(readNatsAddress({ url: 'tls://secret@a' }), { servers: ['a:4222'], token: 'secret', tls: {} })
  t.deepEqual(readNatsAddress({ url: 'nats://a', caFile: '/ca.pem' }), {
    servers: ['a:4222'],
    tls: { caFile: '/ca.pem' },
  })
  for (const url of ['', ' , ', 'http://u:secret@a', 'nats://u:secret@a:port', 'nats://']) {
    const { message } = t.throws(() => readNatsAddress({ url }), undefined, url) ?? {}
    t.notRegex(message ?? '', /secret/)
  }
  t.throws(() => readNatsAddress({ url: 'nats://a', credsFile: '/nowhere.creds' }), { message: /nowhere\.creds/ })
})
