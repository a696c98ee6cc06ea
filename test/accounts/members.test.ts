import { readFileSync } from 'node:fs'
import test from 'ava'
import pg from 'pg'
import { makeUuidV7 } from '../../src/base/ids.ts'
import { type Person } from '../_kit/people.ts'
import { openPeopleHttp, type PeopleHttp } from '../_kit/people-http.ts'

let database: PeopleHttp['database']
let people: PeopleHttp['people']
let http: PeopleHttp['http']
let stop: PeopleHttp['stop']
test.before(async () => {
  ;({ database, people, http, stop } = await openPeopleHttp())
})
test.after.always(async () => await stop())

const invite = async (host: Person, body: object) =>
  await http.call('POST', `/v1/orgs/${host.orgId}/invites`, { token: host.token, body })
const accept = async (guest: Person, token: string) =>
  await http.call('POST', '/v1/invites/accept', { token: guest.token, body: { token } })
const remove = async (actor: Person, orgId: string, userId: string) =>
  await http.call('DELETE', `/v1/orgs/${orgId}/members/${userId}`, { token: actor.token })
const readToken = (answer: { body: Record<string, unknown> }): string => answer.body['token'] as string

test('a user joins the org of an invite, sees its workspaces, and the invite is spent', async (t) => {
  const ada = await people.add()
  const bob = await people.add()
  t.is(await people.accounts.readRole(bob.userId, ada.workspaceId), null)
  const made = await invite(ada, { email: bob.email.toUpperCase(), role: 'viewer' })
  t.is(made.status, 201)
  const joined = await accept(bob, readToken(made))
  t.is(joined.status, 200)
  t.like(joined.body['org'], { id: ada.orgId, role: 'viewer' })
  t.is(await people.accounts.readRole(bob.userId, ada.workspaceId), 'viewer', 'at once, not after the cache has aged')
  t.is((await accept(bob, readToken(made))).status, 404)
})

test('signing up with an invite joins that org and creates none', async (t) => {
  const ada = await people.add()
  const bob = await people.add({ joins: ada, role: 'admin' })
  t.is(bob.orgId, ada.orgId)
  const me = await http.call('GET', '/v1/auth/me', { token: bob.token })
  t.like((me.body['orgs'] as object[])[0], { id: ada.orgId, role: 'admin' })
  t.is((me.body['orgs'] as object[]).length, 1)
})

const inviteNotValid =
  'The invite is not valid: it has expired, was used, withdrawn or replaced by a newer one, or is for another e-mail address'

test('an invite is valid for its own address only, while it is the latest and has not expired', async (t) => {
  const ada = await people.add()
  const [bob, eve] = [await people.add(), await people.add()]
  const first = readToken(await invite(ada, { email: bob.email, role: 'member' }))
  t.is((await accept(eve, first)).status, 404)
  const second = readToken(await invite(ada, { email: bob.email, role: 'member' }))
  t.is((await accept(bob, first)).status, 404)
  await database.query("update invites set expires_at = now() - interval '1 s' where email = $1", [bob.email])
  const expired = await accept(bob, second)
  t.is(expired.status, 404)
  t.is(expired.body['detail'], inviteNotValid)
  t.is(expired.text, (await accept(bob, 'junk')).text)
})

test('the holder of a token learns the org, the inviter and the role, but not the address, and only while the token is valid', async (t) => {
  const ada = await people.add()
  const bob = await people.add()
  const token = readToken(await invite(ada, { email: bob.email, role: 'viewer' }))
  const lookUp = async (given: string) => await http.call('POST', '/v1/invites/lookup', { body: { token: given } })
  const { status, body, text } = await lookUp(token)
  t.is(status, 200)
  t.like(body, { role: 'viewer', invited_by: ada.email })
  t.deepEqual(Object.keys(body), ['org_name', 'role', 'invited_by', 'expires_at'])
  t.false(text.includes(bob.email))
  const latest = readToken(await invite(ada, { email: bob.email, role: 'viewer' }))
  await accept(bob, latest)
  for (const gone of ['junk', token, latest]) {
    const answer = await lookUp(gone)
    t.deepEqual([answer.status, answer.body['detail']], [404, inviteNotValid])
  }
})

test('signing up with an invalid invite creates no user', async (t) => {
  const body = { email: 'uninvited@example.test', password: 'plum tractor elevenths', invite_token: 'junk' }
  const answer = await http.call('POST', '/v1/auth/signup', { body })
  t.deepEqual([answer.status, answer.body['detail']], [404, inviteNotValid])
  t.is((await database.query("select from users where email = 'uninvited@example.test'")).length, 0)
})

test('a member cannot be invited again', async (t) => {
  const ada = await people.add()
  const bob = await people.add({ joins: ada })
  t.is((await invite(ada, { email: bob.email, role: 'admin' })).status, 409)
})

test('admins can invite, and only owners can invite owners', async (t) => {
  const ada = await people.add()
  const admin = await people.add({ joins: ada, role: 'admin' })
  const member = await people.add({ joins: ada, role: 'member' })
  const email = 'someone@example.test'
  t.is((await invite(member, { email, role: 'viewer' })).status, 403)
  t.is((await invite(admin, { email, role: 'owner' })).status, 403)
  t.is((await invite(admin, { email, role: 'admin' })).status, 201)
  t.is((await invite(ada, { email, role: 'owner' })).status, 201)
  t.is((await invite(ada, { email, role: 'emperor' })).status, 422)
})

test('an org of others gets byte for byte the same answer as a missing one', async (t) => {
  const [ada, eve] = [await people.add(), await people.add()]
  const nowhere = { ...ada, orgId: makeUuidV7() }
  for (const [method, path, body] of [
    ['POST', 'invites', { email: 'x@example.test', role: 'viewer' }],
    ['GET', 'members', undefined],
    ['DELETE', `members/${ada.userId}`, undefined],
  ] as const) {
    const options = { token: eve.token, ...(body === undefined ? {} : { body }) }
    const foreign = await http.call(method, `/v1/orgs/${ada.orgId}/${path}`, options)
    const missing = await http.call(method, `/v1/orgs/${nowhere.orgId}/${path}`, options)
    t.is(foreign.status, 404, path)
    t.is(foreign.text, missing.text)
    t.is((await http.call(method, `/v1/orgs/no-uuid/${path}`, options)).status, 422)
  }
})

test('any member lists the members, the longest-standing first', async (t) => {
  const ada = await people.add()
  const bob = await people.add({ joins: ada, role: 'viewer' })
  const answer = await http.call('GET', `/v1/orgs/${ada.orgId}/members`, { token: bob.token })
  const members = answer.body as unknown as { user_id: string; role: string; email: string }[]
  t.deepEqual(
    members.map(({ user_id: id, role, email }) => [id, role, email]),
    [
      [ada.userId, 'owner', ada.email],
      [bob.userId, 'viewer', bob.email],
    ],
  )
  const second = await http.call('GET', `/v1/orgs/${ada.orgId}/members?limit=1&offset=1`, { token: bob.token })
  t.deepEqual(second.body, [members[1]])
})

test('a removed member loses the workspaces at once', async (t) => {
  const ada = await people.add()
  const bob = await people.add({ joins: ada, role: 'admin' })
  t.is(await people.accounts.readRole(bob.userId, ada.workspaceId), 'admin')
  t.false(people.changedMembers.includes(bob.userId))
  t.is((await remove(ada, ada.orgId, bob.userId)).status, 204)
  t.is(await people.accounts.readRole(bob.userId, ada.workspaceId), null)
  t.true(people.changedMembers.includes(bob.userId), 'the other fronts are told')
  t.is((await remove(ada, ada.orgId, bob.userId)).status, 404)
})

test('the open invites of a member go with the member, and those of others stay', async (t) => {
  const ada = await people.add()
  const admin = await people.add({ joins: ada, role: 'admin' })
  const [back, guest] = [await people.add(), await people.add()]
  const theirs = readToken(await invite(admin, { email: back.email, role: 'admin' }))
  const hers = readToken(await invite(ada, { email: guest.email, role: 'viewer' }))
  t.is((await remove(ada, ada.orgId, admin.userId)).status, 204)
  t.is((await accept(back, theirs)).status, 404)
  t.is((await accept(guest, hers)).status, 200)
})

test('an invite is not accepted by a session that has ended', async (t) => {
  const [ada, bob] = [await people.add(), await people.add()]
  const token = readToken(await invite(ada, { email: bob.email, role: 'viewer' }))
  await http.call('POST', '/v1/auth/logout', { body: { refresh_token: bob.refreshToken } })
  t.is((await accept(bob, token)).status, 401)
  t.is(await people.accounts.readRole(bob.userId, ada.workspaceId), null)
})

test('every member may leave; only admins and owners remove others; only owners remove owners', async (t) => {
  const ada = await people.add()
  const [admin, member] = [
    await people.add({ joins: ada, role: 'admin' }),
    await people.add({ joins: ada, role: 'member' }),
  ]
  t.is((await remove(member, ada.orgId, admin.userId)).status, 403)
  t.is((await remove(admin, ada.orgId, ada.userId)).status, 403)
  t.is((await remove(member, ada.orgId, member.userId)).status, 204)
})

test('the last owner cannot leave or be removed, even by two concurrent requests', async (t) => {
  const ada = await people.add()
  const alone = await remove(ada, ada.orgId, ada.userId)
  t.is(alone.status, 409)
  t.regex(String(alone.body['detail']), /^You are the only member .* delete your account with DELETE \/v1\/auth\/me$/)
  await people.add({ joins: ada, role: 'admin' })
  const beside = await remove(ada, ada.orgId, ada.userId)
  t.is(beside.status, 409)
  t.is(beside.body['detail'], 'An organization must keep at least one owner; make another member an owner first')
  const bob = await people.add({ joins: ada, role: 'owner' })
  const answers = await Promise.all([remove(ada, ada.orgId, bob.userId), remove(bob, ada.orgId, ada.userId)])
  t.is(answers.filter(({ status }) => status === 204).length, 1)
  const owners = await database.query("select from memberships where org_id = $1 and role = 'owner'", [ada.orgId])
  t.is(owners.length, 1)
})

test('invitations require a live session: after logout they are refused', async (t) => {
  const ada = await people.add()
  await http.call('POST', '/v1/auth/logout', { body: { refresh_token: ada.refreshToken } })
  t.is((await invite(ada, { email: 'late@example.test', role: 'viewer' })).status, 401)
})

type Lines = { items: { id: string; action: string; actor_email: string | null }[]; next_cursor: string | null }
const readLog = async (admin: Person, query: Record<string, string>): Promise<Lines> => {
  const path = `/v1/orgs/${admin.orgId}/audit?${new URLSearchParams(query).toString()}`
  return (await http.call('GET', path, { token: admin.token })).body as unknown as Lines
}

test('actions of former members stay in the log of the org, and later ones are not in it', async (t) => {
  const [ada, bob] = [await people.add(), await people.add()]
  const login = async (password = bob.password) =>
    await http.call('POST', '/v1/auth/login', { body: { email: bob.email, password } })
  const join = async () => await accept(bob, readToken(await invite(ada, { email: bob.email, role: 'admin' })))
  const actions = async (): Promise<string[]> =>
    (await readLog(ada, { actor: bob.userId })).items.map(({ action }) => action)
  await join()
  await login('plum tractor')
  await login()
  t.is((await remove(bob, ada.orgId, bob.userId)).status, 204)
  const first = ['member.remove', 'auth.login', 'auth.login_failed', 'member.join']
  t.deepEqual(await actions(), first)
  await login('plum tractor')
  t.deepEqual(await actions(), first, 'not a member')

  await join()
  await login()
  t.is((await remove(ada, ada.orgId, bob.userId)).status, 204)
  await login()
  const second = ['auth.login', 'member.join', ...first]
  t.deepEqual(await actions(), second, 'the removal is a line of who removed')

  await join()
  const deleteMe = async (password: string) =>
    await http.call('DELETE', '/v1/auth/me', { token: bob.token, body: { current_password: password } })
  t.is((await deleteMe('plum tractor')).status, 403)
  t.is((await deleteMe(bob.password)).status, 204)
  const { items } = await readLog(ada, { actor: bob.userId })
  t.deepEqual(
    items.map(({ action }) => action),
    ['user.delete', 'member.remove', 'auth.password_failed', 'member.join', ...second],
  )
  t.true(items.every(({ actor_email: email }) => email === null))

  const paged: string[] = []
  let query: Record<string, string> = { actor: bob.userId, limit: '1' }
  for (let pages = 0; pages <= items.length; pages += 1) {
    const page = await readLog(ada, query)
    paged.push(...page.items.map(({ id }) => id))
    if (page.next_cursor === null) break
    query = { actor: bob.userId, limit: '1', cursor: page.next_cursor }
  }
  t.deepEqual(
    paged,
    items.map(({ id }) => id),
  )
})

test('a line at a moment that belongs to two memberships of a person is listed once', async (t) => {
  const ada = await people.add()
  const bob = await people.add({ joins: ada })
  await http.call('POST', '/v1/auth/login', { body: { email: bob.email, password: bob.password } })
  await database.query(
    `insert into past_memberships (org_id, user_id, joined_at, left_at) values ($1, $2, '-infinity', now())`,
    [ada.orgId, bob.userId],
  )
  const { items } = await readLog(ada, { actor: bob.userId, action: 'auth.login' })
  t.is(items.length, 1)
})

test.serial('memberships that ended under an earlier release are read from the log', async (t) => {
  const ada = await people.add()
  const bob = await people.add({ joins: ada })
  await remove(ada, ada.orgId, bob.userId)
  const eve = await people.add({ joins: ada })
  const line = async (action: string, target: string, daysAgo: number) =>
    await database.query(
      `insert into audit_log (id, at, org_id, action, target) values (gen_random_uuid(), now() - $1 * interval '1 day', $2, $3, $4)`,
      [daysAgo, ada.orgId, action, target],
    )
  // Eve was a member twice; the first membership began before the oldest audit line.
  await line('member.remove', eve.userId, 30)
  await line('member.join', eve.userId, 20)
  await line('member.remove', eve.userId, 10)
  const client = new pg.Client({ connectionString: database.url })
  await client.connect()
  t.teardown(async () => await client.end())
  // Restores the state before the migration, for this transaction only.
  await client.query('begin')
  await client.query('drop table past_memberships; drop function keep_past_membership() cascade')
  await client.query(readFileSync('sql/migrate/0028_past_memberships.sql', 'utf8'))
  const { rows } = await client.query<object>(
    `select user_id, round(extract(epoch from now() - joined_at) / 86400) as joined, round(extract(epoch from now() - left_at) / 86400) as "left"
     from past_memberships where org_id = $1 order by left_at`,
    [ada.orgId],
  )
  await client.query('rollback')
  t.deepEqual(rows, [
    { user_id: eve.userId, joined: 'Infinity', left: '30' },
    { user_id: eve.userId, joined: '20', left: '10' },
    { user_id: bob.userId, joined: '0', left: '0' },
  ])
})
