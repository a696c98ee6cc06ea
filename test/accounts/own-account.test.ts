// Users change their own accounts: profile, password, sessions, and the address at sign-up.
import test from 'ava'
import { makeUuidV7 } from '../../src/base/ids.ts'
import { openHttp } from '../_kit/http.ts'
import { noLimits, openPeople, type Person } from '../_kit/people.ts'
import { openPeopleHttp, type PeopleHttp } from '../_kit/people-http.ts'

let database: PeopleHttp['database']
let people: PeopleHttp['people']
let http: PeopleHttp['http']
let stop: PeopleHttp['stop']
test.before(async () => {
  ;({ database, people, http, stop } = await openPeopleHttp({
    limits: { ...noLimits, passwordBySession: { points: 5, windowS: 900 } },
  }))
})
test.after.always(async () => await stop())

type SignedIn = { readonly token: string; readonly refreshToken: string }

async function login({ email, password }: Person, headers: Record<string, string> = {}): Promise<SignedIn> {
  const answer = await http.call('POST', '/v1/auth/login', { body: { email, password }, headers, ip: '198.51.100.77' })
  if (answer.status !== 200) throw new Error(answer.text)
  return { token: answer.body['access_token'] as string, refreshToken: answer.body['refresh_token'] as string }
}

const me = async (token: string) => await http.call('GET', '/v1/auth/me', { token })
const refresh = async (token: string) =>
  (await http.call('POST', '/v1/auth/refresh', { body: { refresh_token: token } })).status
const changePassword = async (token: string, current: string, next: string) =>
  await http.call('POST', '/v1/auth/password', { token, body: { current_password: current, new_password: next } })

type Listed = { id: string; current: boolean; user_agent: string | null; ip_prefix: string | null }
const list = async (token: string): Promise<Listed[]> =>
  (await http.call('GET', '/v1/auth/sessions', { token })).body as unknown as Listed[]

const readAudit = async (person: Person): Promise<{ action: string; detail: unknown }[]> =>
  await database.query<{ action: string; detail: unknown }>(
    `select action, detail from audit_log where actor_user_id = $1 and action not in ('auth.login', 'auth.signup', 'workspace.create', 'key.mint')
     order by at, id`,
    [person.userId],
  )

test('name and time zone are changed one by one, and null takes them away', async (t) => {
  const ada = await people.add()
  const patch = async (body: object) => await http.call('PATCH', '/v1/auth/me', { token: ada.token, body })
  t.like((await patch({ name: ' Ada ', time_zone: 'Europe/Berlin' })).body['user'], {
    name: 'Ada',
    time_zone: 'Europe/Berlin',
  })
  t.like((await patch({ time_zone: null })).body['user'], { name: 'Ada', time_zone: null })
  for (const same of [{}, { name: 'Ada' }, { name: 'Ada', time_zone: null }])
    t.like((await patch(same)).body['user'], { name: 'Ada', time_zone: null })
  t.like((await me(ada.token)).body['user'], { name: 'Ada', time_zone: null })
  const zone = await patch({ time_zone: 'Middle/Earth' })
  t.is((zone.body['detail'] as { msg: string }[])[0]?.msg, 'Input should be an IANA time zone such as Europe/Berlin')
  for (const [body, field] of [
    [{ time_zone: 'Middle/Earth' }, 'time_zone'],
    [{ time_zone: '+02:00' }, 'time_zone'],
    [{ name: '' }, 'name'],
    [{ name: 7 }, 'name'],
  ] as const) {
    const answer = await patch(body)
    t.is(answer.status, 422)
    t.deepEqual((answer.body['detail'] as { loc: string[] }[])[0]?.loc, ['body', field])
  }
  t.deepEqual(await readAudit(ada), [
    { action: 'auth.profile_change', detail: { name: true, time_zone: true } },
    { action: 'auth.profile_change', detail: { name: false, time_zone: true } },
  ])
})

test('a password change ends every other session at once, and keeps this one', async (t) => {
  const ada = await people.add()
  const [here, there] = [await login(ada), await login(ada)]
  for (const session of [here, there]) t.is((await me(session.token)).status, 200)
  const next = 'quartz umbrella seventeen'
  t.is((await changePassword(here.token, ada.password, next)).status, 204)
  t.is((await me(there.token)).status, 401, 'the access token as well, though it was good a moment ago')
  t.is(await refresh(there.refreshToken), 401)
  t.is(await refresh(ada.refreshToken), 401)
  t.is((await me(here.token)).status, 200)
  t.is(await refresh(here.refreshToken), 200)
  t.true(people.changedMembers.includes(ada.userId), 'the other fronts are told')
  await t.throwsAsync(login(ada))
  await login({ ...ada, password: next })
  t.deepEqual(await readAudit(ada), [{ action: 'auth.password_change', detail: { sessions_ended: 2 } }])
})

test('a wrong current password changes nothing, is written down, and is asked for five times in a quarter of an hour', async (t) => {
  const ada = await people.add()
  const other = await login(ada)
  const next = 'quartz umbrella seventeen'
  const first = await changePassword(ada.token, 'not the password', next)
  t.is(first.status, 403)
  t.regex(first.text, /current password/)
  t.is((await me(other.token)).status, 200)
  for (let at = 0; at < 4; at += 1) t.is((await changePassword(ada.token, 'not the password', next)).status, 403)
  t.is((await changePassword(ada.token, ada.password, next)).status, 429)
  t.is((await changePassword(other.token, ada.password, next)).status, 204, 'another session is counted apart')
  t.is((await readAudit(ada)).filter(({ action }) => action === 'auth.password_failed').length, 5)
})

test('a new password has to meet the rules of the sign-up', async (t) => {
  const ada = await people.add()
  await http.call('PATCH', '/v1/auth/me', { token: ada.token, body: { name: 'Wilhelmina' } })
  for (const next of ['tiny-7q', 'password1234', 'x'.repeat(129), 'Wilhelmina-12']) {
    const answer = await changePassword(ada.token, ada.password, next)
    t.is(answer.status, 422, next)
    t.deepEqual((answer.body['detail'] as { loc: string[] }[])[0]?.loc, ['body', 'new_password'])
    t.false(answer.text.includes(next), 'what was typed is not echoed')
  }
  await login(ada)
})

test('a sign-in with the old password that is under way gets no session after the change', async (t) => {
  const ada = await people.add()
  const { db } = database
  let [isArmed, isChanged] = [false, false]
  // Between the check of the password and the new session, the change by another session commits.
  const slow: typeof db.tx = async (work) => {
    if (isArmed && !isChanged) {
      isChanged = true
      t.is((await changePassword(ada.token, ada.password, 'quartz umbrella seventeen')).status, 204)
    }
    return await db.tx(work)
  }
  const late = await openPeople({ ...db, tx: slow })
  t.teardown(late.stop)
  const lateHttp = await openHttp(late.routes, late.authenticator)
  t.teardown(lateHttp.stop)
  isArmed = true
  const body = { email: ada.email, password: ada.password }
  t.is((await lateHttp.call('POST', '/v1/auth/login', { body })).status, 401)
  t.true(isChanged)
  const [row] = await database.query<{ live: number }>(
    'select count(*)::int as live from sessions where user_id = $1 and revoked_at is null',
    [ada.userId],
  )
  t.is(row?.live, 1)
})

test('sessions are listed with their stored data, and those of other users are not', async (t) => {
  const [ada, eve] = [await people.add(), await people.add()]
  const { token, refreshToken } = await login(ada, { 'user-agent': `Browser ${'x'.repeat(500)}` })
  const listed = await list(token)
  t.is(listed.length, 2)
  const [current] = listed
  t.like(current, { current: true, ip_prefix: '198.51.100.0/24' })
  t.is(current?.user_agent?.length, 256)
  t.is(listed.filter((session) => session.current).length, 1)
  let next = refreshToken
  for (const [ip, prefix] of [
    ['203.0.113.9', '203.0.113.0/24'],
    ['198.18.7.9:5700', '198.18.7.0/24'],
    ['[2001:db8::9]:443', '2001:db8::/48'],
    ['unknown', null],
  ] as const) {
    const answer = await http.call('POST', '/v1/auth/refresh', { body: { refresh_token: next }, ip })
    next = answer.body['refresh_token'] as string
    t.is((await list(token))[0]?.ip_prefix, prefix, 'of the last use')
  }
  const others = await list(eve.token)
  t.is(others.length, 1)
  t.false(listed.some(({ id }) => id === others[0]?.id))
})

test('a session is ended by its user alone, at once, and only it', async (t) => {
  const [ada, eve] = [await people.add(), await people.add()]
  const [one, two] = [await login(ada), await login(ada)]
  const target = (await list(one.token)).find(({ current }) => current)?.id ?? ''
  const end = async (token: string, id: string) => await http.call('DELETE', `/v1/auth/sessions/${id}`, { token })
  const foreign = await end(eve.token, target)
  t.is(foreign.status, 404)
  t.is(foreign.text, (await end(eve.token, makeUuidV7())).text)
  t.is((await me(one.token)).status, 200)
  t.is((await end(two.token, target)).status, 204)
  t.is((await me(one.token)).status, 401)
  t.is(await refresh(one.refreshToken), 401)
  const countTold = () => people.changedMembers.filter((id) => id === ada.userId).length
  const told = countTold()
  t.is((await end(two.token, target)).status, 204, 'idempotent')
  t.is(countTold(), told, 'nothing ended')
  t.is((await list(two.token)).length, 2)
  t.is((await http.call('DELETE', '/v1/auth/sessions', { token: two.token })).status, 204)
  t.is((await list(two.token)).length, 1)
  t.is(countTold(), told + 1)
  t.is((await http.call('DELETE', '/v1/auth/sessions', { token: two.token })).status, 204)
  t.is(countTold(), told + 1, 'nothing ended')
  t.is(await refresh(ada.refreshToken), 401)
  const own = (await list(two.token))[0]?.id ?? ''
  t.is((await end(two.token, own)).status, 204)
  t.is((await me(two.token)).status, 401, 'one may end one’s own')
  t.deepEqual(await readAudit(ada), [
    { action: 'auth.session_end', detail: null },
    { action: 'auth.session_end', detail: { sessions_ended: 1 } },
    { action: 'auth.session_end', detail: null },
  ])
})

test('an access token ends with its session, by logout and by reuse of a refresh token too', async (t) => {
  const ada = await people.add()
  const { token, refreshToken } = await login(ada)
  t.is((await me(token)).status, 200)
  await http.call('POST', '/v1/auth/logout', { body: { refresh_token: refreshToken } })
  t.is((await me(token)).status, 401)
  const next = await http.call('POST', '/v1/auth/refresh', { body: { refresh_token: ada.refreshToken } })
  await http.call('POST', '/v1/auth/refresh', { body: { refresh_token: next.body['refresh_token'] } })
  t.is((await me(ada.token)).status, 200)
  t.is(await refresh(ada.refreshToken), 401, 'the grandparent')
  t.is((await me(ada.token)).status, 401)
})

test('an address that can be taken for another one gets no account and no invite, with a clear answer', async (t) => {
  const ada = await people.add()
  const password = 'quartz umbrella seventeen'
  const signup = async (email: string) => await http.call('POST', '/v1/auth/signup', { body: { email, password } })
  const refused = await signup('\u0430da@example.test')
  t.is(refused.status, 422)
  t.like((refused.body['detail'] as object[])[0], { loc: ['body', 'email'], type: 'value_error' })
  t.regex(refused.text, /letters of several scripts/)
  const invited = await http.call('POST', `/v1/orgs/${ada.orgId}/invites`, {
    token: ada.token,
    body: { email: 'bob@ex\u0430mple.test', role: 'viewer' },
  })
  t.is(invited.status, 422)
  t.is((await signup('once\u200b@m\u00fcnchen.test')).status, 201)
  for (const email of ['ONCE@m\u00fcnchen.test', 'once@xn--mnchen-3ya.test', 'on\u2060ce@mu\u0308nchen.test'])
    t.is((await signup(email)).status, 409, email)
  t.is((await http.call('POST', '/v1/auth/login', { body: { email: 'Once@m\u00fcnchen.test', password } })).status, 200)
})

test('accounts whose address was stored by earlier rules still work, each by itself', async (t) => {
  const stored = [
    'old@m\u00fcnchen.test',
    'old@xn--mnchen-3ya.test',
    '\u0430da@old.test',
    'z\u200bero@old.test',
    'twice@dotted..test',
    're\u0301ne@old.test',
  ]
  for (const email of stored) {
    const person = await people.add()
    await database.query('update users set email = $2 where id = $1', [person.userId, email])
    const answer = await http.call('POST', '/v1/auth/login', { body: { email, password: person.password } })
    t.is(answer.status, 200, JSON.stringify(email))
    t.is((answer.body['user'] as { id: string }).id, person.userId)
  }
  const body = { email: 'r\u00e9ne@old.test', password: 'quartz umbrella seventeen' }
  t.is((await http.call('POST', '/v1/auth/signup', { body })).status, 409, 'nobody gets a second one beside it')
  const [host, guest] = [await people.add(), await people.add()]
  await database.query("update users set email = 'guest@\u00e9x.test' where id = $1", [guest.userId])
  const invite = { email: 'guest@xn--x-9fa.test', role: 'viewer' }
  const made = await http.call('POST', `/v1/orgs/${host.orgId}/invites`, { token: host.token, body: invite })
  const accepted = await http.call('POST', '/v1/invites/accept', {
    token: guest.token,
    body: { token: made.body['token'] },
  })
  t.is(accepted.status, 200, 'an invite to the form of today finds the account with the form of before')
})

test('if only invited people may sign up, the answer to others says so', async (t) => {
  const ada = await people.add()
  const closed = await openPeople(database.db, { signupOpen: false })
  t.teardown(closed.stop)
  const closedHttp = await openHttp(closed.routes, closed.authenticator)
  t.teardown(closedHttp.stop)
  const body = { email: 'late@example.test', password: 'quartz umbrella seventeen' }
  t.is((await closedHttp.call('POST', '/v1/auth/signup', { body })).status, 403)
  const invite = { email: body.email, role: 'viewer' }
  const made = await http.call('POST', `/v1/orgs/${ada.orgId}/invites`, { token: ada.token, body: invite })
  const invited = { ...body, invite_token: made.body['token'] }
  t.is((await closedHttp.call('POST', '/v1/auth/signup', { body: invited })).status, 201)
})
