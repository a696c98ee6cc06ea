import test from 'ava'
import { openHearing } from '../../src/actors/hearing.ts'
import { heartbeatSubject } from '../../src/actors/subjects.ts'
import { openLocalTransport } from '../../src/bus/local.ts'
import type { TransportState } from '../../src/bus/transport.ts'

test('a process without a heartbeat for three seconds, or without a connection, is deaf; one that has received none yet is not', async (t) => {
  const network = openLocalTransport({ onError: (error) => t.fail(String(error)) })
  const clock = { nowMs: () => now }
  let now = 100_000
  let change = (_state: TransportState): void => t.fail('nobody listens to the state')
  const hearing = openHearing(
    {
      subscribe: network.subscribe,
      onState(listener) {
        change = listener
        listener('up')
        return () => undefined
      },
    },
    clock,
  )
  const beat = async (): Promise<void> => {
    network.publish(heartbeatSubject('actor-0'), Buffer.from('{}'))
    await network.flush()
  }
  t.false(hearing.isDeaf())
  await beat()
  now += 2_999
  t.false(hearing.isDeaf())
  now += 1
  t.true(hearing.isDeaf())
  await beat()
  t.false(hearing.isDeaf())
  change('down')
  t.true(hearing.isDeaf())
  change('up')
  t.false(hearing.isDeaf())
  hearing.stop()
  now += 2_000
  await beat()
  now += 1_000
  t.true(hearing.isDeaf(), 'it listens no more')
  await network.stop()
})
