import test, { type ExecutionContext } from 'ava'
import { Outage } from '../../src/base/fault.ts'
import { late, withTimeout } from '../../src/base/within.ts'
import { digestKey, makeApiKey } from '../../src/keys/key-text.ts'
import { openKeys } from '../../src/keys/open.ts'
import { type KeyVerifier, type KeyVerifierOptions, makeKeyVerifier } from '../../src/keys/verify.ts'
import type { Database } from '../../src/store/database.ts'
import type { KeyIdentity } from '../../src/web/route.ts'
import { makeDatabase, type TestDatabase } from '../_kit/db.ts'
import { openHttp } from '../_kit/http.ts'
import { longTimeouts, openPeople, type People } from '../_kit/people.ts'
import { measure } from '../_kit/standstill.ts'
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

/** Counts the queries of a verifier, and can make them fail or hang. */
function watch(db: Database) {
  let queries = 0
  let failure: Error | null = null
  let hang: PromiseWithResolvers<void> | null = null
  const row: Database['row'] = async (statement, values) => {
    queries += 1
    await hang?.promise
    if (failure !== null) throw failure
    return await db.row(statement, values)
  }
  return {
    db: { ...db, row },
    count: () => queries,
    fail: (error: Error | null) => {
      failure = error
    },
    hang: () => {
      hang = Promise.withResolvers()
    },
    goOn: () => {
      hang?.resolve()
      hang = null
    },
  }
}

type TestVerifier = Omit<KeyVerifier, 'verify'> & { verify: (text: string, ip?: string) => Promise<KeyIdentity | null> }

/**
 * Uses long time limits, so that a slow machine does not matter, and one address of all clients, except where the test sets them.
 */
function makeVerifier(
  t: ExecutionContext,
  db: Pick<Database, 'row'>,
  options: Partial<KeyVerifierOptions> = {},
): TestVerifier {
  const verifier = makeKeyVerifier({
    queriesOfClient: 3,
    db,
    isCurrent: () => true,
    onForgotten: () => undefined,
    nowMs: Date.now,
    onLateError: (error) => t.fail(String(error)),
    timeouts: longTimeouts,
    ...options,
  })
  return { ...verifier, verify: async (text, ip = '192.0.2.1') => await verifier.verify(text, ip) }
}

const real = performance.now

/** Returns a function that moves the clock forward until the test ends: a clock that stands still, or one that runs. */
function makeLater(t: ExecutionContext, stands = false): (ms: number) => void {
  t.teardown(() => {
    performance.now = real
  })
  return (ms) => {
    const atMs = real.call(performance) + ms
    performance.now = () => (stands ? atMs : real.call(performance) + ms)
  }
}

test('a live key is its workspace, from memory after the first time', async (t) => {
  const ada = await people.add()
  const watched = watch(database.db)
  const { verify } = makeVerifier(t, watched.db)
  const expected = { keyId: ada.keyId ?? '', workspaceId: ada.workspaceId }
  for (let at = 0; at < 5; at += 1) t.deepEqual(await verify(ada.key ?? ''), expected)
  t.is(watched.count(), 1)
})

test('50 requests with the same new key share one query', async (t) => {
  const ada = await people.add()
  const watched = watch(database.db)
  const { verify } = makeVerifier(t, watched.db)
  const found = await Promise.all(Array.from({ length: 50 }, async () => await verify(ada.key ?? '')))
  t.true(found.every((identity) => identity?.workspaceId === ada.workspaceId))
  t.is(watched.count(), 1)
})

test('an unknown key costs one query in five seconds, and a malformed one none', async (t) => {
  const watched = watch(database.db)
  const { verify } = makeVerifier(t, watched.db)
  const { text } = makeApiKey()
  t.is(await verify(text), null)
  t.is(await verify(text), null)
  t.is(watched.count(), 1)
  t.is(await verify(`${text.slice(0, -1)}${text.endsWith('0') ? '1' : '0'}`), null)
  t.is(await verify('x'.repeat(8_192)), null)
  t.is(await verify((await people.add()).token), null)
  t.is(watched.count(), 1)
})

test('a flood of unknown keys does not push out the known ones', async (t) => {
  const ours = makeApiKey()
  let queries = 0
  const row: Database['row'] = (_statement, values) => {
    queries += 1
    const isOurs = ours.digest.equals(values?.[0] as Buffer)
    return Promise.resolve(isOurs ? ({ id: 'key', workspace_id: 'workspace', expires_at: null } as never) : null)
  }
  const { verify } = makeVerifier(t, { row })
  await verify(ours.text)
  for (let at = 0; at < 10_500; at += 1) await verify(makeApiKey().text)
  t.is(queries, 10_501)
  t.deepEqual(await verify(ours.text), { keyId: 'key', workspaceId: 'workspace' })
  t.is(queries, 10_501)
})

/** A database that answers for `ours` at once, and for other keys when `answer` is called. */
function makeSlow(ours: readonly { readonly digest: Buffer }[]) {
  const held = Promise.withResolvers<null>()
  let guesses = 0
  const row: Database['row'] = async (_statement, values) => {
    const isOurs = ours.some(({ digest }) => digest.equals(values?.[0] as Buffer))
    if (isOurs) return { id: 'key', workspace_id: 'workspace', expires_at: null } as never
    guesses += 1
    return await held.promise
  }
  return { db: { row }, guesses: () => guesses, answer: () => held.resolve(null) }
}

test('while the database is slow, the guesses of one client do not use up the look-ups of others', async (t) => {
  const [ours, theirs] = [makeApiKey(), makeApiKey()]
  const slow = makeSlow([ours, theirs])
  const { verify } = makeVerifier(t, slow.db, { queriesOfClient: 2 })
  t.truthy(await verify(theirs.text, '2001:db8:1::1'))
  const guess = async (ip: string): Promise<unknown> =>
    await verify(makeApiKey().text, ip).catch((error: unknown) => error)
  // The addresses of two /64 of one /48, which counts as one client.
  const ips = ['2001:db8:1:1::1', '2001:db8:1:1::2', '2001:db8:1:2::1']
  const guesses = Array.from({ length: 1_200 }, async (_, nth) => await guess(ips[nth % ips.length] ?? ''))
  t.truthy(await verify(ours.text, '192.0.2.1'))
  t.is(slow.guesses(), 2)
  t.truthy(await verify(theirs.text, '2001:db8:1:1::1'), 'a key in memory needs no look-up')
  slow.answer()
  const answers = await Promise.all(guesses)
  t.is(answers.filter((answer) => answer === null).length, 1_002)
  t.is(answers.filter((answer) => answer instanceof Outage && answer.status === 503).length, 198)
})

test('a caller does not wait in the queue of another client for the look-up of the same key', async (t) => {
  const ours = makeApiKey()
  const slow = makeSlow([ours])
  const { verify } = makeVerifier(t, slow.db, { queriesOfClient: 1 })
  const guess = verify(makeApiKey().text, '192.0.2.1')
  const queued = verify(ours.text, '192.0.2.1')
  t.truthy(await Promise.race([verify(ours.text, '192.0.2.2'), queued.then(() => null)]))
  slow.answer()
  t.is(await guess, null)
  t.truthy(await queued)
})

test('a workspace that is deleted during a look-up is unknown to all callers, also if another look-up took over', async (t) => {
  const ours = makeApiKey()
  const held = Promise.withResolvers<unknown>()
  const row: Database['row'] = async (_statement, values) =>
    ours.digest.equals(values?.[0] as Buffer) ? ((await held.promise) as never) : null
  const { verify, forgetWorkspace } = makeVerifier(t, { row }, { queriesOfClient: 1 })
  // The first one waits for its turn, so the second one begins a look-up of its own.
  const answers = [
    verify(makeApiKey().text, '192.0.2.1'),
    verify(ours.text, '192.0.2.1'),
    verify(ours.text, '192.0.2.2'),
  ]
  await answers[0]
  forgetWorkspace('workspace')
  held.resolve({ id: 'key', workspace_id: 'workspace', expires_at: null })
  t.deepEqual(await Promise.all(answers), [null, null, null])
})

test('over HTTP a key is looked up for the address that the trusted proxy names', async (t) => {
  const ada = await people.add()
  const ips: string[] = []
  const key = async (token: string, ip: string): Promise<KeyIdentity | null> => {
    ips.push(ip)
    return await people.authenticator.key(token, ip)
  }
  const http = await openHttp(people.routes, { ...people.authenticator, key })
  t.teardown(http.stop)
  for (const ip of ['198.51.100.7', '192.0.2.9, 198.51.100.8:443'])
    t.is((await http.call('GET', '/v1/workspace/me', { token: ada.key ?? '', ip })).status, 200)
  t.deepEqual(ips, ['198.51.100.7', '198.51.100.8'])
})

test.serial('a key in memory that is no longer fresh does not wait for guesses from its address', async (t) => {
  const ours = makeApiKey()
  const slow = makeSlow([ours])
  const { verify, peek } = makeVerifier(t, slow.db)
  t.truthy(await verify(ours.text))
  makeLater(t)(31_000)
  const guesses = Array.from({ length: 10 }, async () => await verify(makeApiKey().text))
  t.is(peek(ours.text), undefined)
  t.truthy(await verify(ours.text))
  t.truthy(peek(ours.text), 'it was looked up')
  slow.answer()
  t.true((await Promise.all(guesses)).every((found) => found === null))
})

test('the keys of many agents behind one address are all looked up', async (t) => {
  const agents = Array.from({ length: 500 }, () => makeApiKey())
  const { verify } = makeVerifier(t, makeSlow(agents).db)
  const found = await Promise.all(agents.map(async ({ text }) => await verify(text)))
  t.true(found.every((identity) => identity?.workspaceId === 'workspace'))
})

test('an unavailable key store is an outage and not a refusal, and is queried again for the next request', async (t) => {
  const ada = await people.add()
  const watched = watch(database.db)
  const { verify } = makeVerifier(t, watched.db)
  watched.fail(new Outage('failure', 'the database is not available'))
  await t.throwsAsync(async () => await verify(ada.key ?? ''), { instanceOf: Outage })
  watched.fail(null)
  t.is((await verify(ada.key ?? ''))?.workspaceId, ada.workspaceId)
})

test('over HTTP an outage of the key store is 503 with Retry-After, and a known key is accepted', async (t) => {
  const [ada, bob] = [await people.add(), await people.add()]
  const watched = watch(database.db)
  const keys = openKeys({
    queriesOfClient: 3,
    db: watched.db,
    publishRevoked: () => undefined,
    onForgotten: () => undefined,
    nowMs: Date.now,
    onError: () => undefined,
    timeouts: longTimeouts,
  })
  const http = await openHttp(people.routes, { ...people.authenticator, key: keys.verifyKey })
  t.teardown(http.stop)
  t.is((await http.call('GET', '/v1/workspace/me', { token: ada.key ?? '' })).status, 200)
  watched.fail(new Outage('failure', 'the database is not available'))
  const down = await http.call('GET', '/v1/workspace/me', { token: bob.key ?? '' })
  t.is(down.status, 503)
  t.true(Number(down.headers.get('retry-after')) >= 1)
  t.is((await http.call('GET', '/v1/workspace/me', { token: ada.key ?? '' })).status, 200)
  await keys.stop()
})

test.serial(
  'a known key is accepted during an outage, for a limited time, and only if revocations cannot be missed',
  async (t) => {
    const ada = await people.add()
    const watched = watch(database.db)
    let isCurrent = true
    const { verify, peek } = makeVerifier(t, watched.db, { isCurrent: () => isCurrent })
    const key = ada.key ?? ''
    t.truthy(await verify(key))
    // No time passes between two checks.
    const later = makeLater(t, true)
    watched.fail(new Outage('failure', 'the database is not available'))
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
    // The memory reads the clock once a millisecond.
    await until(
      async () =>
        await verify(key).then(
          () => false,
          (error: unknown) => error instanceof Outage,
        ),
    )
  },
)

// The longest wait of a caller that memory can answer: for the key, and then for the rules.
const patienceMs = 300

test.serial('while the database hangs, a key in memory is accepted at once, and the look-up continues', async (t) => {
  const ada = await people.add()
  const key = ada.key ?? ''
  const watched = watch(database.db)
  const { verify, peek } = makeVerifier(t, watched.db, { timeouts: { knownMs: 50, unknownMs: 60_000 } })
  await verify(key)
  // No time passes between two checks.
  makeLater(t, true)(31_000)
  watched.hang()
  const { value, tookMs } = await measure(async () => await verify(key))
  t.is(value?.workspaceId, ada.workspaceId)
  t.true(tookMs < patienceMs, `${tookMs} ms`)
  t.truthy(peek(key), 'the next ones do not wait at all')
  await database.query('update api_keys set revoked_at = now() where id = $1', [ada.keyId])
  t.truthy(await verify(key))
  watched.goOn()
  await until(async () => (await verify(key)) === null)
  t.is(watched.count(), 2, 'it was looked up once, and the answer is kept')
})

test.serial('a caller that comes while a look-up hangs does not wait the whole time again', async (t) => {
  const ada = await people.add()
  const key = ada.key ?? ''
  const watched = watch(database.db)
  const { verify } = makeVerifier(t, watched.db, { timeouts: { knownMs: 50, unknownMs: 60_000 } })
  await verify(key)
  // No time passes between two checks.
  const later = makeLater(t, true)
  watched.hang()
  for (const ms of [31_000, 33_000, 60_000, 62_000]) {
    later(ms)
    const { value, tookMs } = await measure(async () => await verify(key))
    t.truthy(value)
    t.true(tookMs < patienceMs, `${tookMs} ms`)
  }
  t.is(watched.count(), 2)
  watched.goOn()
})

test.serial('without the database, an unknown key is an outage within two seconds, and never a refusal', async (t) => {
  const [ada, bob] = [await people.add(), await people.add()]
  const watched = watch(database.db)
  const timeouts = { knownMs: 50, unknownMs: 60_000 }
  let isCurrent = true
  const { verify } = makeVerifier(t, watched.db, { isCurrent: () => isCurrent, timeouts })
  await verify(ada.key ?? '')
  isCurrent = false
  watched.hang()
  timeouts.unknownMs = 2_000
  for (const { key } of [ada, bob]) {
    const { tookMs } = await measure(
      async () => await t.throwsAsync(async () => await verify(key ?? ''), { instanceOf: Outage }),
    )
    t.true(tookMs < 2_300, `${tookMs} ms`)
  }
  timeouts.unknownMs = 60_000
  const waiting = verify(ada.key ?? '')
  t.is(await withTimeout(200, waiting), late)
  isCurrent = true
  t.is((await waiting)?.workspaceId, ada.workspaceId, 'memory may vouch again before the wait is over')
  watched.goOn()
  await until(async () => (await verify(bob.key ?? '')) !== null)
  t.is(watched.count(), 3, 'who comes back finds what was looked up meanwhile')
})

test.serial('a bug in a look-up without waiting callers is reported', async (t) => {
  const ada = await people.add()
  const watched = watch(database.db)
  const told: unknown[] = []
  const { verify } = makeVerifier(t, watched.db, {
    onLateError: (error) => void told.push(error),
    timeouts: { ...longTimeouts, knownMs: 50 },
  })
  await verify(ada.key ?? '')
  makeLater(t)(31_000)
  watched.hang()
  t.truthy(await verify(ada.key ?? ''))
  watched.fail(new Error('a bug'))
  watched.goOn()
  await until(() => told.length === 1)
  t.is((told[0] as Error).message, 'a bug')
})

test('after a revoked key is evicted, the next check reads the database', async (t) => {
  const ada = await people.add()
  const { verify, forget } = makeVerifier(t, database.db)
  t.truthy(await verify(ada.key ?? ''))
  const [row] = await database.query<{ hex: string }>(
    "update api_keys set revoked_at = now() where id = $1 returning encode(digest, 'hex') as hex",
    [ada.keyId],
  )
  t.truthy(await verify(ada.key ?? ''), 'this front has not heard of it')
  forget(row?.hex ?? '')
  t.is(await verify(ada.key ?? ''), null)
})

test('a caller that waits under an evicted key is reported by its workspace, and all callers if all keys are evicted', async (t) => {
  const [ada, bob] = [await people.add(), await people.add()]
  const told: unknown[] = []
  const { verify, forget, forgetAll } = makeVerifier(t, database.db, { onForgotten: (id) => void told.push(id) })
  await verify(ada.key ?? '')
  forget(digestKey(bob.key ?? '').toString('hex'))
  t.deepEqual(told, [], 'nobody waits here under a key that is not known')
  forget(digestKey(ada.key ?? '').toString('hex'))
  forgetAll()
  t.deepEqual(told, [ada.workspaceId, null])
})

test('a caller that waits under a key is notified if a look-up finds it revoked before the notice arrives', async (t) => {
  const ada = await people.add()
  const told: unknown[] = []
  const state = { isCurrent: true }
  const { verify, forget } = makeVerifier(t, database.db, {
    onForgotten: (id) => void told.push(id),
    isCurrent: () => state.isCurrent,
  })
  t.truthy(await verify(ada.key ?? ''))
  await database.query('update api_keys set revoked_at = now() where id = $1', [ada.keyId])
  // As if it could not check for revocations: memory answers for no key.
  state.isCurrent = false
  t.is(await verify(ada.key ?? ''), null)
  t.deepEqual(told, [ada.workspaceId])
  forget(digestKey(ada.key ?? '').toString('hex'))
  t.deepEqual(told, [ada.workspaceId], 'once')
})

test('a look-up that began before the revocation is not cached', async (t) => {
  const ada = await people.add()
  const answered = Promise.withResolvers<void>()
  const released = Promise.withResolvers<void>()
  const slow: Database['row'] = async (statement, values) => {
    const row = await database.db.row(statement, values)
    answered.resolve()
    await released.promise
    return row as never
  }
  const { verify, forget } = makeVerifier(t, { row: slow })
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

test('a look-up is cached although another key is revoked or another workspace deleted while it runs', async (t) => {
  const [ada, bob] = [await people.add(), await people.add()]
  for (const isRevoked of [true, false]) {
    const watched = watch(database.db)
    const { verify, forget, forgetWorkspace } = makeVerifier(t, watched.db)
    watched.hang()
    const first = verify(ada.key ?? '')
    if (isRevoked) forget(digestKey(bob.key ?? '').toString('hex'))
    else forgetWorkspace(bob.workspaceId)
    const second = verify(ada.key ?? '')
    watched.goOn()
    t.is((await first)?.workspaceId, ada.workspaceId)
    t.truthy(await second)
    t.truthy(await verify(ada.key ?? ''))
    t.is(watched.count(), 1)
  }
})

test('a look-up during which the workspace is deleted finds no key, and is not cached', async (t) => {
  const [ada, bob] = [await people.add(), await people.add()]
  const answered = Promise.withResolvers<void>()
  const released = Promise.withResolvers<void>()
  let queries = 0
  const slow: Database['row'] = async (statement, values) => {
    queries += 1
    const row = await database.db.row(statement, values)
    answered.resolve()
    await released.promise
    return row as never
  }
  const { verify, forgetWorkspace } = makeVerifier(t, { row: slow })
  const early = verify(ada.key ?? '')
  await answered.promise
  await database.query('update workspaces set deleted_at = now() where id = $1', [ada.workspaceId])
  forgetWorkspace(ada.workspaceId)
  forgetWorkspace(bob.workspaceId)
  const joined = verify(ada.key ?? '')
  released.resolve()
  t.deepEqual(await Promise.all([early, joined]), [null, null])
  t.is(await verify(ada.key ?? ''), null)
  t.is(queries, 2)
})

test('the keys of a deleted workspace are refused', async (t) => {
  const [ada, bob] = [await people.add(), await people.add()]
  const watched = watch(database.db)
  const { verify, forgetWorkspace } = makeVerifier(t, watched.db)
  await verify(ada.key ?? '')
  await verify(bob.key ?? '')
  await database.query('update workspaces set deleted_at = now() where id = $1', [ada.workspaceId])
  forgetWorkspace(ada.workspaceId)
  t.is(await verify(ada.key ?? ''), null)
  t.truthy(await verify(bob.key ?? ''))
  t.is(watched.count(), 3, 'the other workspace stayed in memory')
})

test('an expired key is refused', async (t) => {
  const ada = await people.add()
  await database.query("update api_keys set expires_at = now() - interval '1 s' where id = $1", [ada.keyId])
  t.is(await makeVerifier(t, database.db).verify(ada.key ?? ''), null)
})

test('a key leaves memory when it expires by the clock of the database', async (t) => {
  const ada = await people.add()
  const expiresAt = new Date('2040-01-01T00:00:00Z')
  await database.query('update api_keys set expires_at = $2 where id = $1', [ada.keyId, expiresAt])
  const behind = makeVerifier(t, database.db, { nowMs: () => expiresAt.getTime() - 3_600_000 })
  await behind.verify(ada.key ?? '')
  t.truthy(behind.peek(ada.key ?? ''))
  const ahead = makeVerifier(t, database.db, { nowMs: () => expiresAt.getTime() + 1 })
  await ahead.verify(ada.key ?? '')
  t.is(ahead.peek(ada.key ?? ''), undefined)
})
