import test from 'ava'
import { Outage } from '../../src/base/fault.ts'
import { digestKey, makeKey } from '../../src/keys/key-text.ts'
import { openKeys } from '../../src/keys/open.ts'
import { makeKeyVerifier } from '../../src/keys/verify.ts'
import type { Database } from '../../src/store/database.ts'
import { makeDatabase, type TestDatabase } from '../_kit/db.ts'
import { openHttp } from '../_kit/http.ts'
import { openPeople, type People } from '../_kit/people.ts'
import { until } from '../_kit/until.ts'

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

/** Counts the queries of a verifier, and can make them fail or wait. */
function watch(db: Database): { db: Database; count: () => number; fail: (error: Error | null) => void } {
  let queries = 0
  let failure: Error | null = null
  const row: Database['row'] = async (statement, values) => {
    queries += 1
    if (failure !== null) throw failure
    return await db.row(statement, values)
  }
  return {
    db: { ...db, row },
    count: () => queries,
    fail: (error) => {
      failure = error
    },
  }
}

test('a live key is its workspace, from memory after the first time', async (t) => {
  const ada = await people.add()
  const watched = watch(database.db)
  const { verify } = makeKeyVerifier(watched.db)
  const expected = { keyId: ada.keyId ?? '', workspaceId: ada.workspaceId }
  for (let at = 0; at < 5; at += 1) t.deepEqual(await verify(ada.key ?? ''), expected)
  t.is(watched.count(), 1)
})

test('50 requests with the same new key share one query', async (t) => {
  const ada = await people.add()
  const watched = watch(database.db)
  const { verify } = makeKeyVerifier(watched.db)
  const found = await Promise.all(Array.from({ length: 50 }, async () => await verify(ada.key ?? '')))
  t.true(found.every((identity) => identity?.workspaceId === ada.workspaceId))
  t.is(watched.count(), 1)
})

test('an unknown key costs one query in five seconds, and a malformed one none', async (t) => {
  const watched = watch(database.db)
  const { verify } = makeKeyVerifier(watched.db)
  const { text } = makeKey()
  t.is(await verify(text), null)
  t.is(await verify(text), null)
  t.is(watched.count(), 1)
  t.is(await verify(`${text.slice(0, -1)}${text.endsWith('0') ? '1' : '0'}`), null)
  t.is(await verify('x'.repeat(8_192)), null)
  t.is(await verify((await people.add()).token), null)
  t.is(watched.count(), 1)
})

test('a flood of unknown keys does not push out the known ones', async (t) => {
  const ours = makeKey()
  let queries = 0
  const row: Database['row'] = (_statement, values) => {
    queries += 1
    const isOurs = ours.digest.equals(values?.[0] as Buffer)
    return Promise.resolve(isOurs ? ({ id: 'key', workspace_id: 'workspace', expires_at: null } as never) : null)
  }
  const { verify } = makeKeyVerifier({ ...database.db, row })
  await verify(ours.text)
  for (let at = 0; at < 10_500; at += 1) await verify(makeKey().text)
  t.is(queries, 10_501)
  t.deepEqual(await verify(ours.text), { keyId: 'key', workspaceId: 'workspace' })
  t.is(queries, 10_501)
})

test('a key store that is down is an outage and no refusal, and is asked again the next time', async (t) => {
  const ada = await people.add()
  const watched = watch(database.db)
  const { verify } = makeKeyVerifier(watched.db)
  watched.fail(new Outage('the database is not available'))
  await t.throwsAsync(async () => await verify(ada.key ?? ''), { instanceOf: Outage })
  watched.fail(null)
  t.is((await verify(ada.key ?? ''))?.workspaceId, ada.workspaceId)
})

test('over HTTP the outage of the key store is 503 with Retry-After, and a known key goes on', async (t) => {
  const [ada, bob] = [await people.add(), await people.add()]
  const watched = watch(database.db)
  const keys = openKeys({ db: watched.db, publishRevoked: () => undefined, onError: () => undefined })
  const http = await openHttp(people.routes, { ...people.authenticator, key: keys.verifyKey })
  t.teardown(http.stop)
  t.is((await http.call('GET', '/v1/workspace/me', { token: ada.key ?? '' })).status, 200)
  watched.fail(new Outage('the database is not available'))
  const down = await http.call('GET', '/v1/workspace/me', { token: bob.key ?? '' })
  t.is(down.status, 503)
  t.true(Number(down.headers.get('retry-after')) >= 1)
  t.is((await http.call('GET', '/v1/workspace/me', { token: ada.key ?? '' })).status, 200)
  await keys.stop()
})

test.serial('a known key outlives an outage, but not for long, and not where revocations may be missed', async (t) => {
  const ada = await people.add()
  const watched = watch(database.db)
  let isCurrent = true
  const { verify, peek } = makeKeyVerifier(watched.db, () => isCurrent)
  const key = ada.key ?? ''
  t.truthy(await verify(key))
  const real = performance.now
  t.teardown(() => {
    performance.now = real
  })
  // A clock that stands: between two checks no time passes.
  const later = (ms: number): void => {
    const atMs = real.call(performance) + ms
    performance.now = () => atMs
  }
  watched.fail(new Outage('the database is not available'))
  later(31_000)
  t.is(peek(key), undefined)
  t.truthy(await verify(key))
  t.is(watched.count(), 2)
  t.truthy(await verify(key))
  t.truthy(peek(key))
  t.is(watched.count(), 2, 'the database is left alone for a second')
  isCurrent = false
  await t.throwsAsync(async () => await verify(key), { instanceOf: Outage })
  isCurrent = true
  later(91_000)
  // The memory looks at the clock once a millisecond.
  await until(
    async () =>
      await verify(key).then(
        () => false,
        (error: unknown) => error instanceof Outage,
      ),
  )
})

test('forgetting a revoked key makes the next check look again', async (t) => {
  const ada = await people.add()
  const { verify, forget } = makeKeyVerifier(database.db)
  t.truthy(await verify(ada.key ?? ''))
  const [row] = await database.query<{ hex: string }>(
    "update api_keys set revoked_at = now() where id = $1 returning encode(digest, 'hex') as hex",
    [ada.keyId],
  )
  t.truthy(await verify(ada.key ?? ''), 'this front has not heard of it')
  forget(row?.hex ?? '')
  t.is(await verify(ada.key ?? ''), null)
})

test('a look-up that began before the revocation is not kept', async (t) => {
  const ada = await people.add()
  const answered = Promise.withResolvers<void>()
  const released = Promise.withResolvers<void>()
  const slow: Database['row'] = async (statement, values) => {
    const row = await database.db.row(statement, values)
    answered.resolve()
    await released.promise
    return row as never
  }
  const { verify, forget } = makeKeyVerifier({ ...database.db, row: slow })
  const early = verify(ada.key ?? '')
  await answered.promise
  await database.query('update api_keys set revoked_at = now() where id = $1', [ada.keyId])
  forget(digestKey(ada.key ?? '').toString('hex'))
  const late = verify(ada.key ?? '')
  released.resolve()
  t.truthy(await early, 'it was live when it was asked')
  t.is(await late, null, 'who asks after the revocation does not share the earlier look-up')
  t.is(await verify(ada.key ?? ''), null)
})

test('a deleted workspace takes its keys with it', async (t) => {
  const [ada, bob] = [await people.add(), await people.add()]
  const watched = watch(database.db)
  const { verify, forgetWorkspace } = makeKeyVerifier(watched.db)
  await verify(ada.key ?? '')
  await verify(bob.key ?? '')
  await database.query('update workspaces set deleted_at = now() where id = $1', [ada.workspaceId])
  forgetWorkspace(ada.workspaceId)
  t.is(await verify(ada.key ?? ''), null)
  t.truthy(await verify(bob.key ?? ''))
  t.is(watched.count(), 3, 'the other workspace stayed in memory')
})

test('an expired key is refused, though nobody revoked it', async (t) => {
  const ada = await people.add()
  await database.query("update api_keys set expires_at = now() - interval '1 s' where id = $1", [ada.keyId])
  t.is(await makeKeyVerifier(database.db).verify(ada.key ?? ''), null)
})
