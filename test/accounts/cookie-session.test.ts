// Browser sessions: the refresh token is in a cookie that scripts cannot read and no other site can use.
import test from 'ava'
import type { Answer } from '../_kit/http.ts'
import { openPeopleHttp, type PeopleHttp } from '../_kit/people-http.ts'

const publicUrl = 'https://traces.example.com'
const asPage = { 'x-tracewright-session': 'cookie', origin: publicUrl }
const whole = /^__Host-tw_refresh=(tw_rt_[\w-]{79}); Max-Age=604800; Path=\/; Secure; HttpOnly; SameSite=Strict$/
const deleted = '__Host-tw_refresh=; Max-Age=0; Path=/; Secure; HttpOnly; SameSite=Strict'

let database: PeopleHttp['database']
let people: PeopleHttp['people']
let http: PeopleHttp['http']
let stop: PeopleHttp['stop']
test.before(async () => {
  ;({ database, people, http, stop } = await openPeopleHttp({ publicUrl: `${publicUrl}/tracewright` }))
})
test.after.always(async () => await stop())

type Headers = Record<string, string>

const readSet = (answer: Answer): string | null => answer.headers.get('set-cookie')

/** Returns the cookie as a browser sends it back, beside other cookies of the same host. */
function readCookie(answer: Answer): Headers {
  const token = whole.exec(readSet(answer) ?? '')?.[1]
  if (token === undefined) throw new Error(`no cookie was set: ${answer.status} ${answer.text}`)
  return { cookie: `theme=dark; __Host-tw_refresh=${token}; other=1` }
}

const signIn = async (person: { email: string; password: string }, headers: Headers = asPage): Promise<Answer> =>
  await http.call('POST', '/v1/auth/login', { body: { email: person.email, password: person.password }, headers })
const refresh = async (headers: Headers): Promise<Answer> => await http.call('POST', '/v1/auth/refresh', { headers })
const logout = async (headers: Headers): Promise<Answer> => await http.call('POST', '/v1/auth/logout', { headers })

test('signing in as a page sets the cookie, and no body has the token', async (t) => {
  const ada = await people.add()
  const answer = await signIn(ada)
  t.is(answer.status, 200)
  t.regex(readSet(answer) ?? '', whole)
  t.is(answer.headers.get('cache-control'), 'no-store')
  t.false(answer.text.includes('tw_rt_'))
  t.false('refresh_token' in answer.body)
  t.truthy(await people.accounts.verifySession(answer.body['access_token'] as string))
})

test('signing up as a page also sets the cookie, with an invite too', async (t) => {
  const owner = await people.add()
  const email = 'invited@example.test'
  const body = { email, password: 'Kx7-some-long-words' }
  const invite = await http.call('POST', `/v1/orgs/${owner.orgId}/invites`, {
    token: owner.token,
    body: { email, role: 'member' },
  })
  const joined = await http.call('POST', '/v1/auth/signup', {
    body: { ...body, invite_token: invite.body['token'] },
    headers: asPage,
  })
  const alone = await http.call('POST', '/v1/auth/signup', {
    body: { ...body, email: 'alone@example.test' },
    headers: asPage,
  })
  t.is((joined.body['org'] as { id: string }).id, owner.orgId)
  for (const answer of [joined, alone]) {
    t.is(answer.status, 201)
    t.false(answer.text.includes('tw_rt_'))
    t.is((await refresh({ ...asPage, ...readCookie(answer) })).status, 200)
  }
})

test('a refresh rotates the cookie and needs no body', async (t) => {
  const first = await signIn(await people.add())
  const second = await refresh({ ...asPage, ...readCookie(first) })
  t.is(second.status, 200)
  t.false(second.text.includes('tw_rt_'))
  t.notDeepEqual(readCookie(second), readCookie(first))
  t.is((await refresh({ ...asPage, ...readCookie(second) })).status, 200)
})

test('the cookie is kept no longer than the session, which ends 30 days after its start', async (t) => {
  const ada = await people.add()
  const headers = readCookie(await signIn(ada))
  await database.query("update sessions set expires_at = now() + interval '1 hour' where user_id = $1", [ada.userId])
  const keptS = Number(/; Max-Age=(\d+);/.exec(readSet(await refresh({ ...asPage, ...headers })) ?? '')?.[1])
  t.true(keptS > 0 && keptS <= 3_600, `${keptS} s`)
})

test('if the session has ended, the cookie is deleted', async (t) => {
  const ada = await people.add()
  const answer = await signIn(ada)
  await database.query('update sessions set revoked_at = now() where user_id = $1', [ada.userId])
  for (const headers of [readCookie(answer), { cookie: '__Host-tw_refresh=junk' }, {}]) {
    const ended = await refresh({ ...asPage, ...headers })
    t.is(ended.status, 401)
    t.is(readSet(ended), deleted)
  }
})

test('logging out ends the session and deletes the cookie, and may be repeated', async (t) => {
  const answer = await signIn(await people.add())
  const headers = { ...asPage, ...readCookie(answer) }
  for (const one of [headers, headers, asPage]) {
    const out = await logout(one)
    t.is(out.status, 204)
    t.is(readSet(out), deleted)
  }
  t.is((await refresh(headers)).status, 401)
})

test('a cookie without the right origin is refused, and nothing happens to the session', async (t) => {
  const ada = await people.add()
  const cookie = readCookie(await signIn(ada))
  const origins = ['https://evil.example', 'https://traces.example.com.evil.example', 'null', 'not an origin']
  for (const origin of [...origins, 'https://traces.example.com:8443']) {
    for (const call of [refresh, logout]) {
      const answer = await call({ ...asPage, origin, ...cookie })
      t.is(answer.status, 403, origin)
      t.regex(answer.body['detail'] as string, /open it at that URL, or set TRACEWRIGHT_PUBLIC_URL to its address$/)
      t.is(readSet(answer), null)
    }
    t.is((await signIn(ada, { ...asPage, origin })).status, 403, origin)
  }
  for (const call of [refresh, logout])
    t.is((await call({ 'x-tracewright-session': 'cookie', ...cookie })).status, 403, 'no origin')
  t.is((await refresh({ ...asPage, ...cookie })).status, 200)
})

test('the origin may be that of the host which is asked, for a service at several addresses', async (t) => {
  const cookie = readCookie(await signIn(await people.add()))
  const { host } = new URL(http.baseUrl)
  for (const origin of [http.baseUrl, `https://${host}`])
    t.is((await refresh({ ...asPage, origin, ...cookie })).status, 200)
})

test('a client without an Origin header may sign in with the password', async (t) => {
  const answer = await signIn(await people.add(), { 'x-tracewright-session': 'cookie' })
  t.is(answer.status, 200)
  t.regex(readSet(answer) ?? '', whole)
})

test('without the header tokens are in bodies, and cookies are ignored', async (t) => {
  const ada = await people.add()
  const cookie = readCookie(await signIn(ada))
  for (const mode of [{}, { 'x-tracewright-session': 'body' }]) {
    const headers = { ...mode, ...cookie, origin: publicUrl }
    const signedIn = await signIn(ada, headers)
    t.is(readSet(signedIn), null)
    const body = { refresh_token: signedIn.body['refresh_token'] }
    const refreshed = await http.call('POST', '/v1/auth/refresh', { body, headers })
    t.is(refreshed.status, 200)
    t.is(readSet(refreshed), null)
    t.regex(refreshed.body['refresh_token'] as string, /^tw_rt_/)
    t.is((await logout(headers)).status, 422)
  }
  t.is((await refresh({ ...asPage, ...cookie })).status, 200, 'the session of the cookie was not touched')
})

test('without the header and without a token the request is invalid', async (t) => {
  for (const path of ['/v1/auth/refresh', '/v1/auth/logout']) {
    const missing = await http.call('POST', path)
    t.is(missing.status, 422)
    t.deepEqual(missing.body, { detail: [{ loc: ['body'], msg: 'Field required', type: 'missing' }] })
    const empty = await http.call('POST', path, { body: {} })
    t.deepEqual(empty.body, { detail: [{ loc: ['body', 'refresh_token'], msg: 'Field required', type: 'missing' }] })
    t.is((await http.call('POST', path, { body: { refresh_token: 7 } })).status, 422)
  }
})

test('in cookie mode, a token in the body is ignored', async (t) => {
  const ada = await people.add()
  const body = { refresh_token: ada.refreshToken }
  t.is((await http.call('POST', '/v1/auth/refresh', { body, headers: asPage })).status, 401)
  t.is((await http.call('POST', '/v1/auth/refresh', { body })).status, 200)
})
