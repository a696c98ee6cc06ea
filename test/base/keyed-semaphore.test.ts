import test from 'ava'
import { Outage } from '../../src/base/fault.ts'
import { makeKeyedSemaphore } from '../../src/base/keyed-semaphore.ts'

/** Returns a function that runs work under keys, named by them, until the test ends it. */
function open(concurrent: number, maxWaiting: number, maxWaitMs?: number) {
  const semaphore = makeKeyedSemaphore(concurrent, maxWaiting, maxWaitMs)
  const running: { readonly name: string; readonly end: () => void }[] = []
  const ask = (...keys: string[]): Promise<void> =>
    semaphore.run(keys, () => new Promise<void>((end) => running.push({ name: keys.join('+'), end })))
  const settle = async (): Promise<void> => await new Promise((done) => setImmediate(done))
  const end = async (name: string): Promise<void> => {
    const at = running.findIndex((work) => work.name === name)
    running.splice(at, 1)[0]?.end()
    await settle()
  }
  return { ...semaphore, ask, end, settle, names: () => running.map(({ name }) => name) }
}

test('work needs a slot under each of its keys, and takes none while it waits', async (t) => {
  const { ask, end, settle, names, waiting, isFull } = open(1, 10)
  for (const keys of [['a', 'x'], ['a', 'y'], ['b', 'y'], ['c']]) void ask(...keys)
  await settle()
  t.deepEqual(names(), ['a+x', 'b+y', 'c'])
  t.is(waiting(), 1)
  await end('a+x')
  t.deepEqual([waiting(), isFull('a'), isFull('x'), isFull(['x', 'y'])], [1, false, false, true])
  await end('b+y')
  t.deepEqual(names(), ['c', 'a+y'])
  t.is(waiting(), 0)
})

test('slots go to those who came first, also if several of them can begin', async (t) => {
  const { ask, end, settle, names } = open(1, 10)
  for (const keys of [['a', 'x'], ['x', 'b'], ['a', 'b'], ['a'], ['x']]) void ask(...keys)
  await settle()
  t.deepEqual(names(), ['a+x'])
  await end('a+x')
  t.deepEqual(names(), ['x+b', 'a'])
  await end('x+b')
  t.deepEqual(names(), ['a', 'x'])
  await end('a')
  t.deepEqual(names(), ['x', 'a+b'])
})

test('too many callers under one key are refused, and one that waits too long leaves all its keys', async (t) => {
  const { ask, end, settle, names, waiting } = open(1, 1, 20)
  void ask('a', 'x')
  const late = ask('a', 'y')
  await t.throwsAsync(ask('b', 'a'), { instanceOf: Outage, message: 'too many callers are waiting' })
  await t.throwsAsync(late, { instanceOf: Outage, message: 'no slot became free in time' })
  t.is(waiting(), 0)
  await end('a+x')
  void ask('a', 'y')
  await settle()
  t.deepEqual(names(), ['a+y'])
})

test('work that fails releases its slots', async (t) => {
  const { run, isFull } = open(1, 0)
  await t.throwsAsync(
    run(['a', 'b'], () => Promise.reject(new Error('broken'))),
    { message: 'broken' },
  )
  t.false(isFull(['a', 'b']))
})

test('a slot that becomes free looks at one waiting caller, however many wait under the key', async (t) => {
  let looks = 0
  const semaphore = makeKeyedSemaphore(1, Number.POSITIVE_INFINITY)
  const callers = Array.from({ length: 300 }, () => {
    const keys = ['a']
    const seen: readonly string[] = new Proxy(keys, {
      get(target, name) {
        if (name === 'every') looks += 1
        return Reflect.get(target, name) as unknown
      },
    })
    return semaphore.run(seen, async () => undefined)
  })
  await Promise.all(callers)
  // Once when it arrives, and once when it begins.
  t.true(looks <= 2 * callers.length, `${looks} looks`)
})
