// Tests the chaos transport itself: without faults it behaves like the others, and each fault has exactly its stated effect.
import test from 'ava'
import { NoResponders, type Transport, TransportTimeout, Unavailable } from '../../src/bus/transport.ts'
import { type ChaosNetwork, openChaosNetwork } from '../_kit/chaos-transport.ts'
import { until } from '../_kit/until.ts'
import { testTransport } from '../contract/transport.ts'

testTransport(test, 'fair weather', (onError) => Promise.resolve(openChaosNetwork({ seed: 1, onError }).join('a')))

const bytes = (text: string): Uint8Array => Buffer.from(text)
const start = (seed = 1): { network: ChaosNetwork; a: Transport; b: Transport } => {
  const onError = (cause: unknown): void => {
    throw new Error('a handler threw', { cause })
  }
  const network = openChaosNetwork({ seed, onError })
  return { network, a: network.join('a'), b: network.join('b') }
}
/** Returns which of 200 notices arrive, in the order of arrival. */
async function send(seed: number, weather: Parameters<ChaosNetwork['setWeather']>[0]): Promise<number[]> {
  const { network, a, b } = start(seed)
  const seen: number[] = []
  b.subscribe('n', ([number]) => seen.push(number as number))
  network.setWeather(weather)
  for (let n = 0; n < 200; n += 1) a.publish('n', Uint8Array.of(n))
  network.setWeather({ dropShare: 0, delayMs: [50, 50] })
  let isOver = false
  b.subscribe('over', () => {
    isOver = true
  })
  a.publish('over', bytes(''))
  await until(() => isOver)
  return seen
}

test('a seed drops about its share of messages, and the same ones each time', async (t) => {
  const seen = await send(7, { dropShare: 0.3 })
  t.true(seen.length > 110 && seen.length < 170, String(seen.length))
  t.deepEqual(await send(7, { dropShare: 0.3 }), seen)
  t.notDeepEqual(await send(8, { dropShare: 0.3 }), seen)
})

test('duplicates arrive twice, and delays let messages overtake each other', async (t) => {
  const doubled = await send(7, { duplicateShare: 0.5 })
  t.true(doubled.length > 270 && doubled.length < 330, String(doubled.length))
  const delayed = await send(7, { delayMs: [0, 20] })
  const sorted = [...delayed].sort((x, y) => x - y)
  t.is(delayed.length, 200)
  t.notDeepEqual(delayed, sorted)
})

test('across a partition requests time out and notices are lost, and within each side all works, until it is healed', async (t) => {
  const { network, a, b } = start()
  b.serve('b', (body) => Promise.resolve(body))
  a.serve('a', (body) => Promise.resolve(body))
  network.cut(['a'], ['b'])
  await t.throwsAsync(a.request('b', bytes('x'), { timeoutMs: 20 }), { instanceOf: TransportTimeout })
  await t.notThrowsAsync(a.request('a', bytes('x'), { timeoutMs: 60_000 }))
  network.heal()
  await t.notThrowsAsync(a.request('b', bytes('x'), { timeoutMs: 60_000 }))
})

test('a member that lost its connection knows it, and its subjects have no responder', async (t) => {
  const { network, a, b } = start()
  b.serve('b', () => new Promise(() => undefined))
  const open = t.throwsAsync(b.request('b', bytes('x'), { timeoutMs: 60_000 }), { instanceOf: Unavailable })
  network.lose('b')
  await open
  await t.throwsAsync(b.request('b', bytes('x'), { timeoutMs: 60_000 }), { instanceOf: Unavailable })
  await t.throwsAsync(b.flush(), { instanceOf: Unavailable })
  await t.throwsAsync(a.request('b', bytes('x'), { timeoutMs: 60_000 }), { instanceOf: NoResponders })
  network.regain('b')
  await t.notThrowsAsync(b.flush())
})

test('a hung connection reports itself as up, receives not even its own messages, and works after a reconnect', async (t) => {
  const { network, a, b } = start()
  const states: string[] = []
  let echoes = 0
  b.onState((state) => states.push(state))
  b.subscribe('echo', () => {
    echoes += 1
  })
  a.serve('a', (body) => Promise.resolve(body))
  network.hang('b')
  b.publish('echo', bytes('x'))
  await t.throwsAsync(b.request('a', bytes('x'), { timeoutMs: 20 }), { instanceOf: TransportTimeout })
  t.is(echoes, 0)
  t.deepEqual(states, ['up'])
  b.reconnect()
  await until(() => states.length === 3)
  t.deepEqual(states, ['up', 'down', 'up'])
  b.publish('echo', bytes('x'))
  await until(() => echoes === 1)
})
