import { randomBytes } from 'node:crypto'
import test from 'ava'
import { openLastUse } from '../../src/keys/last-use.ts'
import { openKeys } from '../../src/keys/open.ts'
import { makeDatabase, type TestDatabase } from '../_kit/db.ts'
import { openHttp } from '../_kit/http.ts'
import { queueBehind } from '../_kit/lock-waits.ts'
import { longTimeouts, openPeople, type People } from '../_kit/people.ts'
import { until } from '../_kit/until.ts'

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

const open = (onError: (error: unknown) => void = () => undefined) =>
  openKeys({
    queriesOfClient: 3,
    db: database.db,
    publishRevoked: () => undefined,
    onForgotten: () => undefined,
    nowMs: Date.now,
    onError,
    timeouts: longTimeouts,
  })

const readLastUse = async (keyId: string | null): Promise<Date | null> =>
  (await database.query<{ at: Date | null }>('select last_used_at as at from api_keys where id = $1', [keyId]))[0]
    ?.at ?? null

test('a used key has its last use after the flush, and an unused one has none', async (t) => {
  const [ada, bob] = [await people.add(), await people.add()]
  const keys = open()
  const startedAt = new Date()
  for (let at = 0; at < 10; at += 1) await keys.verifyKey(ada.key ?? '', ip)
  await keys.flushLastUse()
  const at = await readLastUse(ada.keyId)
  t.true(at !== null && at >= startedAt && at <= new Date())
  t.is(await readLastUse(bob.keyId), null)
  await keys.stop()
})

test('the first use of an idle key is written at once, and further uses with the next flush', async (t) => {
  const written: unknown[] = []
  const run = async (_statement: string, values: readonly unknown[] = []): Promise<number> => written.push(values[1])
  const lastUse = openLastUse({
    db: { ...database.db, run },
    onError: (error) => t.fail(String(error)),
    flushEveryMs: 3_600_000,
    firstUseMs: 1,
  })
  const use = (keyId: string): void => lastUse.note({ keyId, workspaceId: 'w' })
  use('a')
  await until(() => written.length === 1)
  use('a')
  use('b')
  await until(() => written.length === 2)
  use('a')
  use('b')
  await lastUse.stop()
  t.deepEqual(written, [['a'], ['a', 'b'], ['a', 'b']])
})

test('a stop waits for the flush in progress, and writes its times if it fails', async (t) => {
  const written: unknown[] = []
  const errors: unknown[] = []
  let calls = 0
  const away = Promise.withResolvers<never>()
  const run = async (_statement: string, values: readonly unknown[] = []): Promise<number> => {
    calls += 1
    return calls === 1 ? await away.promise : written.push(values[1])
  }
  const lastUse = openLastUse({
    db: { ...database.db, run },
    onError: (error) => void errors.push(error),
    flushEveryMs: 3_600_000,
    firstUseMs: 1,
  })
  lastUse.note({ keyId: 'a', workspaceId: 'w' })
  await until(() => calls === 1)
  const stopping = lastUse.stop()
  away.reject(new Error('away'))
  await stopping
  t.is(errors.length, 1)
  t.deepEqual(written, [['a']])
})

test('flushes that wait for the one in progress share the next one, so that a stop waits for two at most', async (t) => {
  let calls = 0
  const away = Promise.withResolvers<never>()
  const run = async (): Promise<number> => {
    calls += 1
    return await away.promise
  }
  const lastUse = openLastUse({ db: { ...database.db, run }, onError: () => undefined, flushEveryMs: 3_600_000 })
  lastUse.note({ keyId: 'a', workspaceId: 'w' })
  void lastUse.flush()
  await until(() => calls === 1)
  const waiting = Array.from({ length: 50 }, async () => await lastUse.flush())
  const stopping = lastUse.stop()
  away.reject(new Error('away'))
  await Promise.all([...waiting, stopping])
  t.is(calls, 2)
})

test('a flush whose failure cannot be reported neither loses its times nor blocks the next one', async (t) => {
  const written: unknown[] = []
  let isAway = true
  const run = async (_statement: string, values: readonly unknown[] = []): Promise<number> => {
    if (isAway) throw new Error('away')
    return written.push(values[1])
  }
  const onError = (): never => {
    throw new Error('no space left for the log')
  }
  const lastUse = openLastUse({ db: { ...database.db, run }, onError, flushEveryMs: 3_600_000 })
  lastUse.note({ keyId: 'a', workspaceId: 'w' })
  await t.throwsAsync(lastUse.flush(), { message: 'no space left for the log' })
  isAway = false
  await lastUse.stop()
  t.deepEqual(written, [['a']])
})

test('stopping writes what is left', async (t) => {
  const ada = await people.add()
  const keys = open()
  await keys.verifyKey(ada.key ?? '', ip)
  await keys.stop()
  t.not(await readLastUse(ada.keyId), null)
})

test('the last use only moves forward, whichever front writes last', async (t) => {
  const ada = await people.add()
  const keys = open()
  await keys.verifyKey(ada.key ?? '', ip)
  const ahead = new Date(Date.now() + 3_600_000)
  await database.query('update api_keys set last_used_at = $2 where id = $1', [ada.keyId, ahead])
  await keys.stop()
  t.deepEqual(await readLastUse(ada.keyId), ahead)
})

test('a flush that fails is reported, and the next one writes its data', async (t) => {
  const ada = await people.add()
  const errors: unknown[] = []
  let broken = true
  const keys = openKeys({
    queriesOfClient: 3,
    db: {
      ...database.db,
      run: async (statement, values) => {
        if (broken) throw new Error('the disk is full')
        return await database.db.run(statement, values)
      },
    },
    publishRevoked: () => undefined,
    onForgotten: () => undefined,
    nowMs: Date.now,
    onError: (error) => void errors.push(error),
    timeouts: longTimeouts,
  })
  await keys.verifyKey(ada.key ?? '', ip)
  await keys.flushLastUse()
  t.true(errors.length > 0)
  t.is(await readLastUse(ada.keyId), null)
  broken = false
  await keys.stop()
  t.not(await readLastUse(ada.keyId), null)
})

test('many fronts that flush the same keys at once neither deadlock nor fail', async (t) => {
  const all = await Promise.all(Array.from({ length: 8 }, async () => await people.add()))
  const errors: unknown[] = []
  const fronts = Array.from({ length: 6 }, () => open((error) => void errors.push(error)))
  for (const [at, front] of fronts.entries()) {
    const order = at % 2 === 0 ? all : [...all].reverse()
    for (const person of order) await front.verifyKey(person.key ?? '', ip)
  }
  await Promise.all(fronts.map(async (front) => await front.stop()))
  t.deepEqual(errors, [])
  for (const person of all) t.not(await readLastUse(person.keyId), null)
})

/**
 * Inserts keys of a workspace; the one with the highest id is first and newest, so that an index by time and a scan both read them in this
 * order.
 */
async function insertKeys(workspaceId: string, ids: readonly string[]): Promise<void> {
  for (const [at, id] of ids.entries())
    await database.query(
      `insert into api_keys (id, workspace_id, name, key_prefix, digest, created_by, created_at)
       values ($1, $2, 'key', 'prefix', $3, gen_random_uuid(), now() - $4 * interval '1 minute')`,
      [id, workspaceId, randomBytes(32), at],
    )
}

test('a workspace is deleted while a front writes when its keys were used', async (t) => {
  const ada = await people.add()
  const http = await openHttp(people.routes, people.authenticator)
  t.teardown(async () => await http.stop())
  const [high, middle, low] = ['f', '8', '0'].map((digit) => `${digit.repeat(8)}-0000-7000-8000-000000000000`)
  const ids = [high ?? '', middle ?? '', low ?? '']
  await insertKeys(ada.workspaceId, ids)
  const touched = [ids.map(() => ada.workspaceId), ids, ids.map(() => new Date())]
  const lock = { text: 'select from api_keys where id = $1 for update', values: [middle] }
  const results = await queueBehind(database, lock, [
    async () => (await http.call('DELETE', `/v1/workspaces/${ada.workspaceId}`, { token: ada.token })).status,
    async () => await database.db.run('keys/touch', touched),
  ])
  t.deepEqual(results, [204, ids.length])
})
