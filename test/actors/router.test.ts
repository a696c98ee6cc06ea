import test, { type ExecutionContext } from 'ava'
import { decodeEnvelope, encodeReply, type OwnerReply } from '../../src/actors/envelope.ts'
import { encodeRouteNews } from '../../src/actors/heartbeat.ts'
import { partitionOf } from '../../src/actors/partition.ts'
import { openRouteTable } from '../../src/actors/route-table.ts'
import { makeActorRouter } from '../../src/actors/router.ts'
import { encodeRulesAnswer } from '../../src/actors/rules-message.ts'
import { makeToken, ownerPattern, routeSubject } from '../../src/actors/subjects.ts'
import { makeUuidV7 } from '../../src/base/ids.ts'
import { countWrites } from '../../src/base/rules-version.ts'
import { openChaosNetwork } from '../_kit/chaos-transport.ts'
import { makeVirtualClock } from '../_kit/virtual-clock.ts'

const workspaceId = makeUuidV7()
const partition = partitionOf(workspaceId)
const rules = (version: number): OwnerReply => ({
  ok: true,
  body: encodeRulesAnswer({ version: `mark.${version}`, text: `${version}` }),
})

function makeWorld(t: ExecutionContext, seed = 1) {
  const clock = makeVirtualClock()
  const network = openChaosNetwork({ seed, onError: (error) => t.fail(String(error)), after: clock.after })
  const transport = network.join('front')
  const routes = openRouteTable({
    transport,
    clock,
    readPartitions: () => Promise.resolve([]),
    onChange: () => undefined,
    onError: (error) => t.fail(String(error)),
  })
  const told = { results: [] as string[], retries: 0, fallbacks: 0 }
  const router = makeActorRouter({
    transport,
    boot: 'fedcba',
    routes,
    clock,
    onRequest: (operation, result) => void told.results.push(`${operation} ${result}`),
    onRetry: () => {
      told.retries += 1
    },
    onFallback: () => {
      told.fallbacks += 1
    },
    random: () => 1,
  })
  /** Joins an owner of the partition at this epoch, over its own connection. */
  function own(name: string, epoch: number, handle: () => Promise<OwnerReply> | OwnerReply) {
    const member = network.join(name)
    const asked: number[] = []
    const served = member.serve(ownerPattern(partition, makeToken(epoch, name)), async (bytes) => {
      const envelope = decodeEnvelope(bytes)
      if (envelope === null) throw new Error('malformed')
      asked.push(envelope.budgetMs)
      return encodeReply(envelope.epoch === epoch ? await handle() : { ok: false, code: 'not_owner' })
    })
    const announce = (): void =>
      member.publish(
        routeSubject,
        encodeRouteNews({ member: name, boot: name, free: false, parts: [[partition, epoch]] }),
      )
    return { asked, announce, served, member }
  }
  /** Returns the answer and how long it took. */
  async function snapshot(): Promise<{ value: unknown; ms: number }> {
    const startedAtMs = clock.nowMs()
    const answer = router.snapshot(workspaceId, null).then((value) => ({ value, ms: clock.nowMs() - startedAtMs }))
    await clock.advance(1_000)
    return await answer
  }
  return { clock, network, routes, router, told, own, snapshot }
}

type World = ReturnType<typeof makeWorld>
const hang = (): Promise<OwnerReply> => new Promise(() => undefined)

test('a known owner is asked and has the whole deadline', async (t) => {
  const { clock, own, snapshot, told } = makeWorld(t)
  const owner = own('aa', 1, () => rules(3))
  owner.announce()
  await clock.settle()
  t.like(await snapshot(), { value: { version: 'mark.3', text: '3' }, ms: 0 })
  t.deepEqual(owner.asked, [150])
  t.deepEqual(told, { results: ['snapshot ok'], retries: 0, fallbacks: 0 })
})

test('a request to a partition without a known owner waits for one to appear', async (t) => {
  const { clock, own, snapshot, told } = makeWorld(t)
  const owner = own('aa', 1, () => rules(3))
  clock.after(30, owner.announce)
  t.like(await snapshot(), { value: { version: 'mark.3' }, ms: 30 })
  t.deepEqual(told, { results: ['snapshot ok'], retries: 1, fallbacks: 0 })
})

test('if no owner appears, the caller gets an answer without one before its deadline', async (t) => {
  const { snapshot, told } = makeWorld(t)
  const { value, ms } = await snapshot()
  t.is(value, null)
  t.is(ms, 150)
  t.deepEqual(told, { results: ['snapshot no_route'], retries: 2, fallbacks: 1 })
})

test('a request moves to the next owner if the first one is gone or was replaced', async (t) => {
  for (const gone of [true, false]) {
    const { clock, own, snapshot, told } = makeWorld(t)
    const first = own('aa', 1, () => ({ ok: false, code: 'not_owner' }))
    const second = own('bb', 2, () => rules(4))
    first.announce()
    await clock.settle()
    if (gone) await first.served.drain()
    clock.after(40, second.announce)
    t.like(await snapshot(), { value: { version: 'mark.4' }, ms: 40 })
    t.deepEqual(second.asked, [110])
    t.deepEqual(told, { results: ['snapshot ok'], retries: 1, fallbacks: 0 })
  }
})

test('an answer of the previous owner is ignored once the new one is known', async (t) => {
  const { clock, own, router, told } = makeWorld(t)
  const late = Promise.withResolvers<OwnerReply>()
  const first = own('aa', 1, () => late.promise)
  const second = own('bb', 2, () => rules(4))
  first.announce()
  await clock.settle()
  const asked = router.snapshot(workspaceId, null)
  await clock.advance(20)
  second.announce()
  await clock.settle()
  late.resolve(rules(3))
  await clock.settle()
  t.like(await asked, { version: 'mark.4' })
  t.deepEqual(told, { results: ['snapshot ok'], retries: 1, fallbacks: 0 })
})

test('a hung owner costs three deadlines; then one caller every 250 ms waits for it, and all callers do once it answers', async (t) => {
  const { clock, own, router, told } = makeWorld(t)
  let isHung = true
  const owner = own('aa', 1, () => (isHung ? hang() : rules(3)))
  owner.announce()
  await clock.settle()
  const ask = async (ms: number): Promise<unknown> => {
    const asked = router.snapshot(workspaceId, null)
    await clock.advance(ms)
    return await asked
  }
  for (let at = 0; at < 3; at += 1) t.is(await ask(150), null)
  t.is(router.openBreakers(), 1)
  for (let at = 0; at < 20; at += 1) t.is(await ask(0), null)
  t.is(owner.asked.length, 3)
  t.is(told.results.filter((result) => result === 'snapshot breaker_open').length, 20)
  await clock.advance(250)
  t.is(await ask(150), null)
  t.is(owner.asked.length, 4)
  isHung = false
  t.is(await ask(0), null, 'not yet')
  await clock.advance(250)
  t.like(await ask(0), { version: 'mark.3' })
  t.like(await ask(0), { version: 'mark.3' })
  t.is(router.openBreakers(), 0)
  t.is(told.retries, 0, 'a timeout is not repeated')
})

test('without a connection no caller waits', async (t) => {
  const { clock, network, own, snapshot, router, told } = makeWorld(t)
  own('aa', 1, () => rules(3)).announce()
  await clock.settle()
  network.lose('front')
  t.like(await snapshot(), { value: null, ms: 0 })
  const reserving = router.reserve(workspaceId, 'a', 5)
  await clock.settle()
  t.is(await reserving, null)
  t.notThrows(() => router.settle(workspaceId, 'a', 5))
  t.deepEqual(told.results.slice(0, 2), ['snapshot unavailable', 'reserve unavailable'])
  network.regain('front')
  t.like(await snapshot(), { value: { version: 'mark.3' } })
})

test('a connection that is lost under way ends the wait', async (t) => {
  const { clock, network, own, router, told } = makeWorld(t)
  own('aa', 1, hang).announce()
  await clock.settle()
  const asked = router.snapshot(workspaceId, null)
  await clock.advance(10)
  network.lose('front')
  await clock.settle()
  t.is(await asked, null)
  t.deepEqual(told, { results: ['snapshot unavailable'], retries: 0, fallbacks: 1 })
})

test('a request that an owner refuses for other reasons is not retried', async (t) => {
  for (const code of ['busy', 'outage', 'failed', 'unknown_workspace', 'too_large', 'expired'] as const) {
    const { clock, own, snapshot, told } = makeWorld(t)
    const owner = own('aa', 1, () => ({ ok: false, code }))
    owner.announce()
    await clock.settle()
    t.like(await snapshot(), { value: null, ms: 0 })
    t.is(owner.asked.length, 1)
    t.deepEqual(told, { results: [`snapshot ${code}`], retries: 0, fallbacks: 1 })
  }
})

async function flood(world: World, requests: number): Promise<void> {
  const all = Array.from({ length: requests }, () => world.router.snapshot(workspaceId, null))
  await world.clock.advance(1_000)
  await Promise.all(all)
}

test('load does not make requests to a dead owner much more frequent', async (t) => {
  const world = makeWorld(t)
  const owner = world.own('aa', 1, () => rules(3))
  owner.announce()
  await world.clock.settle()
  await owner.served.drain()
  await flood(world, 1_000)
  t.true(world.told.retries >= 50 && world.told.retries <= 130, `${world.told.retries}`)
  t.is(world.told.fallbacks, 1_000)
})

test('on a bad network every caller has an answer or goes without in time, and epochs never go back', async (t) => {
  for (let seed = 1; seed <= 20; seed += 1) {
    const { clock, network, own, router } = makeWorld(t, seed)
    network.setWeather({ dropShare: 0.1, duplicateShare: 0.1, delayMs: [0, 60] })
    const answered: number[] = []
    const waits: number[] = []
    for (let epoch = 1; epoch <= 5; epoch += 1) {
      const owner = own(`owner${epoch}`, epoch, () => rules(epoch))
      owner.announce()
      for (let at = 0; at < 40; at += 1) {
        const startedAtMs = clock.nowMs()
        void router.snapshot(workspaceId, null).then((value) => {
          waits.push(clock.nowMs() - startedAtMs)
          if (value !== null && value !== 'same') answered.push(countWrites(value.version))
        })
        if (at % 10 === 9) owner.announce()
        await clock.advance(10)
      }
    }
    await clock.advance(1_000)
    t.is(waits.length, 200)
    t.true(Math.max(...waits) <= 151, `seed ${seed}: ${Math.max(...waits)} ms`)
    t.true(answered.length > 60, `seed ${seed}: ${answered.length} answers`)
    const sorted = answered.toSorted((a, b) => a - b)
    t.deepEqual(answered, sorted, `seed ${seed}`)
  }
})
