import test, { type ExecutionContext } from 'ava'
import { decodeReply, encodeEnvelope } from '../../src/actors/envelope.ts'
import { type ActorHost, type HostOptions, openActorHost } from '../../src/actors/host.ts'
import { makeNotices, type Notices } from '../../src/actors/notices.ts'
import { Fenced } from '../../src/actors/owner/fenced.ts'
import { partitionOf } from '../../src/actors/partition.ts'
import type { QuotaFacts } from '../../src/actors/quota-view.ts'
import { type ActorRouter, makeActorRouter } from '../../src/actors/router.ts'
import { operationSubject } from '../../src/actors/subjects.ts'
import type { ActorDeps } from '../../src/actors/workspace-actor.ts'
import { Outage } from '../../src/base/fault.ts'
import { makeUuidV7 } from '../../src/base/ids.ts'
import { openLocalTransport } from '../../src/bus/local.ts'
import { NoResponders, type Transport } from '../../src/bus/transport.ts'
import { fixedRoutes, ownEverything } from '../_kit/actors.ts'
import { until } from '../_kit/until.ts'
import { makeVirtualClock, type VirtualClock } from '../_kit/virtual-clock.ts'

type World = {
  transport: Transport
  notices: Notices
  host: ActorHost
  router: ActorRouter
  /** The clock of the owner; the deadlines of callers use `network`. */
  clock: { nowMs: number }
  network: VirtualClock
  fence: { isOpen: boolean }
  results: string[]
  fallbacks: string[]
  errors: unknown[]
}

const one = makeUuidV7()
const two = makeOfAnotherPartition(one)

/** Returns a workspace of another partition, which changes to the partition of this one must not affect. */
function makeOfAnotherPartition(workspaceId: string): string {
  const other = makeUuidV7()
  return partitionOf(other) === partitionOf(workspaceId) ? makeOfAnotherPartition(workspaceId) : other
}

function makeWorld(actor: Partial<ActorDeps>, options: Partial<HostOptions> = {}, wrongToken?: string): World {
  const errors: unknown[] = []
  const onError = (error: unknown): void => void errors.push(error)
  const network = makeVirtualClock()
  const transport = openLocalTransport({ onError, after: network.after })
  const notices = makeNotices(transport)
  const clock = { nowMs: 0 }
  const fence = { isOpen: true }
  const facts = (): Promise<QuotaFacts> => Promise.resolve({ quota: 100, accepted: 0, monthEndsInMs: 1e9 })
  const host = openActorHost({
    transport,
    notices,
    boot: 'abcdef',
    mayAnswer: () => fence.isOpen,
    onFenced: (fence) => void errors.push(fence),
    onError,
    actor: { readQuota: facts, readRules: () => Promise.resolve('same'), nowMs: () => clock.nowMs, ...actor },
    ...options,
  })
  ownEverything(host, 1)
  const results: string[] = []
  const fallbacks: string[] = []
  const router = makeActorRouter({
    transport,
    boot: 'fedcba',
    routes: fixedRoutes(1, 'abcdef', wrongToken),
    clock: network,
    onRetry: () => undefined,
    onRequest: (operation, result) => void results.push(`${operation} ${result}`),
    onFallback: (path) => void fallbacks.push(path),
    random: () => 0,
  })
  return { transport, notices, host, router, clock, network, fence, results, fallbacks, errors }
}

/** Requests a snapshot without the router. Returns the reply. */
async function ask({ transport }: World, workspaceId: string): Promise<string> {
  const envelope = { op: 'snapshot', ws: workspaceId, epoch: 1, reqId: 'x', budgetMs: 0, body: { ifVersion: 1 } }
  const subject = operationSubject(partitionOf(workspaceId), '1xabcdef', 'snapshot')
  const reply = decodeReply(await transport.request(subject, encodeEnvelope(envelope), { timeoutMs: 5_000 }))
  return reply === null ? 'nonsense' : reply.ok ? 'ok' : reply.code
}

/** For a request that is retried until it is answered: advances the time through the pauses between attempts. */
async function retried<T>({ network }: World, asked: Promise<T>): Promise<T> {
  const state = { isOver: false }
  const over = asked.finally(() => {
    state.isOver = true
  })
  while (!state.isOver) await network.advance(1)
  return await over
}

async function end(t: ExecutionContext, { host, transport, errors }: World): Promise<void> {
  await host.stop()
  await transport.stop()
  t.deepEqual(errors, [])
}

test('a grant goes from the quota of the workspace, and settling gives the rest back', async (t) => {
  const world = makeWorld({})
  t.deepEqual(await world.router.reserve(one, 'a', 70), { granted: 70 })
  t.deepEqual(await world.router.reserve(one, 'b', 70), { granted: 30 })
  t.deepEqual(await world.router.reserve(one, 'a', 70), { granted: 70 })
  t.deepEqual(await world.router.reserve(two, 'a', 100), { granted: 100 })
  world.router.settle(one, 'a', 20)
  t.deepEqual(await world.router.reserve(one, 'c', 100), { granted: 50 })
  t.is(world.host.activeCount(), 2)
  await end(t, world)
})

test('an unlimited plan is granted without a number', async (t) => {
  const world = makeWorld({ readQuota: () => Promise.resolve({ quota: null, accepted: 5, monthEndsInMs: 1e9 }) })
  t.deepEqual(await world.router.reserve(one, 'a', 70), { granted: null })
  await end(t, world)
})

test('before it grants less than asked the actor reads again, at most once a second', async (t) => {
  let reads = 0
  let accepted = 95
  const world = makeWorld({
    readQuota: () => {
      reads += 1
      return Promise.resolve({ quota: 100, accepted, monthEndsInMs: 1e9 })
    },
  })
  t.deepEqual(await world.router.reserve(one, 'a', 10), { granted: 5 })
  accepted = 0
  t.deepEqual(await world.router.reserve(one, 'b', 10), { granted: 0 })
  t.is(reads, 1)
  world.clock.nowMs = 1_000
  t.deepEqual(await world.router.reserve(one, 'c', 10), { granted: 10 })
  t.deepEqual(await world.router.reserve(one, 'd', 10), { granted: 10 })
  t.is(reads, 2)
  await end(t, world)
})

test('a change of plan is seen with the next request', async (t) => {
  let quota: number | null = 10
  const world = makeWorld({ readQuota: () => Promise.resolve({ quota, accepted: 0, monthEndsInMs: 1e9 }) })
  t.deepEqual(await world.router.reserve(one, 'a', 20), { granted: 10 })
  quota = null
  world.notices.publishChange(one, 'plan')
  await world.transport.flush()
  t.deepEqual(await world.router.reserve(one, 'b', 20), { granted: null })
  await end(t, world)
})

test('a change of plan that is announced while the plan is being read is not missed', async (t) => {
  const release = Promise.withResolvers<void>()
  let quota: number | null = 10
  let reads = 0
  const world = makeWorld({
    async readQuota() {
      const seen = quota
      reads += 1
      await release.promise
      return { quota: seen, accepted: 0, monthEndsInMs: 1e9 }
    },
  })
  const early = world.router.reserve(one, 'a', 20)
  await until(() => reads === 1)
  quota = null
  world.notices.publishChange(one, 'plan')
  await world.transport.flush()
  release.resolve()
  t.deepEqual(await early, { granted: 10 })
  t.deepEqual(await world.router.reserve(one, 'b', 20), { granted: null })
  await end(t, world)
})

test('without a responder the caller continues without an answer, and this is counted', async (t) => {
  const world = makeWorld({}, {}, '9xdead00')
  t.is(await retried(world, world.router.reserve(one, 'a', 1)), null)
  t.is(await retried(world, world.router.snapshot(one, null)), null)
  t.notThrows(() => world.router.settle(one, 'a', 1))
  t.deepEqual(world.results, ['reserve no_responders', 'snapshot no_responders', 'settle ok'])
  t.deepEqual(world.fallbacks, ['ingest', 'rules'])
  await end(t, world)
})

test('callers wait for a hanging actor only until their deadline', async (t) => {
  const world = makeWorld({ readQuota: () => new Promise(() => undefined) })
  const asked = world.router.reserve(one, 'a', 1)
  await world.network.advance(399)
  t.deepEqual(world.results, [])
  await world.network.advance(1)
  t.is(await asked, null)
  t.deepEqual(world.results, ['reserve timeout'])
  await world.transport.stop()
})

test('an outage, a bug, a deleted workspace and a wrong epoch each make the caller go without', async (t) => {
  const world = makeWorld({
    readQuota: (workspaceId) =>
      workspaceId === one ? Promise.reject(new Outage('failure', 'database is away')) : Promise.resolve(null),
    readRules: () => Promise.reject(new Error('a bug')),
  })
  t.is(await world.router.reserve(one, 'a', 1), null)
  t.is(await world.router.reserve(two, 'a', 1), null)
  t.is(await world.router.snapshot(one, null), null)
  const stale = makeActorRouter({
    transport: world.transport,
    boot: 'x',
    routes: fixedRoutes(99, 'abcdef', '1xabcdef'),
    clock: world.network,
    onRetry: () => undefined,
    onRequest: (operation, result) => void world.results.push(`${operation} ${result}`),
    onFallback: () => undefined,
  })
  t.is(await retried(world, stale.reserve(one, 'a', 1)), null)
  t.deepEqual(world.results, ['reserve outage', 'reserve unknown_workspace', 'snapshot failed', 'reserve not_owner'])
  t.is((world.errors.pop() as Error).message, 'a bug')
  await end(t, world)
})

test('a workspace is served one message at a time while others continue, and a full mailbox refuses', async (t) => {
  const release = Promise.withResolvers<void>()
  let inOne = 0
  let most = 0
  const world = makeWorld(
    {
      readRules: async (workspaceId) => {
        if (workspaceId === two) return { version: 'mark.2', text: '{}' }
        inOne += 1
        most = Math.max(most, inOne)
        await release.promise
        inOne -= 1
        return { version: 'mark.1', text: '{}' }
      },
    },
    { mailboxCapacity: 3 },
  )
  const asked = [1, 2, 3, 4, 5].map(() => world.router.snapshot(one, null))
  t.deepEqual(await world.router.snapshot(two, null), { version: 'mark.2', text: '{}' })
  release.resolve()
  const answers = await Promise.all(asked)
  t.is(answers.filter((answer) => answer !== null).length, 3)
  t.is(world.results.filter((result) => result === 'snapshot busy').length, 2)
  t.is(most, 1)
  await end(t, world)
})

test('a message whose sender has stopped waiting is not worked on', async (t) => {
  const release = Promise.withResolvers<void>()
  let reads = 0
  const world = makeWorld({
    readRules: async () => {
      reads += 1
      await release.promise
      return 'same'
    },
  })
  const first = world.router.snapshot(one, 'mark.1')
  const second = world.router.snapshot(one, 'mark.1')
  await until(() => reads === 1)
  world.clock.nowMs = 150
  release.resolve()
  t.is(await first, 'same')
  t.is(await second, null)
  t.is(reads, 1)
  t.deepEqual(world.results, ['snapshot ok', 'snapshot expired'])
  await end(t, world)
})

test('idle actors are passivated, and past the bound the one idle longest makes room', async (t) => {
  const world = makeWorld({}, { maxActors: 2, idleAfterMs: 600_000 })
  await world.router.reserve(one, 'a', 60)
  world.clock.nowMs = 1_000
  await world.router.reserve(two, 'a', 60)
  await world.router.reserve(makeUuidV7(), 'a', 60)
  t.is(world.host.activeCount(), 2)
  t.deepEqual(await world.router.reserve(two, 'b', 60), { granted: 40 }, 'still the same actor')
  t.deepEqual(await world.router.reserve(one, 'b', 60), { granted: 60 }, 'a new one')
  world.clock.nowMs = 600_999
  world.host.passivate()
  t.is(world.host.activeCount(), 2)
  world.clock.nowMs = 601_000
  world.host.passivate()
  t.is(world.host.activeCount(), 0)
  await end(t, world)
})

test('a deleted workspace loses its actor at once', async (t) => {
  const world = makeWorld({})
  await world.router.reserve(one, 'a', 60)
  world.notices.publishDeletion(one)
  await until(() => world.host.activeCount() === 0)
  await end(t, world)
})

/** Two requests of one workspace: the second one waits while the first one reads, until `release` is called. */
async function makeWaiting(): Promise<{ world: World; asked: Promise<string>[]; release(): void; reads(): number }> {
  const released = Promise.withResolvers<void>()
  let reads = 0
  const world = makeWorld({
    readRules: async () => {
      reads += 1
      await released.promise
      return 'same'
    },
  })
  const asked = [ask(world, one), ask(world, one)]
  await until(() => reads === 1)
  return { world, asked, release: released.resolve, reads: () => reads }
}

test('behind the fence no request is answered, whether new, waiting or in progress', async (t) => {
  const { world, asked, release, reads } = await makeWaiting()
  world.fence.isOpen = false
  t.is(await ask(world, two), 'fenced')
  release()
  t.deepEqual(await Promise.all(asked), ['fenced', 'fenced'])
  t.is(reads(), 1)
  world.fence.isOpen = true
  t.is(await ask(world, two), 'ok')
  await end(t, world)
})

test('the control: without the fence, what waited and what was in progress is answered', async (t) => {
  const { world, asked, release, reads } = await makeWaiting()
  release()
  t.deepEqual(await Promise.all(asked), ['ok', 'ok'])
  t.is(reads(), 2)
  await end(t, world)
})

test('a partition that is lost while it is worked on is not answered for, and its memory is not used again', async (t) => {
  const release = Promise.withResolvers<void>()
  let accepted = 0
  let reads = 0
  const world = makeWorld({
    readQuota: async () => {
      const seen = accepted
      reads += 1
      if (reads === 1) await release.promise
      return { quota: 100, accepted: seen, monthEndsInMs: 1e9 }
    },
  })
  const asked = world.router.reserve(one, 'a', 60)
  await until(() => reads === 1)
  world.host.drop(partitionOf(one))
  release.resolve()
  t.is(await retried(world, asked), null)
  accepted = 70
  world.host.own(partitionOf(one), 1)
  t.deepEqual(await world.router.reserve(one, 'b', 60), { granted: 30 })
  await end(t, world)
})

test('a partition is given up when what was taken of it has been answered, and the others are served on', async (t) => {
  const release = Promise.withResolvers<void>()
  let reads = 0
  const world = makeWorld({
    readRules: async (workspaceId) => {
      reads += 1
      if (workspaceId === one) await release.promise
      return 'same'
    },
  })
  const taken = ask(world, one)
  await until(() => reads === 1)
  let isGivenUp = false
  const giving = world.host.release(partitionOf(one)).then(() => {
    isGivenUp = true
  })
  await t.throwsAsync(ask(world, one), { instanceOf: NoResponders })
  t.is(await ask(world, two), 'ok')
  t.false(isGivenUp)
  release.resolve()
  t.is(await taken, 'ok')
  await giving
  t.is(world.host.activeCount(), 1)
  await end(t, world)
})

test('a slow release of an epoch does not take away a later one', async (t) => {
  const release = Promise.withResolvers<void>()
  let reads = 0
  const world = makeWorld({
    readRules: async () => {
      reads += 1
      if (reads === 1) await release.promise
      return 'same'
    },
  })
  const taken = ask(world, one)
  await until(() => reads === 1)
  const giving = world.host.release(partitionOf(one))
  world.host.own(partitionOf(one), 1)
  release.resolve()
  await Promise.all([giving, taken])
  t.is(await ask(world, one), 'ok')
  await end(t, world)
})

test('a write that the database refused reports its ownership, one that was not begun reports none, and neither is answered', async (t) => {
  const refused = { pid: partitionOf(one), epoch: 1, boot: 'abcdef' }
  const fences = [refused, null]
  const world = makeWorld({ readRules: () => Promise.reject(new Fenced(fences.shift() ?? null)) })
  t.is(await ask(world, one), 'fenced')
  t.deepEqual(world.errors.splice(0), [refused])
  t.is(await ask(world, one), 'fenced')
  await end(t, world)
})

test('a ping is also answered behind the fence, because it only asks whether the process is alive', async (t) => {
  const world = makeWorld({})
  world.fence.isOpen = false
  const subject = operationSubject(7, '1xabcdef', 'ping')
  await t.notThrowsAsync(world.transport.request(subject, new Uint8Array(), { timeoutMs: 1_000 }))
  await end(t, world)
})

test('a stop answers accepted requests; then there is no responder', async (t) => {
  const release = Promise.withResolvers<void>()
  let reads = 0
  const world = makeWorld({
    readRules: async () => {
      reads += 1
      await release.promise
      return 'same'
    },
  })
  const taken = world.router.snapshot(one, 'mark.1')
  await until(() => reads === 1)
  const stopping = world.host.stop()
  t.is(await retried(world, world.router.snapshot(two, 'mark.1')), null)
  release.resolve()
  t.is(await taken, 'same')
  await stopping
  t.deepEqual(world.results, ['snapshot no_responders', 'snapshot ok'])
  await world.transport.stop()
})
