import test, { type ExecutionContext } from 'ava'
import { encodeHeartbeat, encodeRouteNews, type Heartbeat, type Owned } from '../../src/actors/heartbeat.ts'
import type { PartitionRow } from '../../src/actors/partition-table.ts'
import { openRouteTable } from '../../src/actors/route-table.ts'
import { heartbeatSubject, routeSubject } from '../../src/actors/subjects.ts'
import { Outage } from '../../src/base/fault.ts'
import { openChaosNetwork } from '../_kit/chaos-transport.ts'
import { makeVirtualClock } from '../_kit/virtual-clock.ts'

function makeWorld(t: ExecutionContext) {
  const clock = makeVirtualClock()
  const network = openChaosNetwork({ seed: 1, onError: (error) => t.fail(String(error)), after: clock.after })
  const actor = network.join('actor')
  const transport = network.join('front')
  const database = { rows: [] as PartitionRow[], isAway: false, reads: 0 }
  let changes = 0
  const routes = openRouteTable({
    transport,
    clock,
    readPartitions: () => {
      database.reads += 1
      return database.isAway ? Promise.reject(new Outage('failure', 'away')) : Promise.resolve([...database.rows])
    },
    onChange: () => {
      changes += 1
    },
    onError: (error) => t.fail(String(error)),
  })
  async function announce(boot: string, parts: readonly Owned[], free = false): Promise<void> {
    actor.publish(routeSubject, encodeRouteNews({ member: 'actor-0', boot, free, parts }))
    await clock.settle()
  }
  async function beat(boot: string, said: Partial<Heartbeat> = {}): Promise<void> {
    const all = {
      member: `actor-${boot}`,
      boot,
      sentAtMs: 0,
      ready: true,
      draining: false,
      pgOk: true,
      pgAnswers: said.pgOk ?? true,
      owned: [],
      ...said,
    }
    actor.publish(heartbeatSubject(all.member), encodeHeartbeat(all))
    await clock.settle()
  }
  return { clock, network, routes, database, announce, beat, changes: () => changes }
}

test('the owners are read from the database at the start, again and again until it answers', async (t) => {
  const { clock, routes, database } = makeWorld(t)
  database.isAway = true
  database.rows = [
    { pid: 3, epoch: 5, owner: 'actor-0', boot: 'aa' },
    { pid: 4, epoch: 6, owner: null, boot: null },
  ]
  await clock.advance(3_000)
  t.is(routes.get(3), null)
  t.true(database.reads >= 3 && database.reads < 10)
  database.isAway = false
  await clock.advance(600)
  t.deepEqual(routes.get(3), { token: '5xaa', epoch: 5 })
  t.is(routes.get(4), null)
  t.is(routes.known(), 1)
})

test('messages raise the epoch, and a late message, a heartbeat or a restored database does not lower it', async (t) => {
  const { clock, network, routes, database, announce, beat } = makeWorld(t)
  await clock.settle()
  await announce('bb', [[3, 7]])
  t.deepEqual(routes.get(3), { token: '7xbb', epoch: 7 })
  await announce('aa', [[3, 5]])
  await beat('aa', { owned: [[3, 6]] })
  database.rows = [{ pid: 3, epoch: 5, owner: 'actor-0', boot: 'aa' }]
  network.lose('front')
  network.regain('front')
  const { reads } = database
  await clock.advance(1_000)
  t.true(database.reads > reads, 'who was away asks again')
  t.is(routes.get(3)?.token, '7xbb')
  await beat('cc', { owned: [[3, 8]] })
  t.is(routes.get(3)?.token, '8xcc')
})

test('the owner of a restored database is asked once the known owner is silent', async (t) => {
  const { clock, routes, database, beat } = makeWorld(t)
  await clock.settle()
  await beat('bb', { owned: [[3, 7]] })
  database.rows = [{ pid: 3, epoch: 5, owner: 'actor-aa', boot: 'aa' }]
  await beat('aa', { owned: [[3, 5]] })
  await clock.advance(1_000)
  t.is(routes.get(3)?.token, '7xbb', 'it may still claim the partition again')
  await clock.advance(5_000)
  t.is(routes.get(3)?.token, '7xbb', 'no other owner is heard')
  await beat('aa', { owned: [[3, 5]] })
  await clock.advance(600)
  t.is(routes.get(3)?.token, '5xaa')
})

test('the previous owner of a partition is asked until the next owner announces itself', async (t) => {
  const { clock, routes, announce, changes } = makeWorld(t)
  await clock.settle()
  await announce('aa', [
    [3, 1],
    [4, 1],
  ])
  await announce('aa', [[3, 1]], true)
  t.is(routes.get(3)?.token, '1xaa')
  await announce('aa', [[3, 1]])
  await announce('bb', [[3, 2]])
  t.is(routes.get(3)?.token, '2xbb')
  t.is(routes.get(4)?.epoch, 1)
  t.is(changes(), 3)
})

test('of two owners at one epoch, the database decides', async (t) => {
  const { clock, routes, database, announce } = makeWorld(t)
  await clock.settle()
  await announce('aa', [[3, 2]])
  database.rows = [{ pid: 3, epoch: 2, owner: 'actor-1', boot: 'bb' }]
  await announce('bb', [[3, 2]])
  t.is(routes.get(3)?.token, '2xaa')
  await clock.advance(600)
  t.is(routes.get(3)?.token, '2xbb')
})

test('a caller that waits for another owner is woken by a new owner, at once if there is one already, and not by a loss', async (t) => {
  const { clock, routes, announce } = makeWorld(t)
  await clock.settle()
  const told: string[] = []
  const wait = (name: string, token: string | null, ms: number): void =>
    void routes.changed(3, token, ms).then((found) => told.push(`${name} ${found}`))
  wait('first', null, 50)
  await announce('aa', [[3, 1]])
  t.deepEqual(told, ['first true'])
  wait('second', null, 50)
  wait('third', '1xaa', 50)
  await announce('aa', [[3, 1]], true)
  await announce('bb', [[4, 1]])
  t.deepEqual(told, ['first true', 'second true'])
  await clock.advance(50)
  t.deepEqual(told, ['first true', 'second true', 'third false'])
})

test('the database counts as unavailable if at least one member is alive and all members that are alive report it', async (t) => {
  const { clock, routes, beat } = makeWorld(t)
  t.false(routes.isDatabaseAway(), 'nobody is there')
  await beat('aa', { pgOk: false })
  t.true(routes.isDatabaseAway())
  await beat('bb', { pgOk: true })
  t.false(routes.isDatabaseAway())
  await beat('bb', { pgOk: true, pgAnswers: false })
  t.true(routes.isDatabaseAway(), 'one that hangs is as good as away')
  await beat('bb', { pgOk: true, draining: true })
  await clock.advance(3_000)
  await beat('aa', { pgOk: false })
  await clock.advance(3_000)
  t.true(routes.isDatabaseAway(), 'the other one has left')
  await clock.advance(5_000)
  t.false(routes.isDatabaseAway(), 'all are gone')
})

test('a member that fell silent may have the database, until it is back or ten minutes have passed', async (t) => {
  const { clock, routes, beat } = makeWorld(t)
  const pass = async (ms: number): Promise<void> => {
    for (let passedMs = 0; passedMs < ms; passedMs += 1_000) {
      await beat('aa', { pgOk: false })
      await clock.advance(1_000)
    }
  }
  await beat('bb', { pgOk: false })
  await pass(1_000)
  t.true(routes.isDatabaseAway(), 'both say so')
  await pass(5_000)
  t.false(routes.isDatabaseAway(), 'what it said is no longer known to hold')
  await beat('b2', { pgOk: false, member: 'actor-bb' })
  t.true(routes.isDatabaseAway(), 'it is back')
  await pass(599_000)
  t.false(routes.isDatabaseAway())
  await pass(1_000)
  t.true(routes.isDatabaseAway())
})

test('a stopped table reads and receives nothing', async (t) => {
  const { clock, routes, database, announce } = makeWorld(t)
  database.isAway = true
  await clock.settle()
  const { reads } = database
  routes.stop()
  await announce('aa', [[3, 1]])
  await clock.advance(5_000)
  t.is(routes.get(3), null)
  t.is(database.reads, reads)
})
