// The guarantees of every Transport: registers the same tests for each kind.
import type { ExecutionContext, TestFn } from 'ava'
import {
  NoResponders,
  type Transport,
  type TransportState,
  TransportTimeout,
  Unavailable,
} from '../../src/bus/transport.ts'
import { flushed } from '../_kit/flushed.ts'
import { until } from '../_kit/until.ts'

/** `open` returns a new transport for each test; `onError` collects the errors of handlers. */
export function testTransport(
  test: TestFn,
  name: string,
  open: (onError: (error: unknown) => void) => Promise<Transport>,
): void {
  const bytes = (text: string): Uint8Array => Buffer.from(text)
  const text = (body: Uint8Array): string => Buffer.from(body).toString()
  const soon = { timeoutMs: 60_000 }
  const start = async (t: ExecutionContext): Promise<{ transport: Transport; errors: unknown[] }> => {
    const errors: unknown[] = []
    const transport = await open((error) => errors.push(error))
    // Also if an assertion fails: an open connection keeps the process alive.
    t.teardown(async () => await transport.stop())
    return { transport, errors }
  }

  test(`${name}: a request gets the answer of whoever serves its subject`, async (t) => {
    const { transport } = await start(t)
    transport.serve('a.1.*', (body, subject) => Promise.resolve(bytes(`${subject} ${text(body)}`)))
    transport.serve('a.2.>', () => Promise.resolve(bytes('other')))
    await flushed(transport)
    t.is(text(await transport.request('a.1.get', bytes('hello'), soon)), 'a.1.get hello')
    t.is(text(await transport.request('a.2.get.more', bytes(''), soon)), 'other')
    await transport.stop()
  })

  test(`${name}: many requests at once each get their own answer`, async (t) => {
    const { transport } = await start(t)
    transport.serve('echo', (body) => Promise.resolve(body))
    await flushed(transport)
    const sent = Array.from({ length: 500 }, (_, n) => `message ${n}`)
    t.deepEqual((await Promise.all(sent.map((one) => transport.request('echo', bytes(one), soon)))).map(text), sent)
    await transport.stop()
  })

  test(`${name}: a subject that nobody serves is known at once`, async (t) => {
    const { transport } = await start(t)
    await t.throwsAsync(transport.request('nobody', bytes(''), soon), { instanceOf: NoResponders })
    await transport.stop()
  })

  test(`${name}: a request without an answer times out after its own time, not before`, async (t) => {
    const { transport } = await start(t)
    transport.serve('silent', () => new Promise(() => undefined))
    await flushed(transport)
    const startedAtMs = performance.now()
    await t.throwsAsync(transport.request('silent', bytes(''), { timeoutMs: 60 }), { instanceOf: TransportTimeout })
    t.true(performance.now() - startedAtMs >= 55)
    await transport.stop()
  })

  test(`${name}: a handler that throws is reported, and its caller is told without the reason`, async (t) => {
    const { transport, errors } = await start(t)
    transport.serve('broken', () => Promise.reject(new Error('inner detail')))
    await flushed(transport)
    const error = await t.throwsAsync(transport.request('broken', bytes(''), soon), { instanceOf: Unavailable })
    t.notRegex(error.message, /inner detail/)
    t.is((errors[0] as Error).message, 'inner detail')
    await transport.stop()
  })

  test(`${name}: neither side sees what the other does to its buffer afterwards`, async (t) => {
    const { transport } = await start(t)
    const reply = Buffer.from('reply')
    const seen: string[] = []
    transport.serve('copy', (body) => {
      seen.push(text(body))
      body.fill(0)
      return Promise.resolve(reply)
    })
    await flushed(transport)
    const sent = Buffer.from('first')
    const asking = transport.request('copy', sent, soon)
    sent.fill(0)
    const answer = await asking
    reply.fill(0)
    t.deepEqual(seen, ['first'])
    t.is(text(answer), 'reply')
    await transport.stop()
  })

  test(`${name}: a notice reaches all who listen, in order, and none who have ended`, async (t) => {
    const { transport } = await start(t)
    const seen: Record<'exact' | 'word' | 'rest' | 'ended', string[]> = { exact: [], word: [], rest: [], ended: [] }
    transport.subscribe('n.1', (body) => seen.exact.push(text(body)))
    transport.subscribe('n.*', (body, subject) => seen.word.push(`${subject}=${text(body)}`))
    transport.subscribe('>', (body) => seen.rest.push(text(body)))
    transport.subscribe('n.1', (body) => seen.ended.push(text(body)))()
    await flushed(transport)
    transport.publish('n.1', bytes('a'))
    transport.publish('n.1', bytes('b'))
    transport.publish('n.2', bytes('c'))
    transport.publish('n', bytes('d'))
    await until(() => seen.rest.length === 4)
    t.deepEqual(seen, { exact: ['a', 'b'], word: ['n.1=a', 'n.1=b', 'n.2=c'], rest: ['a', 'b', 'c', 'd'], ended: [] })
    await transport.stop()
  })

  test(`${name}: a notice reaches those who serve its subject`, async (t) => {
    const { transport } = await start(t)
    const seen: string[] = []
    transport.serve('s.*', (body) => {
      seen.push(text(body))
      return Promise.resolve(bytes('unheard'))
    })
    await flushed(transport)
    transport.publish('s.settle', bytes('done'))
    await until(() => seen.length === 1)
    t.deepEqual(seen, ['done'])
    await transport.stop()
  })

  test(`${name}: one that throws on a notice keeps it from nobody else`, async (t) => {
    const { transport, errors } = await start(t)
    const seen: string[] = []
    transport.subscribe('n', () => {
      throw new Error('broken listener')
    })
    transport.subscribe('n', (body) => seen.push(text(body)))
    await flushed(transport)
    transport.publish('n', bytes('a'))
    await until(() => seen.length === 1 && errors.length === 1)
    t.is((errors[0] as Error).message, 'broken listener')
    await transport.stop()
  })

  test(`${name}: draining answers what was taken and takes no more`, async (t) => {
    const { transport } = await start(t)
    const release = Promise.withResolvers<void>()
    const served = transport.serve('slow', async (body) => {
      await release.promise
      return body
    })
    await flushed(transport)
    const taken = transport.request('slow', bytes('taken'), soon)
    await flushed(transport)
    let isDrained = false
    const draining = served.drain().then(() => {
      isDrained = true
    })
    await flushed(transport)
    await t.throwsAsync(transport.request('slow', bytes('late'), soon), { instanceOf: NoResponders })
    t.false(isDrained)
    release.resolve()
    t.is(text(await taken), 'taken')
    await draining
    await transport.stop()
  })

  test(`${name}: stopping fails what is open and everything after, and says so`, async (t) => {
    const { transport } = await start(t)
    const states: TransportState[] = []
    transport.onState((state) => states.push(state))
    transport.serve('silent', () => new Promise(() => undefined))
    await flushed(transport)
    const open = t.throwsAsync(transport.request('silent', bytes(''), soon), {
      instanceOf: Unavailable,
    })
    await transport.stop()
    await open
    await t.throwsAsync(transport.request('silent', bytes(''), soon), { instanceOf: Unavailable })
    t.notThrows(() => transport.publish('silent', bytes('')))
    t.deepEqual([states.at(0), states.at(-1)], ['up', 'down'])
  })
}
