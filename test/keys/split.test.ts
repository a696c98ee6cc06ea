// A front and an actor are cut off from the database, while the database and another actor run on, unreachable from here.
import test, { type ExecutionContext } from 'ava'
import { encodeHeartbeat } from '../../src/actors/heartbeat.ts'
import { openRouteTable } from '../../src/actors/route-table.ts'
import { heartbeatSubject } from '../../src/actors/subjects.ts'
import { Outage } from '../../src/base/fault.ts'
import { openKeys } from '../../src/keys/open.ts'
import type { Database } from '../../src/store/database.ts'
import { openChaosNetwork } from '../_kit/chaos-transport.ts'
import { makeDatabase, type TestDatabase } from '../_kit/db.ts'
import { longTimeouts, openPeople, type People } from '../_kit/people.ts'
import { makeVirtualClock } from '../_kit/virtual-clock.ts'

const ip = '192.0.2.1'

let database: TestDatabase
let people: People
test.before(async () => {
  database = await makeDatabase()
  people = await openPeople(database.db)
})
test.after.always(async () => {
  await people.stop()
  await database.stop()
})

/** The front and the actor `near`, which lose the database together, and the actor `far`, which never does. */
async function makeZones(t: ExecutionContext) {
  let queries = 0
  let isCut = false
  const clock = makeVirtualClock(() => queries === 0)
  const network = openChaosNetwork({ seed: 1, onError: (error) => t.fail(String(error)), after: clock.after })
  const actors = { near: network.join('near'), far: network.join('far') }
  const routes = openRouteTable({
    transport: network.join('front'),
    clock,
    readPartitions: () => Promise.resolve([]),
    onChange: () => undefined,
    onError: (error) => t.fail(String(error)),
  })
  async function reach<T>(query: () => Promise<T>): Promise<T> {
    if (isCut) throw new Outage('failure', 'there is no way to the database')
    queries += 1
    try {
      return await query()
    } finally {
      queries -= 1
    }
  }
  const db: Database = {
    ...database.db,
    row: (statement, values) => reach(() => database.db.row(statement, values)),
    rows: (statement, values) => reach(() => database.db.rows(statement, values)),
    run: (statement, values) => reach(() => database.db.run(statement, values)),
  }
  const keys = openKeys({
    queriesOfClient: 3,
    db,
    publishRevoked: () => undefined,
    onForgotten: () => undefined,
    nowMs: Date.now,
    onError: () => undefined,
    timeouts: longTimeouts,
    watch: { db, clock, isDatabaseAway: routes.isDatabaseAway },
  })
  t.teardown(async () => {
    isCut = false
    await keys.stop()
    routes.stop()
  })
  function beat(member: 'near' | 'far', draining = false): void {
    const pgOk = member === 'far' || !isCut
    const said = { member, boot: member, sentAtMs: 0, ready: true, draining, pgOk, pgAnswers: pgOk, owned: [] }
    actors[member].publish(heartbeatSubject(member), encodeHeartbeat(said))
  }
  beat('near')
  beat('far')
  await clock.settle()
  return {
    keys,
    beat,
    cut: () => {
      isCut = true
    },
    /** Advances the time by `seconds`, during which only `near` is heard. */
    async pass(seconds: number, look: () => Promise<void>): Promise<void> {
      for (let at = 0; at < seconds; at += 1) {
        beat('near')
        await clock.advance(1_000)
        await look()
      }
    },
  }
}

test('a key that is revoked on the other side of a partition is accepted for at most a second', async (t) => {
  const ada = await people.add()
  const key = ada.key ?? ''
  const { keys, cut, pass } = await makeZones(t)
  t.truthy(await keys.verifyKey(key, ip))
  cut()
  await database.query('update api_keys set revoked_at = now() where id = $1', [ada.keyId])
  await pass(60, async () => {
    t.is(keys.peekKey(key), undefined)
    await t.throwsAsync(keys.verifyKey(key, ip), { instanceOf: Outage })
  })
})

test('if the other front had left, the database counts as unavailable for all, and keys in memory are accepted', async (t) => {
  const ada = await people.add()
  const key = ada.key ?? ''
  const { keys, cut, pass, beat } = await makeZones(t)
  t.truthy(await keys.verifyKey(key, ip))
  beat('far', true)
  await pass(5, () => Promise.resolve())
  cut()
  await pass(25, async () => {
    t.truthy(await keys.verifyKey(key, ip))
  })
})
