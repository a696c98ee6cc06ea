import test from 'ava'
import { openWorkspacePurge } from '../../src/workspaces/purge.ts'
import { findText } from '../_kit/find-text.ts'
import { openHttp } from '../_kit/http.ts'
import { queueBehind } from '../_kit/lock-waits.ts'
import { noLimits, openPeople, type Person } from '../_kit/people.ts'
import { openPeopleHttp, type PeopleHttp } from '../_kit/people-http.ts'

let database: PeopleHttp['database']
let people: PeopleHttp['people']
let http: PeopleHttp['http']
let stop: PeopleHttp['stop']
test.before(async () => {
  ;({ database, people, http, stop } = await openPeopleHttp())
})
test.after.always(async () => await stop())

const deleteMe = async (person: Person, password = person.password) =>
  await http.call('DELETE', '/v1/auth/me', { token: person.token, body: { current_password: password } })
const login = async ({ email, password }: Person) =>
  await http.call('POST', '/v1/auth/login', { body: { email, password } })
const invite = async (host: Person, email: string, role: string): Promise<unknown> => {
  const answer = await http.call('POST', `/v1/orgs/${host.orgId}/invites`, { token: host.token, body: { email, role } })
  return answer.body['token']
}
const accept = async (guest: Person, token: unknown) =>
  await http.call('POST', '/v1/invites/accept', { token: guest.token, body: { token } })
const readOrg = async (orgId: string) =>
  (
    await database.query<{ name: string; gone: boolean }>(
      'select name, deleted_at is not null as gone from orgs where id = $1',
      [orgId],
    )
  )[0]
const listActions = async (userId: string) =>
  (
    await database.query<{ action: string }>('select action from audit_log where actor_user_id = $1 order by at, id', [
      userId,
    ])
  ).map(({ action }) => action)

test('a deleted user is gone with their address, org, workspaces and sessions; the audit log keeps their id', async (t) => {
  const [ada, host] = [await people.add(), await people.add()]
  await http.call('PATCH', `/v1/orgs/${ada.orgId}`, { token: ada.token, body: { name: `House of ${ada.email}` } })
  await invite(host, ada.email.toUpperCase(), 'viewer')
  await invite(ada, 'friend-of-ada@example.test', 'viewer')
  const second = (await login(ada)).body
  await database.query(
    `insert into agents (workspace_id, id, name, first_seen, last_seen) values ($1, gen_random_uuid(), $2, now(), now())`,
    [ada.workspaceId, `agent of ${ada.email}`],
  )
  // The control: the search finds the address in every table that holds it.
  t.deepEqual(await findText(database, ada.email), ['agents', 'invites', 'orgs', 'users'])

  t.is((await deleteMe(ada)).status, 204)
  t.true(people.deleted.includes(ada.workspaceId))
  t.true(people.changedMembers.includes(ada.userId))
  const purge = openWorkspacePurge({
    db: database.db,
    settleMs: 0,
    onError: (error) => {
      throw error
    },
  })
  await purge.pass()
  await purge.stop()
  t.deepEqual(await findText(database, ada.email), [])
  t.deepEqual(await findText(database, 'friend-of-ada@example.test'), [])
  t.deepEqual(await readOrg(ada.orgId), { name: '', gone: true })

  t.is((await login(ada)).status, 401)
  for (const token of [ada.refreshToken, second['refresh_token']])
    t.is((await http.call('POST', '/v1/auth/refresh', { body: { refresh_token: token } })).status, 401)
  for (const token of [ada.token, second['access_token'] as string]) {
    t.is((await http.call('GET', '/v1/auth/me', { token })).status, 401)
    t.is((await http.call('POST', '/v1/workspaces', { token, body: { name: 'x' } })).status, 401)
    t.is((await http.call('GET', `/v1/workspaces/${ada.workspaceId}/settings`, { token })).status, 401)
  }
  t.is((await http.call('GET', '/v1/workspace/me', { token: ada.key ?? '' })).status, 401)
  t.deepEqual((await listActions(ada.userId)).slice(-3), ['workspace.delete', 'org.delete', 'user.delete'])

  const again = await http.call('POST', '/v1/auth/signup', { body: { email: ada.email, password: ada.password } })
  t.is(again.status, 201, 'the address is free again')
})

test('the password is asked for, and a session has few guesses at it', async (t) => {
  const limits = { ...noLimits, passwordBySession: { points: 2, windowS: 600 } }
  const limited = await openPeople(database.db, { limits })
  const server = await openHttp(limited.routes, limited.authenticator)
  t.teardown(async () => {
    await server.stop()
    await limited.stop()
  })
  const ada = await limited.add()
  const call = async (body: object, token = ada.token) => await server.call('DELETE', '/v1/auth/me', { token, body })
  t.is((await call({})).status, 422)
  const wrong = await call({ current_password: 'plum tractor elevenths' })
  t.is(wrong.status, 403)
  t.is(wrong.body['detail'], 'The current password is wrong')
  t.is((await call({ current_password: '' })).status, 403)
  t.deepEqual((await listActions(ada.userId)).slice(-2), ['auth.password_failed', 'auth.password_failed'])
  const right = { current_password: ada.password }
  t.is((await call(right)).status, 429)
  const login = { email: ada.email, password: ada.password }
  const other = await server.call('POST', '/v1/auth/login', { body: login })
  t.is(other.status, 200, 'whoever has one session does not lock its user out')
  const token = other.body['access_token'] as string
  t.is((await call(right, token)).status, 204)
  t.is((await call(right, token)).status, 401, 'the session has ended')
})

test('the last owner of an org with other members cannot delete the account; the org and its members stay', async (t) => {
  const ada = await people.add()
  const bob = await people.add({ joins: ada, role: 'admin' })
  const refused = await deleteMe(ada)
  t.is(refused.status, 409)
  t.regex(String(refused.body['detail']), /last owner/)
  t.is((await login(ada)).status, 200)
  await http.call('PATCH', `/v1/orgs/${ada.orgId}/members/${bob.userId}`, { token: ada.token, body: { role: 'owner' } })
  t.is((await deleteMe(ada)).status, 204)
  t.like(await readOrg(ada.orgId), { gone: false })
  const members = (await http.call('GET', `/v1/orgs/${ada.orgId}/members`, { token: bob.token }))
    .body as unknown as object[]
  t.is(members.length, 1)
  t.is((await http.call('GET', '/v1/workspace/me', { token: ada.key ?? '' })).status, 200, 'the keys of the org stay')
  t.deepEqual((await listActions(ada.userId)).slice(-2), ['member.remove', 'user.delete'])
  t.deepEqual(await findText(database, ada.email), [])
})

test('the deletion of an account leaves orgs with other members, and an ended session cannot delete an account', async (t) => {
  const ada = await people.add()
  const bob = await people.add({ joins: ada, role: 'member' })
  await http.call('POST', '/v1/auth/logout', { body: { refresh_token: bob.refreshToken } })
  t.is((await deleteMe(bob)).status, 401)
  const back = (await login(bob)).body['access_token'] as string
  t.is((await deleteMe({ ...bob, token: back })).status, 204)
  t.like(await readOrg(ada.orgId), { gone: false })
})

const lockOrg = ({ orgId }: Person) => ({ text: 'select from orgs where id = $1 for update', values: [orgId] })

test.serial('an org that a user joins during the deletion is not deleted', async (t) => {
  const [ada, bob] = [await people.add(), await people.add()]
  const token = await invite(ada, bob.email, 'owner')
  const [joined, deleted] = await queueBehind(database, lockOrg(ada), [
    async () => await accept(bob, token),
    async () => await deleteMe(ada),
  ])
  t.is(joined?.status, 200)
  t.is(deleted?.status, 204)
  t.like(await readOrg(ada.orgId), { gone: false })
  t.is(await people.accounts.readRole(bob.userId, ada.workspaceId), 'owner')
})

test.serial('an org that is being deleted cannot be joined, and no workspace is created in it', async (t) => {
  const [ada, bob] = [await people.add(), await people.add()]
  const token = await invite(ada, bob.email, 'owner')
  const [deleted, joined, made] = await queueBehind(database, lockOrg(ada), [
    async () => await deleteMe(ada),
    async () => await accept(bob, token),
    async () => await http.call('POST', '/v1/workspaces', { token: ada.token, body: { name: 'late' } }),
  ])
  t.is(deleted?.status, 204)
  t.is(joined?.status, 404)
  t.is(made?.status, 401)
  const live = await database.query('select from workspaces where org_id = $1 and deleted_at is null', [ada.orgId])
  t.is(live.length, 0)
  t.is((await http.call('GET', '/v1/auth/me', { token: bob.token })).status, 200)
})

test.serial('two concurrent deletions have the effect of one, and a concurrent sign-in gets no session', async (t) => {
  const ada = await people.add()
  const lock = { text: 'select from users where id = $1 for update', values: [ada.userId] }
  const answers = await queueBehind(database, lock, [
    async () => await deleteMe(ada),
    async () => await deleteMe(ada),
    async () => await login(ada),
  ])
  t.deepEqual(
    answers.map(({ status }) => status),
    [204, 401, 401],
  )
  t.is((await database.query('select from sessions where user_id = $1', [ada.userId])).length, 0)
})
