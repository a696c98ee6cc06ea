// Forgotten passwords: reset by mail, or by a link that an owner makes.
import { createHash } from 'node:crypto'
import { runInNewContext } from 'node:vm'
import test, { type ExecutionContext } from 'ava'
import { openSmtp } from '../../src/accounts/mail/smtp.ts'
import { makeDatabase, type TestDatabase } from '../_kit/db.ts'
import { type Answer, type Http, openHttp } from '../_kit/http.ts'
import { noLimits, openPeople, type People, type Person } from '../_kit/people.ts'
import { openSmtpServer, type Received, type SmtpServer } from '../_kit/smtp.ts'
import { until } from '../_kit/until.ts'

let database: TestDatabase
let people: People
let http: Http
let smtp: SmtpServer
let nowMs = Date.now()
/** The names of a request's statements in order, while it is watched. */
let statements: string[] | null = null

test.before(async () => {
  database = await makeDatabase()
  smtp = await openSmtpServer()
  const { db } = database
  const row: typeof db.row = async (name, values) => {
    statements?.push(name)
    return await db.row(name, values)
  }
  const run: typeof db.run = async (name, values) => {
    statements?.push(name)
    return await db.run(name, values)
  }
  people = await openPeople(
    { ...db, row, run },
    {
      now: () => new Date(nowMs),
      limits: { ...noLimits, resetByAccount: { points: 3, windowS: 3_600 } },
      smtp: openSmtp({ url: smtp.url, from: 'Tracewright <no-reply@tracewright.test>' }),
      onError: (error) => {
        throw error
      },
    },
  )
  http = await openHttp(people.routes, people.authenticator)
})

test.after.always(async () => {
  await http.stop()
  await people.stop()
  await smtp.stop()
  await database.stop()
})

const next = 'quartz umbrella seventeen'
const ask = async (email: string, headers: Record<string, string> = {}): Promise<Answer> =>
  await http.call('POST', '/v1/auth/reset', { body: { email }, headers })
const confirm = async (token: string, password = next): Promise<Answer> =>
  await http.call('POST', '/v1/auth/reset/confirm', { body: { token, password } })
const login = async (person: Person, password: string): Promise<number> =>
  (await http.call('POST', '/v1/auth/login', { body: { email: person.email, password } })).status
const makeLink = async (owner: Person, orgId: string, userId: string): Promise<Answer> =>
  await http.call('POST', `/v1/orgs/${orgId}/members/${userId}/reset-link`, { token: owner.token })
const mailsTo = (email: string): Received[] => smtp.mails.filter(({ to }) => to.includes(email))
const readToken = (text: string): string => /#token=(tw_pr_[\w-]+)/.exec(text)?.[1] ?? ''

async function mailToken(person: Person): Promise<string> {
  const before = mailsTo(person.email).length
  if ((await ask(person.email)).status !== 202) throw new Error('not accepted')
  await until(() => mailsTo(person.email).length > before)
  return readToken(mailsTo(person.email).at(-1)?.text ?? '')
}

const countTokens = async (userId: string): Promise<number> =>
  (await database.query('select from password_resets where user_id = $1', [userId])).length

const readAudit = async (userId: string): Promise<{ action: string; detail: unknown; actor: string | null }[]> =>
  await database.query(
    "select action, detail, actor_user_id as actor from audit_log where target = $1 and action like 'auth.reset%' order by at, id",
    [userId],
  )

test('a reset link is mailed, works once, and ends all sessions', async (t) => {
  const ada = await people.add()
  const token = await mailToken(ada)
  const [mail] = mailsTo(ada.email)
  t.deepEqual(mail?.to, [ada.email])
  t.is(mail?.from, 'no-reply@tracewright.test')
  t.true(mail?.text.includes(`https://tracewright.test/reset#token=${token}`))
  t.regex(mail?.source ?? '', /^Subject: Reset your Tracewright password$/m)
  t.regex(mail?.source ?? '', /^Auto-Submitted: auto-generated$/m)
  const stored = await database.query('select * from password_resets where user_id = $1', [ada.userId])
  t.false(JSON.stringify(stored).includes(Buffer.from(token).toString('hex')))
  t.false(JSON.stringify(stored).includes(token), 'only a digest is stored')

  t.is((await confirm(token)).status, 204)
  t.is(await login(ada, next), 200)
  t.is(await login(ada, ada.password), 401)
  t.is((await http.call('GET', '/v1/auth/me', { token: ada.token })).status, 401)
  const refreshed = await http.call('POST', '/v1/auth/refresh', { body: { refresh_token: ada.refreshToken } })
  t.is(refreshed.status, 401)
  t.true(people.changedMembers.includes(ada.userId), 'the other fronts are told')

  const replayed = await confirm(token, 'another quartz umbrella')
  t.is(replayed.status, 404)
  t.is(
    replayed.body['detail'],
    'The reset token is not valid: it has expired, was used or was withdrawn, or the password has changed since it was created',
    'also true of links by mail: a newer one does not replace them',
  )
  t.is(await login(ada, next), 200, 'a replay changes nothing')
  t.is(replayed.text, (await confirm('junk')).text)
  t.is(replayed.text, (await confirm('')).text)
  t.deepEqual(await readAudit(ada.userId), [
    { action: 'auth.reset_request', detail: null, actor: null },
    { action: 'auth.reset', detail: { sessions_ended: 1, by_link: false }, actor: ada.userId },
  ])
})

test('one of two concurrent confirmations succeeds, and ends all reset tokens of the user', async (t) => {
  const [ada, eve] = [await people.add(), await people.add()]
  const [first, second] = [await mailToken(ada), await mailToken(ada)]
  const foreign = await mailToken(eve)
  const passwords = ['quartz umbrella seventeen', 'marble lantern eighteen']
  const answers = await Promise.all(passwords.map(async (password) => await confirm(first, password)))
  t.deepEqual(
    answers.map(({ status }) => status).sort((a, b) => a - b),
    [204, 404],
  )
  const won = answers.findIndex(({ status }) => status === 204)
  t.is(await login(ada, passwords[won] ?? ''), 200)
  t.is(await login(ada, passwords[1 - won] ?? ''), 401)
  t.is((await confirm(second)).status, 404, 'the older token too')
  t.is(await countTokens(ada.userId), 0)
  t.is(await countTokens(eve.userId), 1, 'and of nobody else')
  t.is((await confirm(foreign)).status, 204)
  t.is(await login(eve, next), 200)
  t.is(await login(ada, passwords[won] ?? ''), 200, 'a token is good for its own user alone')
})

test.serial('a reset token is valid for an hour', async (t) => {
  const [ada, eve] = [await people.add(), await people.add()]
  const [early, late] = [await mailToken(ada), await mailToken(eve)]
  nowMs += 59 * 60_000
  t.is((await confirm(early)).status, 204)
  nowMs += 2 * 60_000
  t.is((await confirm(late)).status, 404)
  t.is(await login(eve, eve.password), 200)
})

test('a weak new password is refused, and the token stays valid', async (t) => {
  const ada = await people.add()
  const token = await mailToken(ada)
  for (const password of ['password1234', 'tiny-7q', `${ada.email.split('@')[0]}-1`]) {
    const answer = await confirm(token, password)
    t.is(answer.status, 422, password)
    t.false(answer.text.includes(password))
    t.false(answer.text.includes(token))
  }
  t.is((await confirm(token)).status, 204)
})

test('a password change invalidates open reset tokens', async (t) => {
  const ada = await people.add()
  const token = await mailToken(ada)
  const body = { current_password: ada.password, new_password: next }
  t.is((await http.call('POST', '/v1/auth/password', { token: ada.token, body })).status, 204)
  t.is((await confirm(token, 'marble lantern eighteen')).status, 404)
})

test.serial('neither the answer nor the work before it reveals whether the address has an account', async (t) => {
  const ada = await people.add()
  async function watch(email: string): Promise<{ answer: Answer; asked: string[] }> {
    const asked: string[] = []
    statements = asked
    const answer = await ask(email)
    // The rest happens after the answer, whether the account exists or not.
    statements = null
    return { answer, asked: asked.filter((name) => name.includes('throttle')) }
  }
  const known = await watch(ada.email)
  const unknown = await watch('nobody@example.test')
  t.is(known.answer.status, 202)
  const plain = ({ status, headers, text }: Answer): unknown => [
    status,
    text,
    [...headers].filter(([name]) => !['date', 'x-request-id'].includes(name)),
  ]
  t.deepEqual(plain(known.answer), plain(unknown.answer))
  t.is(known.answer.text, '')
  t.deepEqual(known.asked, ['accounts/consume-throttle', 'accounts/consume-throttle'])
  t.deepEqual(unknown.asked, known.asked)
  await until(() => mailsTo(ada.email).length >= 1)
  t.is(mailsTo('nobody@example.test').length, 0)
})

test.serial('the answer does not wait for the look-up of the account', async (t) => {
  const ada = await people.add()
  const { db } = database
  const gate = Promise.withResolvers<void>()
  const row: typeof db.row = async (name, values) => {
    if (name === 'accounts/find-user-by-email') await gate.promise
    return await db.row(name, values)
  }
  const held = await openPeople(
    { ...db, row },
    { smtp: openSmtp({ url: smtp.url, from: 'no-reply@tracewright.test' }) },
  )
  t.teardown(held.stop)
  const heldHttp = await openHttp(held.routes, held.authenticator)
  t.teardown(heldHttp.stop)
  t.is((await heldHttp.call('POST', '/v1/auth/reset', { body: { email: ada.email } })).status, 202)
  t.is(mailsTo(ada.email).length, 0)
  gate.resolve()
  await until(() => mailsTo(ada.email).length >= 1)
})

test('the mail goes to the address on record, and the link to the address of the settings', async (t) => {
  const ada = await people.add()
  const typed = ada.email.replace('person', 'per\u200bSON')
  t.is((await ask(typed, { 'x-forwarded-host': 'evil.test', forwarded: 'host=evil.test' })).status, 202)
  await until(() => mailsTo(ada.email).length >= 1)
  t.false(mailsTo(ada.email)[0]?.source.includes('evil.test'))
  t.regex(mailsTo(ada.email)[0]?.text ?? '', /https:\/\/tracewright\.test\/reset#token=/)
})

/** Opens the accounts again, with other options and without a mail server. */
async function openOther(t: ExecutionContext, options: Parameters<typeof openPeople>[1] = {}) {
  const others = await openPeople(database.db, options)
  t.teardown(others.stop)
  const served = await openHttp(others.routes, others.authenticator)
  t.teardown(served.stop)
  return served
}

test('an account gets three mails an hour, and the answer does not reveal it', async (t) => {
  const [ada, last] = [await people.add(), await people.add()]
  const answers = [await ask(ada.email), await ask(ada.email), await ask(ada.email), await ask(ada.email)]
  t.deepEqual(
    answers.map(({ status }) => status),
    [202, 202, 202, 202],
  )
  await mailToken(last)
  await until(() => mailsTo(ada.email).length >= 3)
  t.is(await countTokens(ada.userId), 3)
})

test.serial('too many requests from one IP address are refused with a reason', async (t) => {
  const limits = { ...noLimits, resetByIp: { points: 2, windowS: 3_600 } }
  const limited = await openOther(t, { limits })
  const statuses: number[] = []
  for (const email of ['a@example.test', 'b@example.test', 'c@example.test'])
    statuses.push((await limited.call('POST', '/v1/auth/reset', { body: { email }, ip: '203.0.113.200' })).status)
  t.deepEqual(statuses, [202, 202, 429])
})

test.serial('one IP address may try only so many tokens of resets and invites', async (t) => {
  const limits = { ...noLimits, tokenByIp: { points: 2, windowS: 3_600 } }
  const limited = await openOther(t, { limits })
  const token = 'tw_rs_unknown'
  for (const [path, body, ip] of [
    ['/v1/auth/reset/confirm', { token, password: next }, '203.0.113.201'],
    ['/v1/invites/lookup', { token }, '203.0.113.202'],
  ] as const) {
    const statuses: number[] = []
    for (let nth = 0; nth < 3; nth += 1) statuses.push((await limited.call('POST', path, { body, ip })).status)
    t.deepEqual(statuses, [404, 404, 429], path)
  }
})

test('without a mail server no token is created', async (t) => {
  const ada = await people.add()
  const silent = await openOther(t)
  t.is((await silent.call('POST', '/v1/auth/reset', { body: { email: ada.email } })).status, 202)
  t.is(await countTokens(ada.userId), 0)
  t.deepEqual(await readAudit(ada.userId), [])
})

test('an owner makes a link for a member, who chooses a password with it', async (t) => {
  const owner = await people.add()
  const member = await people.add({ joins: owner, role: 'admin' })
  const made = await makeLink(owner, owner.orgId, member.userId)
  t.is(made.status, 201, made.text)
  t.is(made.headers.get('cache-control'), 'no-store')
  t.is(made.body['url'], `https://tracewright.test/reset#token=${String(made.body['token'])}`)
  const again = await makeLink(owner, owner.orgId, member.userId)
  t.is((await confirm(made.body['token'] as string)).status, 404, 'the earlier link is replaced')
  t.is((await confirm(again.body['token'] as string)).status, 204)
  t.is(await login(member, next), 200)
  const audit = await readAudit(member.userId)
  t.deepEqual(
    audit.map(({ action, actor }) => [action, actor]),
    [
      ['auth.reset_link', owner.userId],
      ['auth.reset_link', owner.userId],
      ['auth.reset', null],
    ],
  )
})

test('only owners can create a reset link, for other users, and only if the user belongs to no org that the creator does not own', async (t) => {
  const owner = await people.add()
  const admin = await people.add({ joins: owner, role: 'admin' })
  const member = await people.add({ joins: owner })
  const [stranger, guest] = [await people.add(), await people.add()]
  t.is((await makeLink(admin, owner.orgId, member.userId)).status, 403)
  t.is((await makeLink(owner, owner.orgId, owner.userId)).status, 409, 'of oneself the current password is asked')
  t.is((await makeLink(owner, owner.orgId, stranger.userId)).status, 404)
  const foreign = await makeLink(stranger, owner.orgId, member.userId)
  t.is(foreign.status, 404)

  const invite = { email: guest.email, role: 'viewer' }
  const path = `/v1/orgs/${owner.orgId}/invites`
  const { body } = await http.call('POST', path, { token: owner.token, body: invite })
  await http.call('POST', '/v1/invites/accept', { token: guest.token, body: { token: body['token'] } })
  const refused = await makeLink(owner, owner.orgId, guest.userId)
  t.is(refused.status, 409, 'the guest has an org of their own')
  t.regex(refused.text, /organization that you do not own/)
  await database.query("update memberships set role = 'viewer' where org_id = $1 and user_id = $2", [
    guest.orgId,
    guest.userId,
  ])
  await database.query("insert into memberships (org_id, user_id, role) values ($1, $2, 'owner')", [
    guest.orgId,
    owner.userId,
  ])
  t.is((await makeLink(owner, owner.orgId, guest.userId)).status, 201, 'the control: the caller owns both')
})

type Fields = { password: { value: string }; again: { value: string }; send: { disabled: boolean } }

/** Runs the script of the page as a browser does. */
async function openPage(hash: string, pathname = '/reset') {
  const response = await fetch(http.baseUrl + pathname)
  const html = await response.text()
  const script = /<script>([^]*)<\/script>/.exec(html)?.[1] ?? ''
  const note = { textContent: '' }
  const elements: Fields = { password: { value: '' }, again: { value: '' }, send: { disabled: false } }
  const listeners: ((event: object) => Promise<void>)[] = []
  const form = {
    elements,
    hidden: false,
    addEventListener: (_: string, take: (event: object) => Promise<void>) => void listeners.push(take),
  }
  const shown: string[] = []
  runInNewContext(script, {
    URLSearchParams,
    location: { hash, pathname },
    history: { replaceState: (_state: null, _title: string, path: string) => void shown.push(path) },
    document: { querySelector: (name: string) => (name === 'form' ? form : note) },
    fetch: async (path: string, init: RequestInit) => await fetch(new URL(path, http.baseUrl + pathname), init),
  })
  const submit = async (password: string, again: string): Promise<string> => {
    Object.assign(elements, { password: { value: password }, again: { value: again } })
    for (const listener of listeners) await listener({ preventDefault: () => undefined })
    return note.textContent
  }
  return { response, html, script, form, shown, submit }
}

test('the page of the link changes the password, shows errors, and runs only its own script', async (t) => {
  const ada = await people.add()
  const token = await mailToken(ada)
  const { response, html, script, form, shown, submit } = await openPage(`#token=${token}`)
  t.is(response.headers.get('content-type'), 'text/html; charset=utf-8')
  const policy = response.headers.get('content-security-policy') ?? ''
  const hash = createHash('sha256').update(script).digest('base64')
  t.true(policy.includes(`script-src 'sha256-${hash}'`))
  t.true(policy.startsWith("default-src 'none'"))
  t.false(/\bsrc=|href=| on\w+=/.test(html))
  t.deepEqual(shown, ['/reset'], 'the token is taken out of the address')
  t.regex(await submit(next, 'another one'), /differ/)
  t.regex(await submit('password1234', 'password1234'), /easy to guess/)
  t.is(await login(ada, ada.password), 200)
  t.regex(await submit(next, next), /was changed/)
  t.true(form.hidden)
  t.is(await login(ada, next), 200)
  const replay = await openPage(`#token=${token}`)
  t.regex(await replay.submit(next, next), /not valid/)
})

test('a reset link ends when its creator is removed or is no longer an owner, or when the member joins another org', async (t) => {
  const owner = await people.add()
  const [joins, removed, outranked] = await Promise.all([1, 2, 3].map(async () => await people.add({ joins: owner })))
  const second = await people.add({ joins: owner, role: 'owner' })
  if (joins === undefined || removed === undefined || outranked === undefined) throw new Error('nobody was added')
  const tokens: string[] = []
  for (const { userId } of [joins, removed]) {
    const made = await makeLink(owner, owner.orgId, userId)
    tokens.push(made.body['token'] as string)
  }
  const third = (await makeLink(second, owner.orgId, outranked.userId)).body['token'] as string

  const other = await people.add()
  const invite = { email: joins.email, role: 'viewer' }
  const made = await http.call('POST', `/v1/orgs/${other.orgId}/invites`, { token: other.token, body: invite })
  await http.call('POST', '/v1/invites/accept', { token: joins.token, body: { token: made.body['token'] } })
  await http.call('DELETE', `/v1/orgs/${owner.orgId}/members/${removed.userId}`, { token: owner.token })
  await database.query("update memberships set role = 'admin' where user_id = $1", [second.userId])

  const statuses = [await confirm(tokens[0] ?? ''), await confirm(tokens[1] ?? ''), await confirm(third)]
  t.deepEqual(
    statuses.map(({ status }) => status),
    [404, 404, 404],
  )
  t.is(await login(joins, joins.password), 200)
})

test('the page works with a slash at the end of its address as well', async (t) => {
  const ada = await people.add()
  const { form, submit } = await openPage(`#token=${await mailToken(ada)}`, '/reset/')
  await submit(next, next)
  t.true(form.hidden)
  t.is(await login(ada, next), 200)
})
