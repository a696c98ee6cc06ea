import test from 'ava'
import { makeUuidV7 } from '../../src/base/ids.ts'
import type { Role } from '../../src/web/route.ts'
import { queueBehind } from '../_kit/lock-waits.ts'
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

const setRole = async (actor: Person, orgId: string, userId: string, role: string) =>
  await http.call('PATCH', `/v1/orgs/${orgId}/members/${userId}`, { token: actor.token, body: { role } })
const invite = async (actor: Person, orgId: string, email: string, role: Role) =>
  await http.call('POST', `/v1/orgs/${orgId}/invites`, { token: actor.token, body: { email, role } })
const listInvites = async (actor: Person, orgId: string) =>
  (await http.call('GET', `/v1/orgs/${orgId}/invites`, { token: actor.token })).body as unknown as {
    id: string
    email: string
    role: Role
  }[]
const readRoles = async (orgId: string): Promise<Record<string, string>> =>
  Object.fromEntries(
    (
      await database.query<{ user_id: string; role: string }>(
        'select user_id, role from memberships where org_id = $1',
        [orgId],
      )
    ).map(({ user_id: id, role }) => [id, role]),
  )

test('a role is changed at once and on every front, and the change is audited once', async (t) => {
  const ada = await people.add()
  const bob = await people.add({ joins: ada, role: 'admin' })
  t.is(await people.accounts.readRole(bob.userId, ada.workspaceId), 'admin')
  const listTold = () => people.changedMembers.filter((id) => id === bob.userId)
  const told = listTold().length
  const lowered = await setRole(ada, ada.orgId, bob.userId, 'viewer')
  t.is(lowered.status, 200)
  t.like(lowered.body, { user_id: bob.userId, email: bob.email, role: 'viewer' })
  t.is(await people.accounts.readRole(bob.userId, ada.workspaceId), 'viewer', 'not after the cache has aged')
  t.is(listTold().length, told + 1)
  t.is((await setRole(ada, ada.orgId, bob.userId, 'viewer')).status, 200)
  t.is(listTold().length, told + 1, 'the same role is no change')
  const lines = await database.query<{ detail: object }>(
    "select detail from audit_log where org_id = $1 and action = 'member.role'",
    [ada.orgId],
  )
  t.deepEqual(lines, [{ detail: { from: 'admin', to: 'viewer' } }])
})

test('owners can grant every role, admins roles up to their own but not to owners, and other members none', async (t) => {
  const ada = await people.add()
  const admin = await people.add({ joins: ada, role: 'admin' })
  const other = await people.add({ joins: ada, role: 'admin' })
  const member = await people.add({ joins: ada, role: 'member' })
  const at = ada.orgId
  for (const [actor, target, role, status] of [
    [member, member, 'viewer', 403],
    [member, admin, 'viewer', 403],
    [admin, member, 'owner', 403],
    [admin, admin, 'owner', 403],
    [admin, ada, 'viewer', 403],
    [admin, ada, 'owner', 403],
    [admin, member, 'emperor', 422],
    [admin, member, 'admin', 200],
    [admin, other, 'viewer', 200],
    [admin, admin, 'member', 200],
    [admin, other, 'admin', 403],
    [ada, other, 'owner', 200],
    [other, ada, 'member', 200],
    [ada, other, 'viewer', 403],
  ] as const) {
    t.is((await setRole(actor, at, target.userId, role)).status, status, `${status} for ${role}`)
  }
  t.deepEqual(await readRoles(at), {
    [ada.userId]: 'member',
    [admin.userId]: 'member',
    [other.userId]: 'owner',
    [member.userId]: 'admin',
  })
})

test.serial('the last owner cannot step down, and two who do so at the same time leave one', async (t) => {
  const ada = await people.add()
  t.is((await setRole(ada, ada.orgId, ada.userId, 'admin')).status, 409)
  const bob = await people.add({ joins: ada, role: 'owner' })
  const answers = await queueBehind(
    database,
    { text: 'select from orgs where id = $1 for update', values: [ada.orgId] },
    [
      async () => await setRole(ada, ada.orgId, ada.userId, 'viewer'),
      async () => await setRole(bob, ada.orgId, bob.userId, 'viewer'),
    ],
  )
  t.deepEqual(
    answers.map(({ status }) => status),
    [200, 409],
  )
  t.deepEqual(await readRoles(ada.orgId), { [ada.userId]: 'viewer', [bob.userId]: 'owner' })
})

test('control: two owners who do not wait for each other both see another owner', async (t) => {
  const ada = await people.add()
  const bob = await people.add({ joins: ada, role: 'owner' })
  const stepDown = async ({ userId }: Person, met: Promise<void>, meet: () => void): Promise<void> =>
    await database.db.tx(async (tx) => {
      const count = await tx.row<{ owners: number }>('accounts/count-owners', [ada.orgId])
      meet()
      await met
      if ((count?.owners ?? 0) > 1) await tx.row('accounts/change-role', [ada.orgId, userId, 'viewer'])
    })
  const [first, second] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  await Promise.all([stepDown(ada, first.promise, second.resolve), stepDown(bob, second.promise, first.resolve)])
  t.false(Object.values(await readRoles(ada.orgId)).includes('owner'))
})

test('open invites are listed for admins and withdrawn; an accepted, an expired and a foreign one are not there', async (t) => {
  const [ada, eve] = [await people.add(), await people.add()]
  const admin = await people.add({ joins: ada, role: 'admin' })
  const viewer = await people.add({ joins: ada, role: 'viewer' })
  const guest = await people.add()
  const kept = (await invite(admin, ada.orgId, 'kept@example.test', 'member')).body
  const gone = (await invite(ada, ada.orgId, guest.email, 'member')).body
  const owner = (await invite(ada, ada.orgId, 'owner@example.test', 'owner')).body
  await invite(ada, ada.orgId, 'late@example.test', 'viewer')
  await database.query("update invites set expires_at = now() where email = 'late@example.test'")

  const listed = await listInvites(admin, ada.orgId)
  t.deepEqual(
    listed.map(({ email, role }) => [email, role]),
    [
      ['owner@example.test', 'owner'],
      [guest.email, 'member'],
      ['kept@example.test', 'member'],
    ],
  )
  t.false(JSON.stringify(listed).includes('tw_inv_'))
  const path = (id: unknown): string => `/v1/orgs/${ada.orgId}/invites/${String(id)}`
  const call = async (person: Person, id: unknown) =>
    (await http.call('DELETE', path(id), { token: person.token })).status
  t.is((await http.call('GET', `/v1/orgs/${ada.orgId}/invites`, { token: viewer.token })).status, 403)
  t.is(await call(viewer, kept['id']), 403)
  t.is(await call(eve, kept['id']), 404)
  t.is(await call(admin, owner['id']), 403)
  t.is(await call(ada, makeUuidV7()), 404)
  t.is(await call(admin, gone['id']), 204)
  t.is(await call(admin, gone['id']), 404)
  const accept = async (token: unknown) =>
    (await http.call('POST', '/v1/invites/accept', { token: guest.token, body: { token } })).status
  t.is(await accept(gone['token']), 404)
  const again = (await invite(ada, ada.orgId, guest.email, 'member')).body
  t.is(await accept(again['token']), 200)
  t.is(await call(ada, again['id']), 404)
})

test('open invites that the lowered role could not create are deleted, and others remain', async (t) => {
  const ada = await people.add()
  const bob = await people.add({ joins: ada, role: 'owner' })
  await invite(bob, ada.orgId, 'an-owner@example.test', 'owner')
  await invite(bob, ada.orgId, 'an-admin@example.test', 'admin')
  await invite(ada, ada.orgId, 'by-ada@example.test', 'owner')
  const emails = async () => (await listInvites(ada, ada.orgId)).map(({ email }) => email.split('@')[0])
  await setRole(ada, ada.orgId, bob.userId, 'admin')
  t.deepEqual(await emails(), ['by-ada', 'an-admin'], 'newest first')
  await setRole(ada, ada.orgId, bob.userId, 'member')
  t.deepEqual(await emails(), ['by-ada'])
})

const listEnded = async (orgId: string) =>
  (
    await database.query<{ actor_user_id: string; target: string; detail: object }>(
      "select actor_user_id, target, detail from audit_log where org_id = $1 and action = 'member.invite_delete' order by at, id",
      [orgId],
    )
  ).map(({ actor_user_id: actor, target, detail }) => [actor, target, detail])

test('only an owner replaces an open invite to be an owner, and an admin any other', async (t) => {
  const ada = await people.add()
  const admin = await people.add({ joins: ada, role: 'admin' })
  const guest = await people.add()
  const made = (await invite(ada, ada.orgId, guest.email, 'owner')).body
  const refused = await invite(admin, ada.orgId, guest.email.toUpperCase(), 'viewer')
  const path = `/v1/orgs/${ada.orgId}/invites/${String(made['id'])}`
  const withdrawn = await http.call('DELETE', path, { token: admin.token })
  t.is(refused.status, 403)
  t.is(refused.text, withdrawn.text)
  t.deepEqual(
    (await listInvites(ada, ada.orgId)).map(({ id }) => id),
    [made['id']],
  )
  t.deepEqual(await listEnded(ada.orgId), [])

  const second = (await invite(ada, ada.orgId, guest.email, 'member')).body
  const third = (await invite(admin, ada.orgId, guest.email, 'viewer')).body
  t.deepEqual(await listEnded(ada.orgId), [
    [ada.userId, made['id'], { role: 'owner', cause: 'replaced' }],
    [admin.userId, second['id'], { role: 'member', cause: 'replaced' }],
  ])
  // An expired invite restricts no other invite, and it has ended by expiring.
  await database.query("update invites set role = 'owner', expires_at = now() where id = $1", [third['id']])
  t.is((await invite(admin, ada.orgId, guest.email, 'viewer')).status, 201)
  t.is((await listEnded(ada.orgId)).length, 2)
})

test('the log contains each invite that ended before it was accepted, and which one led to a member', async (t) => {
  const ada = await people.add()
  const [bob, eve] = [await people.add({ joins: ada, role: 'owner' }), await people.add({ joins: ada, role: 'admin' })]
  const guest = await people.add()
  const by = async (person: Person, email: string, role: Role) =>
    (await invite(person, ada.orgId, email, role)).body['id'] as string
  const [first, second] = [await by(bob, 'a@example.test', 'owner'), await by(bob, 'b@example.test', 'admin')]
  const [third, fourth] = [await by(eve, 'c@example.test', 'viewer'), await by(ada, 'd@example.test', 'admin')]
  const accepted = (await invite(ada, ada.orgId, guest.email, 'viewer')).body
  await http.call('POST', '/v1/invites/accept', { token: guest.token, body: { token: accepted['token'] } })
  await setRole(ada, ada.orgId, bob.userId, 'admin')
  await http.call('DELETE', `/v1/orgs/${ada.orgId}/members/${bob.userId}`, { token: ada.token })
  await http.call('DELETE', '/v1/auth/me', { token: eve.token, body: { current_password: eve.password } })
  await http.call('DELETE', `/v1/orgs/${ada.orgId}/invites/${fourth}`, { token: ada.token })
  t.deepEqual(await listEnded(ada.orgId), [
    [ada.userId, first, { role: 'owner', cause: 'inviter_demoted' }],
    [ada.userId, second, { role: 'admin', cause: 'inviter_removed' }],
    [eve.userId, third, { role: 'viewer', cause: 'inviter_removed' }],
    [ada.userId, fourth, { role: 'admin', cause: 'withdrawn' }],
  ])
  const [joined] = await database.query<{ detail: object }>(
    "select detail from audit_log where action = 'member.join' and org_id = $1 and target = $2",
    [ada.orgId, guest.userId],
  )
  t.deepEqual(joined?.detail, { role: 'viewer', invite: accepted['id'] })
})

test('an org is renamed by admins; what changed is audited without the name', async (t) => {
  const [ada, eve] = [await people.add(), await people.add()]
  const admin = await people.add({ joins: ada, role: 'admin' })
  const member = await people.add({ joins: ada, role: 'member' })
  const rename = async (person: Person, name: unknown, orgId = ada.orgId) =>
    await http.call('PATCH', `/v1/orgs/${orgId}`, { token: person.token, body: { name } })
  const renamed = await rename(admin, '  Analytical Engines ')
  t.deepEqual(renamed.body, { id: ada.orgId, name: 'Analytical Engines', role: 'admin' })
  const workspaces = (await http.call('GET', '/v1/workspaces', { token: ada.token })).body as unknown as object[]
  t.like(workspaces[0], { org_name: 'Analytical Engines' })
  t.is((await rename(member, 'Mine')).status, 403)
  t.is((await rename(ada, '')).status, 422)
  const foreign = await rename(eve, 'Mine')
  t.is(foreign.status, 404)
  t.is(foreign.text, (await rename(eve, 'Mine', makeUuidV7())).text)
  const lines = await database.query("select * from audit_log where org_id = $1 and action = 'org.change'", [ada.orgId])
  t.is(lines.length, 1)
  t.false(JSON.stringify(lines).includes('Analytical'))
})

test('an ended session cannot change an org', async (t) => {
  const ada = await people.add()
  const bob = await people.add({ joins: ada, role: 'member' })
  await http.call('POST', '/v1/auth/logout', { body: { refresh_token: ada.refreshToken } })
  t.is((await setRole(ada, ada.orgId, bob.userId, 'owner')).status, 401)
  t.is((await http.call('PATCH', `/v1/orgs/${ada.orgId}`, { token: ada.token, body: { name: 'x' } })).status, 401)
  t.is((await http.call('GET', `/v1/orgs/${ada.orgId}/invites`, { token: ada.token })).status, 401)
})
