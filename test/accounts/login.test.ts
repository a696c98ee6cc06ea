import test from 'ava'
import { defaultLimits } from '../../src/accounts/throttle.ts'
import { makeDatabase, type TestDatabase } from '../_kit/db.ts'
import { type Http, openHttp } from '../_kit/http.ts'
import { cheapHash, openPeople, type People } from '../_kit/people.ts'

let database: TestDatabase
let people: People
let http: Http

// Signing up is not what is limited here.
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

test.serial('of 100 parallel wrong passwords five are checked at most', async (t) => {
  const ada = await people.add()
  const before = await countFailures()
  const answers = await Promise.all(
    Array.from({ length: 100 }, async () => await login(ada.email, 'a wrong password', '198.51.100.4')),
  )
  const count = (status: number): number => answers.filter((answer) => answer.status === status).length
  t.is(count(401) + count(429), 100)
  t.true(count(401) <= 5)
  // Every password that is checked and found wrong leaves one line.
  t.is((await countFailures()) - before, count(401))
  t.true(answers.filter(({ status }) => status === 429).every(({ headers }) => Number(headers.get('retry-after')) > 0))
  t.is((await login(ada.email, ada.password, '198.51.100.4')).status, 429, 'the right one has to wait as well')
  t.is((await login(ada.email, ada.password, '198.51.100.5')).status, 200, 'but not from another address')
})

test('one account is guessed at 20 times an hour, from however many addresses', async (t) => {
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

test('signing in rightly costs no attempt', async (t) => {
  const ada = await people.add()
  for (let at = 0; at < 8; at += 1) t.is((await login(ada.email, ada.password, '198.51.100.8')).status, 200)
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
  // The first session is used again, so that the second is now the one that was used least recently.
  t.is((await refresh(tokens[0] ?? '')).status, 200)
  await login(ada.email, ada.password, '198.51.100.9')
  t.is((await refresh(tokens[1] ?? '')).status, 401)
  t.is((await refresh(tokens[2] ?? '')).status, 200)
})
