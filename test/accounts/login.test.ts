import test from 'ava'
import { defaultLimits, makeThrottle } from '../../src/accounts/throttle.ts'
import { Outage } from '../../src/base/fault.ts'
import { makeDatabase, type TestDatabase } from '../_kit/db.ts'
import { type Http, openHttp } from '../_kit/http.ts'
import { cheapHash, noLimits, openPeople, type People } from '../_kit/people.ts'
import { until } from '../_kit/until.ts'

let database: TestDatabase
let people: People
let http: Http

// The limit on sign-ups is not tested here.
const limits = { ...defaultLimits, signupByIp: { points: 1_000, windowS: 60 } }

test.before(async () => {
  database = await makeDatabase()
  people = await openPeople(database.db, { limits })
  http = await openHttp(people.routes, people.authenticator)
})

test.after.always(async () => {
  await http.stop()
  await people.stop()
  await database.stop()
})

const login = async (email: string, password: string, ip: string) =>
  await http.call('POST', '/v1/auth/login', { body: { email, password }, ip })

const countFailures = async (): Promise<number> =>
  (await database.query<{ n: string }>("select count(*) as n from audit_log where action = 'auth.login_failed'")).map(
    ({ n }) => Number(n),
  )[0] ?? 0

test('the right password signs in, with the address in any case', async (t) => {
  const ada = await people.add()
  const answer = await login(ada.email.toUpperCase(), ada.password, '198.51.100.1')
  t.is(answer.status, 200)
  t.is((answer.body['user'] as { id: string }).id, ada.userId)
  t.like(answer.body, { token_type: 'Bearer', expires_in: 600 })
  t.is(answer.headers.get('cache-control'), 'no-store')
})

test('an unknown address and a wrong password read the same', async (t) => {
  const ada = await people.add()
  const wrong = await login(ada.email, 'not the password', '198.51.100.2')
  const unknown = await login('nobody@example.test', 'not the password', '198.51.100.2')
  t.is(wrong.status, 401)
  t.is(unknown.status, 401)
  t.is(wrong.text, unknown.text)
  t.is(wrong.headers.get('www-authenticate'), 'Bearer')
})

test('a password is compared exactly as it was given', async (t) => {
  const email = 'exact@example.test'
  await http.call('POST', '/v1/auth/signup', { body: { email, password: ' Plum tractor e\u0301levenths ' } })
  t.is((await login(email, ' Plum tractor e\u0301levenths ', '198.51.100.3')).status, 200)
  t.is((await login(email, 'Plum tractor e\u0301levenths', '198.51.100.3')).status, 401)
  t.is((await login(email, ' Plum tractor \u00e9levenths ', '198.51.100.3')).status, 401)
  t.is((await login(email, ' plum tractor e\u0301levenths ', '198.51.100.3')).status, 401)
})

test.serial('at most five of 100 parallel wrong passwords are checked', async (t) => {
  const ada = await people.add()
  const before = await countFailures()
  const answers = await Promise.all(
    Array.from({ length: 100 }, async () => await login(ada.email, 'a wrong password', '198.51.100.4')),
  )
  const count = (status: number): number => answers.filter((answer) => answer.status === status).length
  t.is(count(401) + count(429), 100)
  t.true(count(401) <= 5)
  // Every password that is checked and found wrong adds one audit line.
  t.is((await countFailures()) - before, count(401))
  t.true(answers.filter(({ status }) => status === 429).every(({ headers }) => Number(headers.get('retry-after')) > 0))
  t.is((await login(ada.email, ada.password, '198.51.100.4')).status, 429, 'the right one has to wait as well')
  t.is((await login(ada.email, ada.password, '198.51.100.5')).status, 200, 'but not from another address')
})

test('an account allows 20 wrong passwords an hour, from any number of IP addresses', async (t) => {
  const ada = await people.add()
  const statuses: number[] = []
  for (let at = 0; at < 22; at += 1)
    statuses.push((await login(ada.email, 'a wrong password', `203.0.113.${at}`)).status)
  t.is(statuses.filter((status) => status === 401).length, 20)
  t.deepEqual(statuses.slice(20), [429, 429])
})

test('an address that is shut out cannot use up the attempts of an account', async (t) => {
  const ada = await people.add()
  for (let at = 0; at < 30; at += 1) await login(ada.email, 'a wrong password', '198.51.100.6')
  t.is((await login(ada.email, ada.password, '198.51.100.7')).status, 200)
})

test('a successful sign-in costs no attempt', async (t) => {
  const ada = await people.add()
  for (let at = 0; at < 8; at += 1) t.is((await login(ada.email, ada.password, '198.51.100.8')).status, 200)
})

test('a check that ends in an error costs no attempt', async (t) => {
  const ada = await people.add()
  const [user] = await database.query<{ password_hash: string }>(
    `update users u set password_hash = 'unreadable' from users before where u.id = $1 and before.id = u.id
     returning before.password_hash`,
    [ada.userId],
  )
  for (let at = 0; at < 8; at += 1) t.is((await login(ada.email, ada.password, '198.51.100.10')).status, 500)
  await database.query('update users set password_hash = $2 where id = $1', [ada.userId, user?.password_hash])
  t.is((await login(ada.email, ada.password, '198.51.100.10')).status, 200)
})

test('some of many parallel right passwords sign in, and the others get a Retry-After of one second', async (t) => {
  const ada = await people.add()
  const answers = await Promise.all(
    Array.from({ length: 12 }, async () => await login(ada.email, ada.password, '198.51.100.11')),
  )
  const held = answers.filter(({ status }) => status === 429)
  t.is(answers.filter(({ status }) => status === 200).length, 12 - held.length)
  t.true(held.length <= 7)
  t.deepEqual([...new Set(held.map(({ headers }) => headers.get('retry-after')))], held.length === 0 ? [] : ['1'])
  t.is((await login(ada.email, ada.password, '198.51.100.11')).status, 200)
})

test('an account that is locked for an address does not use up the attempts of that address', async (t) => {
  const [ada, eve] = [await people.add(), await people.add()]
  const from = '198.51.100.12'
  for (let at = 0; at < 5; at += 1) await login(ada.email, 'a wrong password', from)
  const refused: (string | null)[] = []
  for (let at = 0; at < 60; at += 1) {
    const answer = await login(ada.email, ada.password, from)
    if (answer.status === 429) refused.push(answer.headers.get('retry-after'))
  }
  t.is(refused.length, 60)
  t.true(
    refused.every((wait) => Number(wait) > 60),
    'no attempt is under way: this lasts until the window ends',
  )
  t.is((await login(eve.email, eve.password, from)).status, 200)
})

test('only a wrong password uses up an attempt, a full window names its limit, and refunds do not go to a later window', async (t) => {
  let nowMs = Date.UTC(2026, 0, 1)
  const { db } = database
  const throttle = makeThrottle({
    db,
    limits: { ...limits, passwordBySession: { points: 2, windowS: 900 } },
    now: () => new Date(nowMs),
  })
  const asked = { userId: 'a user', sessionId: 'a session', ip: '198.51.100.62' }
  const check = async (isWrong: boolean) => await throttle.password(asked, () => Promise.resolve({ isWrong }))
  const refused = async (attempt: Promise<unknown>) => await t.throwsAsync<Outage>(attempt, { instanceOf: Outage })
  for (let at = 0; at < 4; at += 1) {
    const busy = throttle.password(asked, () => Promise.reject(new Outage('limit', 'too many callers are waiting')))
    t.is((await refused(busy))?.status, 503)
    t.false((await check(false)).isWrong)
  }

  t.true((await check(true)).isWrong)
  // One wrong password and one check in progress fill the limit. If that check ends in the next window, it releases nothing.
  const judged = Promise.withResolvers<{ isWrong: boolean }>()
  const begun = Promise.withResolvers<undefined>()
  const late = throttle.password(asked, async () => {
    begun.resolve(undefined)
    return await judged.promise
  })
  await begun.promise
  t.like(await refused(check(false)), { status: 429, retryAfterMs: 1_000 })
  nowMs += 901_000
  await check(true)
  await check(true)
  judged.resolve({ isWrong: false })
  await late
  t.like(await refused(check(false)), { status: 429, retryAfterMs: 900_000 })
})

/** A check that ends when `judged` is resolved, and the number of those that have begun. */
function holdChecks() {
  const judged = Promise.withResolvers<{ isWrong: boolean }>()
  const begun = { checks: 0 }
  const check = async (): Promise<{ isWrong: boolean }> => {
    begun.checks += 1
    return await judged.promise
  }
  return { judged, begun, check }
}

test('one IP address has at most eight concurrent checks, on any number of accounts, devices and sessions, and others are not affected', async (t) => {
  const throttle = makeThrottle({ db: database.db, limits: defaultLimits, now: () => new Date() })
  const { judged, begun, check } = holdChecks()
  const attempts = [1, 2, 3].flatMap((no) => [
    ...Array.from({ length: 5 }, () => ({ account: `busy-${no}@example.test`, device: `device-${no}` })),
    ...Array.from({ length: 5 }, () => ({ account: `busy-${no}@example.test`, device: null })),
  ])
  const ip = '198.51.100.60'
  const results = [
    ...attempts.map((attempt) => throttle.login({ ...attempt, ip }, check)),
    ...[1, 2, 3].map((no) => throttle.password({ userId: `user-${no}`, sessionId: `session-${no}`, ip }, check)),
  ]
  const settled = Promise.allSettled(results)
  await until(() => begun.checks >= 8)
  const other = throttle.login({ account: 'calm@example.test', device: null, ip: '198.51.100.61' }, check)
  judged.resolve({ isWrong: false })
  await other
  const refused = (await settled).flatMap((one) => (one.status === 'rejected' ? [one.reason as Outage] : []))
  t.is(begun.checks, 9)
  t.deepEqual(new Set(refused.map(({ status, retryAfterMs }) => `${status} ${retryAfterMs}`)), new Set(['429 1000']))
  t.is(refused.length, results.length - 8)
  await throttle.login({ account: 'busy-1@example.test', device: null, ip }, check)
  t.is(begun.checks, 10)
})

test('an IPv6 /48 has twice the concurrent checks of an address, also for known devices, and others are not affected', async (t) => {
  const throttle = makeThrottle({ db: database.db, limits: defaultLimits, now: () => new Date() })
  const { judged, begun, check } = holdChecks()
  const login = (ip: string, no: number) =>
    throttle.login({ account: `site-${no}@example.test`, device: no % 2 === 0 ? null : 'device', ip }, check)
  const results = Array.from({ length: 30 }, (_, no) => login(`2001:db8:60:${no}::1`, no))
  const settled = Promise.allSettled(results)
  await until(() => begun.checks >= 16)
  const other = login('2001:db8:61::1', 30)
  judged.resolve({ isWrong: false })
  await other
  t.is(begun.checks, 17)
  t.is((await settled).filter(({ status }) => status === 'rejected').length, 14)
})

test('wrong passwords of an IPv6 /48 are limited, from any number of its addresses', async (t) => {
  const limits = { ...noLimits, loginBySite: { points: 3, windowS: 900 } }
  const throttle = makeThrottle({ db: database.db, limits, now: () => new Date() })
  const login = async (ip: string, isWrong = true) =>
    await throttle.login({ account: `${ip}@example.test`, device: null, ip }, () => Promise.resolve({ isWrong }))
  await login('2001:db8:62:0::1', false)
  for (const group of [1, 2, 3]) await login(`2001:db8:62:${group}::1`)
  t.like(await t.throwsAsync(login('2001:db8:62:4::1'), { instanceOf: Outage }), { status: 429 })
  await t.notThrowsAsync(login('2001:db8:63::1'))
  for (let at = 0; at < 5; at += 1) await t.notThrowsAsync(login('198.51.100.63'))
})

test('signing in renews a hash that was made with other parameters', async (t) => {
  const ada = await people.add()
  const dearer = await openPeople(database.db, { limits, hashCost: { ...cheapHash, passes: 2 } })
  const dearerHttp = await openHttp(dearer.routes, dearer.authenticator)
  const body = { email: ada.email, password: ada.password }
  t.is((await dearerHttp.call('POST', '/v1/auth/login', { body })).status, 200)
  const [user] = await database.query<{ password_hash: string }>('select password_hash from users where id = $1', [
    ada.userId,
  ])
  t.regex(user?.password_hash ?? '', /m=64,t=2,p=1/)
  t.is((await dearerHttp.call('POST', '/v1/auth/login', { body })).status, 200)
  await dearerHttp.stop()
  await dearer.stop()
})

test('a user has 20 sessions; the least recently used one ends', async (t) => {
  const ada = await people.add()
  const refresh = async (token: string) =>
    await http.call('POST', '/v1/auth/refresh', { body: { refresh_token: token } })
  const tokens = [ada.refreshToken]
  for (let at = 0; at < 19; at += 1) {
    tokens.push((await login(ada.email, ada.password, '198.51.100.9')).body['refresh_token'] as string)
  }
  // The first session is used again, so the second one is now the least recently used.
  t.is((await refresh(tokens[0] ?? '')).status, 200)
  await login(ada.email, ada.password, '198.51.100.9')
  t.is((await refresh(tokens[1] ?? '')).status, 401)
  t.is((await refresh(tokens[2] ?? '')).status, 200)
})

test('repeated sign-ins keep the rows of every live session and of 100 ended ones', async (t) => {
  const ada = await people.add()
  const other = await people.add()
  const addSessions = async (userId: string, hoursAgo: number): Promise<void> =>
    void (await database.query(
      `insert into sessions (id, user_id, sealed_secret, created_at, rotated_at, idle_expires_at, expires_at, revoked_at)
       select gen_random_uuid(), $1, '', at, at, now() + interval '1 day', now() + interval '1 day',
         case when n > 2 then at + interval '1 second' end
       from generate_series(1, 300) n, lateral (select now() - make_interval(hours => $2, secs => n)) as times (at)`,
      [userId, hoursAgo],
    ))
  // Two more live sessions, older than those that are removed.
  await addSessions(ada.userId, 2)
  await addSessions(other.userId, 2)
  t.is((await login(ada.email, ada.password, '198.51.100.9')).status, 200)
  const count = async (userId: string) =>
    await database.query(
      'select count(*) filter (where revoked_at is null)::int as live, count(revoked_at)::int as ended from sessions where user_id = $1',
      [userId],
    )
  // The other live sessions are those of the sign-up and of the login.
  t.deepEqual(await count(ada.userId), [{ live: 4, ended: 100 }])
  t.deepEqual(await count(other.userId), [{ live: 3, ended: 298 }])
})
