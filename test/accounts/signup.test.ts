import test from 'ava'
import { openPeopleHttp, type PeopleHttp } from '../_kit/people-http.ts'

let database: PeopleHttp['database']
let http: PeopleHttp['http']
let stop: PeopleHttp['stop']
test.before(async () => {
  ;({ database, http, stop } = await openPeopleHttp({ limits: { signupByIp: { points: 30, windowS: 3_600 } } }))
})
test.after.always(async () => await stop())

const good = { password: 'plum tractor elevenths' }

test('signing up makes a user, an org that they own and a first workspace, and signs them in', async (t) => {
  const answer = await http.call('POST', '/v1/auth/signup', {
    body: { email: 'Ada@Example.test', name: 'Ada', org_name: 'Engines', ...good },
  })
  t.is(answer.status, 201)
  const {
    user,
    org,
    access_token: token,
  } = answer.body as unknown as {
    user: { email: string; name: string }
    org: { id: string; name: string; role: string }
    access_token: string
  }
  t.is(user.email, 'ada@example.test')
  t.like(org, { name: 'Engines', role: 'owner' })
  t.is(answer.headers.get('cache-control'), 'no-store')

  const me = await http.call('GET', '/v1/auth/me', { token })
  t.deepEqual(me.body['orgs'], [org])
  const workspaces = await http.call('GET', '/v1/workspaces', { token })
  t.like((workspaces.body as unknown as object[])[0], { name: 'Default', org_id: org.id, org_name: 'Engines' })
})

test('an address can be registered once, whatever its case', async (t) => {
  t.is((await http.call('POST', '/v1/auth/signup', { body: { email: 'twice@example.test', ...good } })).status, 201)
  const second = await http.call('POST', '/v1/auth/signup', { body: { email: 'TWICE@example.test', ...good } })
  t.is(second.status, 409)
  t.deepEqual(Object.keys(second.body), ['detail'])
})

test('optional fields may be null', async (t) => {
  const body = { email: 'null@example.test', name: null, org_name: null, invite_token: null, ...good }
  const answer = await http.call('POST', '/v1/auth/signup', { body })
  t.is(answer.status, 201)
  t.like(answer.body['user'], { name: null })
  t.like(answer.body['org'], { name: 'My organization' })
})

test('a password of a wrong length has only that error', async (t) => {
  for (const password of ['short', 'x'.repeat(129)]) {
    const answer = await http.call('POST', '/v1/auth/signup', { body: { email: 'a@example.test', password } })
    const detail = answer.body['detail'] as { type: string }[]
    t.deepEqual(
      detail.map(({ type }) => type),
      [password.length < 12 ? 'string_too_short' : 'string_too_long'],
    )
  }
})

const refused: [string, Record<string, unknown>, string, string][] = [
  ['no address', { ...good }, 'email', 'missing'],
  ['an address without a host', { email: 'ada', ...good }, 'email', 'value_error'],
  ['an address of 255 characters', { email: `abcde@${'b'.repeat(245)}.com`, ...good }, 'email', 'string_too_long'],
  ['an address with an empty label', { email: 'ada@a..example', ...good }, 'email', 'value_error'],
  [
    'an address with a label of 64 characters',
    { email: `ada@${'a'.repeat(64)}.example`, ...good },
    'email',
    'value_error',
  ],
  ['an address with a NUL', { email: 'a\u0000@example.test', ...good }, 'email', 'value_error'],
  ['a password of 11 characters', { email: 'a@example.test', password: 'abcdefghij1' }, 'password', 'string_too_short'],
  [
    'a password of 129 characters',
    { email: 'a@example.test', password: 'pq'.repeat(65) },
    'password',
    'string_too_long',
  ],
  [
    'a password that guessers try first',
    { email: 'a@example.test', password: 'Password12345' },
    'password',
    'value_error',
  ],
  [
    'a password made of the address',
    { email: 'babbage.c@example.test', password: 'babbage.c1234' },
    'password',
    'value_error',
  ],
  [
    'a password made of the org',
    { email: 'a@example.test', org_name: 'Difference Ltd', password: 'difference-99' },
    'password',
    'value_error',
  ],
  [
    'a password with half a surrogate pair',
    { email: 'a@example.test', password: 'plum tractor \ud800 x' },
    'password',
    'value_error',
  ],
  ['a name with a NUL', { email: 'a@example.test', name: 'A\u0000', ...good }, 'name', 'string_unicode'],
  ['a blank org name', { email: 'a@example.test', org_name: '   ', ...good }, 'org_name', 'string_too_short'],
]

for (const [what, body, field, type] of refused) {
  test(`signing up with ${what} is a 422`, async (t) => {
    const answer = await http.call('POST', '/v1/auth/signup', { body })
    t.is(answer.status, 422)
    const [item] = answer.body['detail'] as { loc: string[]; type: string }[]
    t.deepEqual(item?.loc, ['body', field])
    t.is(item?.type, type)
    if (typeof body['password'] === 'string')
      t.false(answer.text.includes(body['password']), 'a password is never echoed')
  })
}

test('the limit of signups by address answers 429 with Retry-After, and other addresses go on', async (t) => {
  const ip = '2001:db8:1:2::'
  for (let at = 0; at < 30; at += 1) {
    await http.call('POST', '/v1/auth/signup', {
      ip: `${ip}${at.toString(16)}`,
      body: { email: 'twice-over@example.test', ...good },
    })
  }
  const over = await http.call('POST', '/v1/auth/signup', {
    ip: `${ip}ffff`,
    body: { email: 'new@example.test', ...good },
  })
  t.is(over.status, 429)
  const waitS = Number(over.headers.get('retry-after'))
  t.true(waitS > 3_500 && waitS <= 3_600, `Retry-After was ${waitS}`)
  const elsewhere = await http.call('POST', '/v1/auth/signup', {
    ip: '2001:db8:1:3::1',
    body: { email: 'new@example.test', ...good },
  })
  t.is(elsewhere.status, 201)
})

test('neither the password nor an address is in the audit log or the throttles', async (t) => {
  const password = 'canary tractor elevenths'
  await http.call('POST', '/v1/auth/signup', { body: { email: 'canary@example.test', password } })
  const [user] = await database.query<{ password_hash: string }>(
    "select password_hash from users where email = 'canary@example.test'",
  )
  t.regex(user?.password_hash ?? '', /^\$argon2id\$v=19\$m=64,t=1,p=1\$/)
  const lines = await database.query<{ line: string }>('select a::text as line from audit_log a')
  const throttles = await database.query<{ line: string }>('select t::text as line from throttles t')
  t.true(lines.length > 0)
  t.false([...lines, ...throttles].some(({ line }) => line.includes('canary') || line.includes('192.0.2.1')))
})
