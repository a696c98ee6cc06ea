// The transport over NATS: the guarantees of every transport, and its limits.
import { randomBytes } from 'node:crypto'
import test from 'ava'
import { Busy, NoResponders, type Transport, TransportTimeout, Unavailable } from '../../src/bus/transport.ts'
import { openConnected } from '../_kit/connected.ts'
import { flushed } from '../_kit/flushed.ts'
import { useNats } from '../_kit/nats.ts'
import { until } from '../_kit/until.ts'
import { testTransport } from '../contract/transport.ts'

const url = useNats()
const soon = { timeoutMs: 60_000 }
const bytes = (text: string): Uint8Array => Buffer.from(text)
const text = (body: Uint8Array): string => Buffer.from(body).toString()

type Options = { readonly prefix?: string; readonly maxOpen?: number }
const open = (onError: (error: unknown) => void, options: Options = {}): Promise<Transport> =>
  openConnected({
    address: { url },
    name: 'test',
    prefix: `test-${randomBytes(6).toString('hex')}`,
    onError,
    ...options,
  })

testTransport(test, 'NATS', open)

/** Opens two members, each with its own connection, and collects the errors reported to them. */
async function openTwo(options: Options = {}): Promise<{ a: Transport; b: Transport; errors: Error[] }> {
  const errors: Error[] = []
  const shared = { prefix: `test-${randomBytes(6).toString('hex')}`, ...options }
  const [a, b] = await Promise.all([1, 2].map(() => open((error) => errors.push(error as Error), shared)))
  return { a: a as Transport, b: b as Transport, errors }
}
const stop = async (...transports: Transport[]): Promise<void> =>
  void (await Promise.all(transports.map((one) => one.stop())))

test('two thousand requests at once to another connection each get their own answer', async (t) => {
  const { a, b, errors } = await openTwo()
  b.serve('echo.*', (body, subject) => Promise.resolve(bytes(`${subject} ${text(body)}`)))
  await flushed(b)
  const answers = await Promise.all(
    Array.from({ length: 2_000 }, async (_, n) => text(await a.request(`echo.${n}`, bytes(String(n)), soon))),
  )
  t.deepEqual(
    answers,
    answers.map((_, n) => `echo.${n} ${n}`),
  )
  t.deepEqual(errors, [])
  await stop(a, b)
})

test('messages with another prefix are not received, even by a subscription to everything', async (t) => {
  const { a, b } = await openTwo()
  const other = await open((error) => t.fail(String(error)))
  const seen: string[] = []
  b.subscribe('>', (_body, subject) => seen.push(subject))
  b.serve('b.get', () => Promise.resolve(bytes('answer')))
  await flushed(b)
  other.publish('other', bytes(''))
  await flushed(other)
  await t.throwsAsync(other.request('b.get', bytes(''), soon), { instanceOf: NoResponders })
  t.is(text(await a.request('b.get', bytes(''), soon)), 'answer')
  a.publish('last', bytes(''))
  await until(() => seen.at(-1) === 'last')
  t.deepEqual(seen, ['b.get', 'last'])
  await stop(a, b, other)
})

test('an answer after the timeout has no effect', async (t) => {
  const { a, b, errors } = await openTwo()
  const release = Promise.withResolvers<void>()
  b.serve('slow', async (body) => {
    await release.promise
    return body
  })
  b.serve('quick', (body) => Promise.resolve(body))
  await flushed(b)
  await t.throwsAsync(a.request('slow', bytes('late'), { timeoutMs: 30 }), { instanceOf: TransportTimeout })
  release.resolve()
  t.is(text(await a.request('slow', bytes('next'), soon)), 'next')
  t.is(text(await a.request('quick', bytes('other'), soon)), 'other')
  t.deepEqual(errors, [])
  await stop(a, b)
})

test('a message above the size limit of NATS fails at once, is reported, and does not break the connection', async (t) => {
  const { a, b, errors } = await openTwo()
  const states: string[] = []
  const large = new Uint8Array(2 ** 20 + 1)
  b.serve('large', () => Promise.resolve(large))
  b.serve('length', (body) => Promise.resolve(bytes(String(body.length))))
  await flushed(b)
  for (const one of [a, b]) one.onState((state) => states.push(state))

  await t.throwsAsync(a.request('length', large, { timeoutMs: 60_000 }), { instanceOf: Unavailable })
  t.notThrows(() => a.publish('length', large))
  await t.throwsAsync(a.request('large', bytes(''), { timeoutMs: 60_000 }), { instanceOf: Unavailable })
  t.is(text(await a.request('length', large.subarray(1), soon)), String(2 ** 20))
  t.is(errors.length, 3)
  t.true(errors.every(({ message }) => message.includes('1048577 bytes')))
  t.deepEqual(states, ['up', 'up'])
  await stop(a, b)
})

test('requests past the bound are refused on either side, and an answered one makes room', async (t) => {
  const { a, b, errors } = await openTwo({ maxOpen: 2 })
  const release = Promise.withResolvers<void>()
  const seen: string[] = []
  b.serve('slow', async (body) => {
    seen.push(text(body))
    await release.promise
    return body
  })
  await flushed(b)
  const taken = [a.request('slow', bytes('1'), soon), a.request('slow', bytes('2'), soon)]
  await t.throwsAsync(a.request('slow', bytes('own bound'), soon), { instanceOf: Busy })
  await until(() => seen.length === 2)
  // The concurrent answers of one transport are bounded, whichever member sends the requests: here the same one.
  await t.throwsAsync(b.request('slow', bytes('other side'), soon), { instanceOf: Busy })
  t.deepEqual(seen, ['1', '2'])
  t.true(errors.every((error) => error instanceof Busy))
  release.resolve()
  t.deepEqual((await Promise.all(taken)).map(text), ['1', '2'])
  t.is(text(await a.request('slow', bytes('4'), soon)), '4')
  await stop(a, b)
})
