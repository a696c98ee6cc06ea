import test from 'ava'
import { makeUuidV7 } from '../../src/base/ids.ts'
import { inOneMonth } from '../_kit/one-month.ts'
import { openPeopleHttp, type PeopleHttp } from '../_kit/people-http.ts'

let database: PeopleHttp['database']
let people: PeopleHttp['people']
let http: PeopleHttp['http']
let stop: PeopleHttp['stop']
test.before(async () => {
  ;({ database, people, http, stop } = await openPeopleHttp({ plan: 'free' }))
})
test.after.always(async () => await stop())

const create = async (token: string, body: object) => await http.call('POST', '/v1/workspaces', { token, body })
const list = async (token: string) =>
  (await http.call('GET', '/v1/workspaces', { token })).body as unknown as Record<string, string>[]

test('a workspace is made in the only org of its maker and listed by org name, then name', async (t) => {
  const ada = await people.add()
  t.is((await create(ada.token, { name: 'Zeta' })).status, 201)
  const made = await create(ada.token, { name: ' Alpha ' })
  t.like(made.body, { name: 'Alpha', org_id: ada.orgId, org_name: 'My organization' })
  t.deepEqual(
    (await list(ada.token)).map(({ name }) => name),
    ['Alpha', 'Default', 'Zeta'],
  )
})

test('a member of several orgs has to say which', async (t) => {
  const [ada, bob] = [await people.add(), await people.add()]
  const invite = await http.call('POST', `/v1/orgs/${ada.orgId}/invites`, {
    token: ada.token,
    body: { email: bob.email, role: 'admin' },
  })
  await http.call('POST', '/v1/invites/accept', { token: bob.token, body: { token: invite.body['token'] } })
  for (const body of [{ name: 'Where?' }, { name: 'Where?', org_id: null }]) {
    const { status, body: answer } = await create(bob.token, body)
    t.is(status, 422)
    const [item, ...others] = answer['detail'] as Record<string, unknown>[]
    t.like(item, {
      loc: ['body', 'org_id'],
      type: 'missing',
      msg: 'Field required: you belong to several organizations',
    })
    t.deepEqual(others, [])
  }
  t.like((await create(bob.token, { name: 'There', org_id: ada.orgId })).body, { org_id: ada.orgId })
  t.is((await list(bob.token)).length, 3)
})

test('the error for a user without an org says to accept an invite', async (t) => {
  const host = await people.add()
  const guest = await people.add({ joins: host, role: 'viewer' })
  await http.call('DELETE', `/v1/orgs/${host.orgId}/members/${guest.userId}`, { token: guest.token })
  const { status, body } = await create(guest.token, { name: 'Where?' })
  t.is(status, 409)
  t.deepEqual(body, { detail: 'You do not belong to an organization; accept an invite to one first' })
  t.is((await create(guest.token, { name: 'Where?', org_id: host.orgId })).status, 404)
})

test('a foreign org reads like a missing one, and members below admin make no workspaces', async (t) => {
  const [ada, eve] = [await people.add(), await people.add()]
  const member = await people.add({ joins: ada, role: 'member' })
  const foreign = await create(eve.token, { name: 'x', org_id: ada.orgId })
  t.is(foreign.status, 404)
  t.is(foreign.text, (await create(eve.token, { name: 'x', org_id: makeUuidV7() })).text)
  t.is((await create(member.token, { name: 'x' })).status, 403)
  t.is((await create(ada.token, { name: '' })).status, 422)
  t.is((await create(ada.token, { name: 'x', org_id: 'y' })).status, 422)
})

test('a deletion stops the keys at once, hides the workspace, and notifies all processes', async (t) => {
  const ada = await people.add()
  t.is((await http.call('GET', '/v1/workspace/me', { token: ada.key ?? '' })).status, 200)
  t.is(await people.accounts.readRole(ada.userId, ada.workspaceId), 'owner')
  const path = `/v1/workspaces/${ada.workspaceId}`
  t.is((await http.call('DELETE', path, { token: ada.token })).status, 204)
  t.true(people.deleted.includes(ada.workspaceId))
  t.is((await http.call('GET', '/v1/workspace/me', { token: ada.key ?? '' })).status, 401)
  t.is(await people.accounts.readRole(ada.userId, ada.workspaceId), null)
  t.deepEqual(await list(ada.token), [])
  t.is((await http.call('DELETE', path, { token: ada.token })).status, 404)
})

test('a foreign, a missing and a deleted workspace read the same, byte for byte; a malformed id is a 422', async (t) => {
  const [ada, bob, eve] = [await people.add(), await people.add(), await people.add()]
  await http.call('DELETE', `/v1/workspaces/${bob.workspaceId}`, { token: bob.token })
  for (const [method, suffix] of [
    ['DELETE', ''],
    ['GET', '/settings'],
    ['PATCH', '/settings'],
  ] as const) {
    const call = async (token: string, id: string) =>
      await http.call(method, `/v1/workspaces/${id}${suffix}`, {
        token,
        ...(method === 'PATCH' ? { body: { name: 'mine now' } } : {}),
      })
    const answers = [
      await call(eve.token, ada.workspaceId),
      await call(eve.token, makeUuidV7()),
      await call(bob.token, bob.workspaceId),
    ]
    t.deepEqual(
      [...new Set(answers.map(({ status, text }) => `${status} ${text}`))],
      ['404 {"detail":"Not found"}'],
      method + suffix,
    )
    t.is((await call(eve.token, 'no-uuid')).status, 422)
  }
  t.is((await list(ada.token))[0]?.['name'], 'Default')
})

test('only admins delete, and only in a session that is alive', async (t) => {
  const ada = await people.add()
  const member = await people.add({ joins: ada, role: 'member' })
  const path = `/v1/workspaces/${ada.workspaceId}`
  t.is((await http.call('DELETE', path, { token: member.token })).status, 403)
  await http.call('POST', '/v1/auth/logout', { body: { refresh_token: ada.refreshToken } })
  t.is((await http.call('DELETE', path, { token: ada.token })).status, 401)
  const admin = await people.add({ joins: await people.add(), role: 'admin' })
  t.is((await http.call('DELETE', `/v1/workspaces/${admin.workspaceId}`, { token: admin.token })).status, 204)
})

test('a key minted while its workspace is being deleted does not outlive it', async (t) => {
  const ada = await people.add()
  const mint = async () =>
    await http.call('POST', '/v1/keys', { token: ada.token, body: { workspace_id: ada.workspaceId, name: 'late' } })
  await Promise.all([
    mint(),
    mint(),
    http.call('DELETE', `/v1/workspaces/${ada.workspaceId}`, { token: ada.token }),
    mint(),
    mint(),
  ])
  const live = await database.query('select from api_keys where workspace_id = $1 and revoked_at is null', [
    ada.workspaceId,
  ])
  t.is(live.length, 0)
})

test('settings are read by any member and changed by admins; what is left out and the plan stay', async (t) => {
  const ada = await people.add()
  const viewer = await people.add({ joins: ada, role: 'viewer' })
  const path = `/v1/workspaces/${ada.workspaceId}/settings`
  const before = await http.call('GET', path, { token: viewer.token })
  t.deepEqual(before.body, {
    name: 'Default',
    plan: 'free',
    content_mode: 'redacted',
    default_freshness_s: 86_400,
    auto_shadow: true,
    holdout_rate: 0.05,
    floor: 0.95,
    alpha: 0.05,
    retention_days: null,
    plan_retention_days: 30,
  })
  const changed = await http.call('PATCH', path, {
    token: ada.token,
    body: { content_mode: 'none', default_freshness_s: 60, auto_shadow: false, floor: 0.99, plan: 'team' },
  })
  t.deepEqual(changed.body, {
    name: 'Default',
    plan: 'free',
    content_mode: 'none',
    default_freshness_s: 60,
    auto_shadow: false,
    holdout_rate: 0.05,
    floor: 0.99,
    alpha: 0.05,
    retention_days: null,
    plan_retention_days: 30,
  })
  t.deepEqual((await http.call('PATCH', path, { token: ada.token, body: {} })).body, changed.body)
  t.is((await http.call('PATCH', path, { token: ada.token, body: { name: 'Renamed' } })).body['name'], 'Renamed')
  t.is((await http.call('PATCH', path, { token: viewer.token, body: { name: 'Mine' } })).status, 403)
  t.is((await http.call('PATCH', path, { token: ada.token, body: { floor: 0.99, name: 'Renamed' } })).status, 200)
  const lines = await database.query(
    "select from audit_log where audited_workspace_id = $1 and action = 'workspace.change'",
    [ada.workspaceId],
  )
  t.is(lines.length, 2, 'what changes nothing is not recorded')
})

test('settings are not changed by a session that has ended', async (t) => {
  const ada = await people.add()
  const path = `/v1/workspaces/${ada.workspaceId}/settings`
  const next = await people.add({ joins: ada, role: 'viewer' })
  await http.call('POST', '/v1/auth/logout', { body: { refresh_token: ada.refreshToken } })
  t.is((await http.call('PATCH', path, { token: ada.token, body: { content_mode: 'full' } })).status, 401)
  t.is((await http.call('GET', path, { token: next.token })).body['content_mode'], 'redacted')
})

test('an org_id of null is treated as omitted', async (t) => {
  const ada = await people.add()
  t.like((await create(ada.token, { name: 'Null', org_id: null })).body, { org_id: ada.orgId })
})

for (const body of [
  { content_mode: 'all' },
  { default_freshness_s: 59 },
  { default_freshness_s: 2_592_001 },
  { default_freshness_s: 60.5 },
  { auto_shadow: 'yes' },
  { holdout_rate: 0 },
  { floor: 1 },
  { alpha: 0.5 },
  { retention_days: 0 },
  { retention_days: 31 },
  { name: '' },
  { name: null },
  [],
]) {
  test(`settings refuse ${JSON.stringify(body)}`, async (t) => {
    const ada = await people.add()
    t.is(
      (await http.call('PATCH', `/v1/workspaces/${ada.workspaceId}/settings`, { token: ada.token, body })).status,
      422,
    )
  })
}

test('the bootstrap returns the workspace, the key and the limits for an SDK', async (t) => {
  const ada = await people.add()
  const answer = await http.call('GET', '/v1/workspace/me', { token: ada.key ?? '' })
  const { server_time: serverTime, ...rest } = answer.body as unknown as { server_time: string }
  t.true(Math.abs(Date.parse(serverTime) - Date.now()) < 60_000)
  t.deepEqual(rest as unknown, {
    workspace: { id: ada.workspaceId, name: 'Default', org_id: ada.orgId, org_name: 'My organization' },
    key: { id: ada.keyId, name: 'test', key_prefix: ada.key?.slice(0, 14) },
    plan: 'free',
    quota_exceeded: false,
    ingest: { traces_path: '/v1/otlp/v1/traces', max_body_bytes: 16_777_216, encodings: ['identity', 'gzip'] },
    rules: { version: '0.0', poll_after_s: 30 },
    tool_results: { freshness_s: 86_400, max_ciphertext_bytes: 262_144 },
  })
})

test(
  'the quota is exceeded from its last event on, in this month alone',
  inOneMonth(async (t) => {
    const ada = await people.add()
    const month = "date_trunc('month', now() at time zone 'UTC')::date"
    const read = async () =>
      (await http.call('GET', '/v1/workspace/me', { token: ada.key ?? '' })).body['quota_exceeded']
    await database.query(
      `insert into usage_months (workspace_id, month, accepted) values ($1, (${month} - interval '1 month')::date, 99999999)`,
      [ada.workspaceId],
    )
    t.is(await read(), false)
    await database.query(`insert into usage_months (workspace_id, month, accepted) values ($1, ${month}, 49999)`, [
      ada.workspaceId,
    ])
    t.is(await read(), false)
    await database.query(`update usage_months set accepted = 50000 where workspace_id = $1 and month = ${month}`, [
      ada.workspaceId,
    ])
    t.is(await read(), true)
  }),
)
