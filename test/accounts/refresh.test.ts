import test from 'ava'
import { Outage } from '../../src/base/fault.ts'
import { alterEnd } from '../_kit/alter-end.ts'
import { type Answer, openHttp } from '../_kit/http.ts'
import { runInTime } from '../_kit/in-time.ts'
import { openPeople } from '../_kit/people.ts'
import { openPeopleHttp, type PeopleHttp } from '../_kit/people-http.ts'

const secondMs = 1_000
const dayMs = 86_400_000

let database: PeopleHttp['database']
let people: PeopleHttp['people']
let http: PeopleHttp['http']
let stop: PeopleHttp['stop']
test.before(async () => {
  ;({ database, people, http, stop } = await openPeopleHttp())
})
test.after.always(async () => await stop())

const refresh = async (token: string): Promise<Answer> =>
  await http.call('POST', '/v1/auth/refresh', { body: { refresh_token: token } })

const readToken = (answer: Answer): string => answer.body['refresh_token'] as string

/** Moves the stored times of a user's sessions into the past. */
const age = async (userId: string, ms: number): Promise<void> => {
  await database.query(
    `update sessions set rotated_at = rotated_at - $2 * interval '1 ms', created_at = created_at - $2 * interval '1 ms',
       idle_expires_at = idle_expires_at - $2 * interval '1 ms', expires_at = expires_at - $2 * interval '1 ms'
     where user_id = $1`,
    [userId, ms],
  )
}

test('every refresh gives another refresh token and an access token of the same session', async (t) => {
  const ada = await people.add()
  const first = await refresh(ada.refreshToken)
  t.is(first.status, 200)
  t.not(readToken(first), ada.refreshToken)
  const session = await people.accounts.verifySession(first.body['access_token'] as string)
  t.deepEqual(session, await people.accounts.verifySession(ada.token))
  t.is((await refresh(readToken(first))).status, 200)
})

test('40 parallel refreshes of one token return the same successor, and the session stays live', async (t) => {
  const ada = await people.add()
  const answers = await Promise.all(Array.from({ length: 40 }, async () => await refresh(ada.refreshToken)))
  t.deepEqual([...new Set(answers.map(({ status }) => status))], [200])
  const successors = new Set(answers.map(readToken))
  t.is(successors.size, 1)
  t.is((await refresh([...successors][0] ?? '')).status, 200)
})

test('a used refresh token returns the same successor for 30 s, because the response may have been lost', async (t) => {
  const { first, again } = await runInTime(15 * secondMs, async () => {
    const ada = await people.add()
    const before = await refresh(ada.refreshToken)
    await age(ada.userId, 15 * secondMs)
    return { first: before, again: await refresh(ada.refreshToken) }
  })
  t.is(again.status, 200)
  t.is(readToken(again), readToken(first))
})

test('the 30 s are the same on fronts whose clocks are an hour apart', async (t) => {
  const late = await openPeople(database.db, { now: () => new Date(Date.now() - 3_600 * secondMs) })
  const there = await openHttp(late.routes, late.authenticator)
  t.teardown(async () => {
    await there.stop()
    await late.stop()
  })
  const refreshThere = async (token: string): Promise<Answer> =>
    await there.call('POST', '/v1/auth/refresh', { body: { refresh_token: token } })
  for (const [first, second] of [
    [refresh, refreshThere],
    [refreshThere, refresh],
  ] as const) {
    const ada = await people.add()
    const successor = await first(ada.refreshToken)
    const again = await second(ada.refreshToken)
    t.is(again.status, 200)
    t.is(readToken(again), readToken(successor))
    await age(ada.userId, 31 * secondMs)
    t.is((await second(ada.refreshToken)).status, 401)
    t.is((await first(readToken(successor))).status, 401)
  }
})

test('a used refresh token ends the whole session after 30 s', async (t) => {
  const ada = await people.add()
  const first = await refresh(ada.refreshToken)
  await age(ada.userId, 31 * secondMs)
  t.is((await refresh(ada.refreshToken)).status, 401)
  t.is((await refresh(readToken(first))).status, 401)
})

test('the token before the last one ends the whole session at once, the newest token included', async (t) => {
  const ada = await people.add()
  const first = await refresh(ada.refreshToken)
  const second = await refresh(readToken(first))
  const replay = await refresh(ada.refreshToken)
  t.is(replay.status, 401)
  t.is((await refresh(readToken(second))).status, 401)
  t.is((await refresh(readToken(first))).status, 401)
  const lines = await database.query(
    "select target from audit_log where action = 'auth.refresh_reuse' and actor_user_id = $1",
    [ada.userId],
  )
  t.is(lines.length, 1)
})

test('a session does not end without its line in the audit log, whatever fails in between', async (t) => {
  const { db } = database
  let failing = 0
  const failOnce = async (statement: string): Promise<void> => {
    if (statement !== 'accounts/append-audit' || failing === 0) return
    failing -= 1
    throw new Outage('failure', 'the database went away')
  }
  const frail: typeof db = {
    ...db,
    run: async (statement, values) => (await failOnce(statement)) ?? (await db.run(statement, values)),
    tx: async (work, options) =>
      await db.tx(
        async (tx) =>
          await work({
            ...tx,
            run: async (statement, values) => (await failOnce(statement)) ?? (await tx.run(statement, values)),
          }),
        options,
      ),
  }
  const there = await openPeople(frail)
  const call = await openHttp(there.routes, there.authenticator)
  t.teardown(async () => {
    await call.stop()
    await there.stop()
  })
  const post = async (path: string, token: string): Promise<number> =>
    (await call.call('POST', path, { body: { refresh_token: token } })).status
  const ada = await people.add()
  const ben = await people.add()
  await refresh(readToken(await refresh(ben.refreshToken)))

  failing = 1
  t.is(await post('/v1/auth/logout', ada.refreshToken), 503)
  t.is(await post('/v1/auth/logout', ada.refreshToken), 204)
  failing = 1
  t.is(await post('/v1/auth/refresh', ben.refreshToken), 503)
  t.is(await post('/v1/auth/refresh', ben.refreshToken), 401)
  const lines = await database.query(
    `select action from audit_log where actor_user_id = any ($1::uuid[]) and action in ('auth.logout', 'auth.refresh_reuse')
      order by at`,
    [[ada.userId, ben.userId]],
  )
  t.deepEqual(lines, [{ action: 'auth.logout' }, { action: 'auth.refresh_reuse' }])
})

test('the reuse of a refresh token does not end other sessions of the user', async (t) => {
  const ada = await people.add()
  const other = await http.call('POST', '/v1/auth/login', { body: { email: ada.email, password: ada.password } })
  const first = await refresh(ada.refreshToken)
  await refresh(readToken(first))
  t.is((await refresh(ada.refreshToken)).status, 401)
  t.is((await refresh(readToken(other))).status, 200)
})

test('a session ends after 7 idle days', async (t) => {
  const ada = await people.add()
  await age(ada.userId, 7 * dayMs - 60 * secondMs)
  const still = await refresh(ada.refreshToken)
  t.is(still.status, 200)
  await age(ada.userId, 7 * dayMs + secondMs)
  t.is((await refresh(readToken(still))).status, 401)
})

test('a session ends 30 days after its start, however busy it is', async (t) => {
  const ada = await people.add()
  let token = ada.refreshToken
  for (let day = 0; day < 30; day += 6) {
    const answer = await refresh(token)
    t.is(answer.status, 200, `on day ${day}`)
    token = readToken(answer)
    await age(ada.userId, 6 * dayMs)
  }
  t.is((await refresh(token)).status, 401)
})

test('a logout ends the session, may be repeated, and has the same response if there was no session', async (t) => {
  const ada = await people.add()
  const logout = async (token: string) =>
    (await http.call('POST', '/v1/auth/logout', { body: { refresh_token: token } })).status
  const first = await refresh(ada.refreshToken)
  t.is(await logout(ada.refreshToken), 204, 'any token of the session will do')
  t.is((await refresh(readToken(first))).status, 401)
  t.is(await logout(ada.refreshToken), 204)
  t.is(await logout('junk'), 204)
})

test('every invalid refresh token gets the same response', async (t) => {
  const ada = await people.add()
  await http.call('POST', '/v1/auth/logout', { body: { refresh_token: ada.refreshToken } })
  const ended = await refresh(ada.refreshToken)
  const junk = await Promise.all(
    [alterEnd(ada.refreshToken), '', 'tw_rt_', `tw_rt_${'A'.repeat(79)}`, ada.token, ada.key ?? ''].map(refresh),
  )
  t.is(ended.status, 401)
  t.deepEqual([...new Set(junk.map(({ text }) => text))], [ended.text])
})

test('the stored data of a session is not enough to forge its refresh token', async (t) => {
  const ada = await people.add()
  const [row] = await database.query<{ line: string }>('select s::text as line from sessions s where user_id = $1', [
    ada.userId,
  ])
  const bytes = Buffer.from(ada.refreshToken.slice(6), 'base64url')
  t.false((row?.line ?? '').includes(bytes.subarray(23, 55).toString('hex')))
})
