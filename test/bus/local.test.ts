import test from 'ava'
import { openLocalTransport } from '../../src/bus/local.ts'
import { Busy } from '../../src/bus/transport.ts'
import { testTransport } from '../contract/transport.ts'

testTransport(test, 'in-process', (onError) => Promise.resolve(openLocalTransport({ onError })))

test('more open requests than the bound are refused at once, and an answered one makes room', async (t) => {
  const transport = openLocalTransport({ onError: () => t.fail(), maxOpen: 2 })
  const release = Promise.withResolvers<void>()
  transport.serve('slow', async (body) => {
    await release.promise
    return body
  })
  const ask = (): Promise<Uint8Array> => transport.request('slow', Buffer.from('x'), { timeoutMs: 60_000 })
  const open = [ask(), ask()]
  await t.throwsAsync(ask(), { instanceOf: Busy })
  release.resolve()
  await Promise.all(open)
  await t.notThrowsAsync(ask())
})

test('notices above the limit are dropped and reported', async (t) => {
  const errors: unknown[] = []
  const transport = openLocalTransport({ onError: (error) => errors.push(error), maxOpen: 3 })
  let seen = 0
  transport.subscribe('n', () => {
    seen += 1
  })
  for (let n = 0; n < 10; n += 1) transport.publish('n', Buffer.from('x'))
  await transport.flush()
  await transport.flush()
  t.is(seen, 3)
  t.is(errors.length, 7)
  t.true(errors.every((error) => error instanceof Busy))
})
