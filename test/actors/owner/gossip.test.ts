import test from 'ava'
import { openGossip } from '../../../src/actors/owner/gossip.ts'
import { makeVirtualClock } from '../../_kit/virtual-clock.ts'

/** A member whose connection delivers nothing: `step` advances the time and then calls `mend`, as the owner's tick does. */
function openDeaf() {
  const clock = makeVirtualClock()
  const startedMs = clock.nowMs()
  let reconnects = 0
  const gossip = openGossip({
    transport: {
      publish: () => undefined,
      subscribe: () => () => undefined,
      onState(listener) {
        listener('up')
        return () => undefined
      },
      reconnect: () => void (reconnects += 1),
    },
    clock,
    member: 'a',
    boot: 'a1',
    describeSelf: () => ({ ready: true, draining: false, pgOk: true, pgAnswers: true, owned: [] }),
    onEcho: () => undefined,
    onHeartbeat: () => undefined,
    onNews: () => undefined,
    onUp: () => undefined,
  })
  return {
    reconnects: () => reconnects,
    async step(ms: number) {
      await clock.advance(ms)
      gossip.mend(clock.nowMs() - startedMs)
    },
  }
}

test('a connection that carries nothing for 1.8 s is given up, and again 1.8 s later', async (t) => {
  const { step, reconnects } = openDeaf()
  for (let at = 0; at < 17; at += 1) await step(100)
  t.is(reconnects(), 0)
  await step(100)
  t.is(reconnects(), 1)
  for (let at = 0; at < 18; at += 1) await step(100)
  t.is(reconnects(), 2)
})

test('a process that stood still does not blame its connection', async (t) => {
  const { step, reconnects } = openDeaf()
  for (let at = 0; at < 8; at += 1) await step(100)
  await step(900)
  await step(10_000)
  t.is(reconnects(), 0)
  for (let at = 0; at < 4; at += 1) await step(100)
  t.is(reconnects(), 1, 'but what it hears nothing on while it runs is given up all the same')
})
