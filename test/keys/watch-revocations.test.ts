import test, { type ExecutionContext } from 'ava'
import { Outage } from '../../src/base/fault.ts'
import { digestKey } from '../../src/keys/key-text.ts'
import { openKeys } from '../../src/keys/open.ts'
import { openRevocationWatch } from '../../src/keys/watch-revocations.ts'
import type { Database } from '../../src/store/database.ts'
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

/** A watch over a database whose answers, and their delays, the test chooses. */
function makeWorld(t: ExecutionContext, db: Pick<Database, 'rows'> = database.db) {
  let queries = 0
  const clock = makeVirtualClock(() => queries === 0)
  const state = { failure: null as Error | null, isAway: false, holdMs: 0 }
  const forgotten: string[] = []
  const errors: unknown[] = []
  const watch = openRevocationWatch({
    db: {
      async rows<Row extends object>(statement: string, values?: readonly unknown[]): Promise<Row[]> {
        if (state.holdMs > 0) await new Promise<void>((done) => void clock.after(state.holdMs, done))
        if (state.failure !== null) throw state.failure
        queries += 1
        try {
          return await db.rows<Row>(statement, values)
        } finally {
          queries -= 1
        }
      },
    },
    clock,
    forget: (digestHex) => void forgotten.push(digestHex),
    forgetAll: () => void forgotten.push('all'),
    isDatabaseAway: () => state.isAway,
    onError: (error) => void errors.push(error),
  })
  t.teardown(watch.stop)
  return { clock, state, forgotten, errors, watch }
}

const digestOf = (key: string | null): string => digestKey(key ?? '').toString('hex')
const revoke = async (keyId: string | null): Promise<unknown> =>
  await database.query('update api_keys set revoked_at = now() where id = $1', [keyId])

test.serial('a key that is revoked on any front is evicted within 400 ms, and only once', async (t) => {
  const [ada, bob] = [await people.add(), await people.add()]
  await revoke(ada.keyId)
  const { clock, forgotten, watch } = makeWorld(t)
  t.false(watch.isCurrent(), 'nothing is known yet')
  await clock.settle()
  t.true(watch.isCurrent())
  t.deepEqual(forgotten, ['all'])
  await revoke(bob.keyId)
  await revoke(bob.keyId)
  await clock.advance(400)
  t.deepEqual(forgotten, ['all', digestOf(bob.key)])
  await clock.advance(4_000)
  t.is(forgotten.length, 2)
})

test.serial('the keys of a deleted workspace are evicted too', async (t) => {
  const ada = await people.add()
  const { clock, forgotten } = makeWorld(t)
  await clock.settle()
  await database.query('update api_keys set revoked_at = now() where workspace_id = $1', [ada.workspaceId])
  await clock.advance(400)
  t.deepEqual(forgotten, ['all', digestOf(ada.key)])
})

test.serial('without an answer memory is trusted for 0.9 s, and again with the next one', async (t) => {
  const { clock, state, errors, watch, forgotten } = makeWorld(t)
  await clock.settle()
  state.failure = new Outage('failure', 'away')
  await clock.advance(899)
  t.true(watch.isCurrent())
  await clock.advance(1)
  t.false(watch.isCurrent())
  await clock.advance(10_000)
  t.is(errors.length, 1, 'told once')
  const ada = await people.add()
  await revoke(ada.keyId)
  state.failure = null
  await clock.advance(400)
  t.true(watch.isCurrent())
  t.deepEqual(forgotten, ['all', digestOf(ada.key)])
  state.holdMs = 400
  for (let at = 0; at < 40; at += 1) {
    await clock.advance(100)
    t.true(watch.isCurrent())
  }
  state.holdMs = 1_000
  await clock.advance(1_900)
  t.false(watch.isCurrent(), 'an answer that took a second tells of a second ago')
})

test.serial('if the database is unavailable for all, keys in memory are still accepted', async (t) => {
  const { clock, state, watch } = makeWorld(t)
  await clock.settle()
  state.isAway = true
  state.failure = new Outage('failure', 'away')
  await clock.advance(60_000)
  t.true(watch.isCurrent())
  state.isAway = false
  t.false(watch.isCurrent())
})

test.serial('a check that hangs counts as failed once the last successful one is too old', async (t) => {
  const { clock, state, watch } = makeWorld(t)
  await clock.settle()
  state.holdMs = 60_000
  state.isAway = true
  for (let at = 0; at < 20; at += 1) {
    await clock.advance(100)
    t.true(watch.isCurrent())
  }
  state.isAway = false
  t.false(watch.isCurrent(), 'it hangs for us alone')
  state.holdMs = 0
  await clock.advance(60_000)
  t.true(watch.isCurrent())
})

test('too many revocations at once, and a restored database, clear the cache', async (t) => {
  const marks = { last_mark: 'a', seen_mark: 'a', seq: null, digest_hex: null }
  let rows: unknown[] = [{ ...marks, last_seq: 5 }]
  const { clock, forgotten } = makeWorld(t, { rows: () => Promise.resolve(rows as never[]) })
  await clock.settle()
  await clock.advance(400)
  t.deepEqual(forgotten, ['all'])
  rows = Array.from({ length: 1_001 }, (_, at) => ({ ...marks, last_seq: 2_000, seq: 6 + at, digest_hex: 'aa' }))
  await clock.advance(400)
  t.deepEqual(forgotten, ['all', 'all'])
  rows = [{ ...marks, last_seq: 1_999 }]
  await clock.advance(400)
  t.deepEqual(forgotten, ['all', 'all', 'all'])
  await clock.advance(400)
  t.is(forgotten.length, 3)
})

test.serial('a restored database is detected even if as many keys were revoked in it since', async (t) => {
  const [ada, bob, eve] = [await people.add(), await people.add(), await people.add()]
  await revoke(ada.keyId)
  const { clock, forgotten } = makeWorld(t)
  await clock.settle()
  await clock.advance(4_000)
  t.deepEqual(forgotten, ['all'])
  const [last] = await database.query<{ seq: number }>('select max(seq)::int as seq from key_events')
  await database.query('delete from key_events where seq = $1', [last?.seq])
  await database.query(`select setval(pg_get_serial_sequence('key_events', 'seq'), $1, false)`, [last?.seq])
  await revoke(bob.keyId)
  await revoke(eve.keyId)
  const [now] = await database.query<{ seq: number }>('select max(seq)::int as seq from key_events')
  t.is(now?.seq, (last?.seq ?? 0) + 1)
  await clock.advance(400)
  t.deepEqual(forgotten, ['all', 'all'], 'and not the last one alone')
  await clock.advance(4_000)
  t.is(forgotten.length, 2)
})

test.serial('a front that cannot receive revocations looks up every key, and accepts none from memory', async (t) => {
  const ada = await people.add()
  const clock = makeVirtualClock()
  let failure: Error | null = null
  let looks = 0
  const keys = openKeys({
    queriesOfClient: 3,
    db: {
      ...database.db,
      row: async (statement, values) => {
        looks += 1
        if (failure !== null) throw failure
        return await database.db.row(statement, values)
      },
    },
    publishRevoked: () => undefined,
    onForgotten: () => undefined,
    nowMs: Date.now,
    onError: () => undefined,
    timeouts: longTimeouts,
    watch: {
      db: { rows: () => (failure === null ? Promise.resolve([{ last_seq: 1 } as never]) : Promise.reject(failure)) },
      clock,
      isDatabaseAway: () => false,
    },
  })
  t.teardown(keys.stop)
  await clock.settle()
  const key = ada.key ?? ''
  t.truthy(await keys.verifyKey(key, ip))
  t.truthy(await keys.verifyKey(key, ip))
  t.truthy(keys.peekKey(key))
  t.is(looks, 1)
  failure = new Outage('failure', 'away')
  await clock.advance(1_000)
  t.is(keys.peekKey(key), undefined)
  await t.throwsAsync(async () => await keys.verifyKey(key, ip), { instanceOf: Outage })
  failure = null
  await clock.advance(400)
  t.truthy(keys.peekKey(key))
})
