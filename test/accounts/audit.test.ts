import { randomBytes } from 'node:crypto'
import test from 'ava'
import pg from 'pg'
import { makeAuditRoutes } from '../../src/accounts/audit/audit-routes.ts'
import { makeUuidV7 } from '../../src/base/ids.ts'
import { openRetention } from '../../src/retention/open-retention.ts'
import { openCursors } from '../../src/web/page.ts'
import { alterEnd } from '../_kit/alter-end.ts'
import { type Person } from '../_kit/people.ts'
import { openPeopleHttp, type PeopleHttp } from '../_kit/people-http.ts'
import { countPages, explainGenerally, listUnread } from '../_kit/plans.ts'

let database: PeopleHttp['database']
let people: PeopleHttp['people']
let http: PeopleHttp['http']
let stop: PeopleHttp['stop']
test.before(async () => {
  ;({ database, people, http, stop } = await openPeopleHttp())
})
test.after.always(async () => await stop())

type Line = {
  id: string
  at: string
  action: string
  actor_user_id: string | null
  workspace_id: string | null
} & Record<string, unknown>
type Page = { items: Line[]; next_cursor: string | null }

const call = async (person: Person, path: string, query: Record<string, string> = {}) =>
  await http.call('GET', `${path}?${new URLSearchParams(query).toString()}`, { token: person.token })
const orgPath = ({ orgId }: Person): string => `/v1/orgs/${orgId}/audit`
const workspacePath = ({ workspaceId }: Person): string => `/v1/workspaces/${workspaceId}/audit`
const read = async (person: Person, path: string, query: Record<string, string> = {}): Promise<Page> =>
  (await call(person, path, query)).body as unknown as Page
const actions = ({ items }: Page): string[] => items.map(({ action }) => action)

test('an org’s log has all that was done in it, with actors and targets, newest first', async (t) => {
  const ada = await people.add()
  const bob = await people.add({ joins: ada, role: 'member' })
  const made = await http.call('POST', '/v1/workspaces', { token: ada.token, body: { name: 'short-lived' } })
  const workspaceId = made.body['id'] as string
  const patch = async (path: string, body: object) => await http.call('PATCH', path, { token: ada.token, body })
  await patch(`/v1/workspaces/${workspaceId}/settings`, { content_mode: 'none' })
  const prices = [{ model: 'm', input_usd_per_m: 1, output_usd_per_m: 1 }]
  await http.call('PUT', `/v1/workspaces/${workspaceId}/prices`, { token: ada.token, body: prices })
  await http.call('DELETE', `/v1/workspaces/${workspaceId}`, { token: ada.token })
  await patch(`/v1/orgs/${ada.orgId}/members/${bob.userId}`, { role: 'viewer' })
  await http.call('DELETE', `/v1/keys/${ada.keyId}`, { token: ada.token })
  await http.call('DELETE', `/v1/orgs/${ada.orgId}/members/${bob.userId}`, { token: ada.token })

  const { items, next_cursor: next } = await read(ada, orgPath(ada))
  t.is(next, null)
  t.deepEqual(actions({ items, next_cursor: next }), [
    'member.remove',
    'key.revoke',
    'member.role',
    'workspace.delete',
    'prices.change',
    'workspace.change',
    'workspace.create',
    'auth.signup',
    'member.join',
    'member.invite',
    'key.mint',
    'auth.signup',
    'workspace.create',
  ])
  const [removed = {} as Line] = items
  t.like(removed, {
    actor_user_id: ada.userId,
    actor_email: ada.email,
    target: bob.userId,
    ip_prefix: '192.0.2.0/24',
    detail: { left: false },
  })
  t.deepEqual(
    items.filter(({ workspace_id: of }) => of === workspaceId).map(({ action }) => action),
    ['workspace.delete', 'prices.change', 'workspace.change', 'workspace.create'],
  )
})

test('a line names its target for as long as it exists, and an invite by its address', async (t) => {
  const ada = await people.add()
  const bob = await people.add({ joins: ada, role: 'member' })
  const named = async (action: string): Promise<unknown> =>
    (await read(ada, orgPath(ada), { action })).items.map(({ target_name: name }) => name)
  await http.call('PATCH', `/v1/orgs/${ada.orgId}/members/${bob.userId}`, {
    token: ada.token,
    body: { role: 'viewer' },
  })
  t.deepEqual(await named('member.role'), [bob.email])
  t.deepEqual(await named('member.invite'), [bob.email])
  t.true(((await named('workspace.create')) as string[]).every((name) => name.length > 0))
  const [minted] = (await read(ada, workspacePath(ada), { action: 'key.mint' })).items
  t.is(minted?.['target_name'], 'test')
  await http.call('DELETE', '/v1/auth/me', { token: bob.token, body: { current_password: bob.password } })
  t.deepEqual(await named('member.role'), [null])
})

test('sign-ins of members are in the log since they joined, failed ones too, and those of others are not', async (t) => {
  const [ada, bob, eve] = [await people.add(), await people.add(), await people.add()]
  const login = async ({ email, password }: Person) =>
    await http.call('POST', '/v1/auth/login', { body: { email, password } })
  await login(bob)
  const invite = await http.call('POST', `/v1/orgs/${ada.orgId}/invites`, {
    token: ada.token,
    body: { email: bob.email, role: 'viewer' },
  })
  await http.call('POST', '/v1/invites/accept', { token: bob.token, body: { token: invite.body['token'] } })
  await login(bob)
  await login({ ...bob, password: 'plum tractor elevenths' })
  await http.call('POST', '/v1/auth/logout', { body: { refresh_token: bob.refreshToken } })
  await login(eve)
  const seen = await read(ada, orgPath(ada))
  t.deepEqual(actions(seen).slice(0, 5), [
    'auth.logout',
    'auth.login_failed',
    'auth.login',
    'member.join',
    'member.invite',
  ])
  t.like(seen.items[1], { actor_user_id: null, actor_email: null, target: bob.userId })
  t.is(actions(seen).filter((action) => action === 'auth.login').length, 1)
  const ofBob = await read(ada, orgPath(ada), { actor: bob.userId })
  t.deepEqual(actions(ofBob), ['auth.logout', 'auth.login_failed', 'auth.login', 'member.join'])
  t.deepEqual(actions(await read(ada, orgPath(ada), { actor: eve.userId })), [])
})

test('the log of a workspace has only its own lines; both logs support filters', async (t) => {
  const ada = await people.add()
  const admin = await people.add({ joins: ada, role: 'admin' })
  t.deepEqual(actions(await read(ada, workspacePath(ada))), ['key.mint', 'key.mint', 'workspace.create'])
  const byAdmin = await read(ada, workspacePath(ada), { actor: admin.userId })
  t.deepEqual(
    byAdmin.items.map(({ action, actor_user_id: actor }) => [action, actor]),
    [['key.mint', admin.userId]],
  )
  t.deepEqual(actions(await read(ada, orgPath(ada), { action: 'workspace.create' })), ['workspace.create'])
  for (const path of [orgPath(ada), workspacePath(ada)]) {
    const unknown = await call(ada, path, { action: 'no.such' })
    t.is(unknown.status, 422)
    t.like((unknown.body['detail'] as object[])[0], { loc: ['query', 'action'], type: 'enum' })
  }
  const all = await read(ada, orgPath(ada))
  const middle = all.items[2]?.at ?? ''
  const [before, after] = [
    await read(ada, orgPath(ada), { to_time: middle }),
    await read(ada, orgPath(ada), { from_time: middle }),
  ]
  t.is(before.items.length + after.items.length, all.items.length)
  t.true(before.items.every(({ at }) => at < middle) && after.items.every(({ at }) => at >= middle))
})

test('pages contain every line once, even if lines are added, and cursors are valid only for their own list', async (t) => {
  const ada = await people.add()
  await http.call('POST', '/v1/auth/login', { body: { email: ada.email, password: ada.password } })
  const whole = (await read(ada, orgPath(ada))).items.map(({ id }) => id)
  const paged: string[] = []
  let query: Record<string, string> = { limit: '1' }
  for (let pages = 0; pages <= whole.length; pages += 1) {
    const page = await read(ada, orgPath(ada), query)
    paged.push(...page.items.map(({ id }) => id))
    if (page.next_cursor === null) break
    query = { limit: '1', cursor: page.next_cursor }
    await http.call('POST', '/v1/workspaces', { token: ada.token, body: { name: 'newer than the first page' } })
  }
  t.deepEqual(paged, whole)

  const cursor = (await read(ada, orgPath(ada), { limit: '1' })).next_cursor ?? ''
  const eve = await people.add()
  for (const [person, path, more] of [
    [ada, orgPath(ada), { action: 'key.mint' }],
    [ada, orgPath(ada), { from_time: '2026-01-01T00:00:00Z' }],
    [ada, workspacePath(ada), {}],
    [eve, orgPath(eve), {}],
  ] as const) {
    t.is((await call(person, path, { cursor, ...more })).status, 422)
  }
  t.is((await call(ada, orgPath(ada), { cursor: alterEnd(cursor) })).status, 422)
  const window = { from_time: '2026-01-02T00:00:00Z', to_time: '2026-01-01T00:00:00Z' }
  t.is((await call(ada, orgPath(ada), window)).status, 422)
})

test('only admins read the log, and an org of others gets the same answer as a missing one', async (t) => {
  const [ada, eve] = [await people.add(), await people.add()]
  const member = await people.add({ joins: ada, role: 'member' })
  const admin = await people.add({ joins: ada, role: 'admin' })
  for (const path of [orgPath(ada), workspacePath(ada)]) {
    t.is((await call(member, path)).status, 403)
    t.is((await call(admin, path)).status, 200)
    const foreign = await call(eve, path)
    t.is(foreign.status, 404)
    t.is(foreign.text, (await call(eve, path.replace(/[0-9a-f-]{36}/, makeUuidV7()))).text)
  }
})

test('the log stores no address, password, token or key; the address of an invite is lost with the invite', async (t) => {
  const ada = await people.add()
  const email = `${randomBytes(6).toString('hex')}@example.test`
  const body = { email, role: 'viewer' }
  const invited = await http.call('POST', `/v1/orgs/${ada.orgId}/invites`, { token: ada.token, body })
  await http.call('POST', '/v1/auth/login', { body: { email, password: ada.password } })
  const stored = JSON.stringify(await database.query('select * from audit_log'))
  const secrets = [ada.email, email, ada.password, ada.token, ada.refreshToken, ada.key ?? '', invited.body['token']]
  t.deepEqual(
    secrets.filter((secret) => stored.includes(String(secret))),
    [],
  )
  t.true(stored.includes(ada.userId), 'and the search finds what is there')
  const nameOfInvite = async (): Promise<unknown> =>
    (await read(ada, orgPath(ada), { action: 'member.invite' })).items[0]?.['target_name']
  t.is(await nameOfInvite(), email)
  const path = `/v1/orgs/${ada.orgId}/invites/${String(invited.body['id'])}`
  t.is((await http.call('DELETE', path, { token: ada.token })).status, 204)
  t.is(await nameOfInvite(), null)
})

test('lines are kept for 400 days, and only retention can remove them', async (t) => {
  const ada = await people.add()
  const insert = async (days: number): Promise<string> => {
    const id = makeUuidV7()
    await database.query(
      `insert into audit_log (id, at, org_id, action) values ($1, now() - $2 * interval '1 day', $3, 'org.change')`,
      [id, days, ada.orgId],
    )
    return id
  }
  const old: string[] = []
  for (const days of [401, 402, 500, 900, 1_000]) old.push(await insert(days))
  const kept = await insert(399)
  await database.query(
    `insert into past_memberships (org_id, user_id, joined_at, left_at)
     select $1, gen_random_uuid(), '-infinity', now() - days * interval '1 day' from unnest($2::int[]) days`,
    [ada.orgId, [399, 401, 402, 403]],
  )
  await t.throwsAsync(async () => await database.query('delete from audit_log where id = $1', [old[0]]), {
    message: /append-only/,
  })
  const retention = openRetention({
    db: database.db,
    batchRows: 2,
    keepDaysOf: () => null,
    onRemoved: () => undefined,
    onError: (error) => t.fail(String(error)),
  })
  await retention.pass()
  await retention.stop()
  const left = await database.query<{ id: string }>('select id from audit_log where id = any($1)', [[...old, kept]])
  t.deepEqual(left, [{ id: kept }])
  const ended = await database.query(
    'select left_at > now() - $2 * interval $$1 day$$ as young from past_memberships where org_id = $1',
    [ada.orgId, 400],
  )
  t.deepEqual(ended, [{ young: true }], 'and so is who was a member')
  await t.throwsAsync(async () => await database.query('delete from audit_log where id = $1', [kept]), {
    message: /append-only/,
  })
})

test('the log is read with connections other than those that sign people in, and roles with those', async (t) => {
  const ada = await people.add()
  const read: string[] = []
  const record = (pool: string) => ({
    ...database.db,
    row: async (name: string, values?: readonly unknown[]) => {
      read.push(`${pool} ${name}`)
      return (await database.db.row(name, values)) as never
    },
    rows: async (name: string, values?: readonly unknown[]) => {
      read.push(`${pool} ${name}`)
      return (await database.db.rows(name, values)) as never
    },
  })
  const cursors = openCursors([new Uint8Array(32)])
  const deps = { db: record('reads'), control: record('control'), cursors, now: () => new Date() }
  const [ofOrg] = makeAuditRoutes(deps)
  if (ofOrg?.kind !== 'json') return t.fail()
  const who = await people.accounts.verifySession(ada.token)
  const answer = await ofOrg.handle({ who, params: { org_id: ada.orgId }, query: { limit: 1 } } as never)
  t.true(answer.ok)
  t.deepEqual(
    read.filter((one) => one.startsWith('reads')),
    ['reads accounts/list-org-audit', 'reads accounts/name-audit-targets'],
  )
  t.false(read.some((one) => /^control .*audit/.test(one)))
})

test.serial('a page far down the log is read along the indexes from its place on', async (t) => {
  const ada = await people.add()
  await database.query(
    `insert into audit_log (id, at, org_id, audited_workspace_id, actor_user_id, action)
     select gen_random_uuid(), now() - n * interval '1 minute', case when n % 2 = 0 then $1::uuid end, $2, $3, 'auth.login'
     from generate_series(1, 20000) n`,
    [ada.orgId, ada.workspaceId, ada.userId],
  )
  await database.query("update memberships set created_at = now() - interval '1 year' where org_id = $1", [ada.orgId])
  await database.query('analyze audit_log')
  const client = new pg.Client({ connectionString: database.url })
  await client.connect()
  t.teardown(async () => await client.end())
  // The other orgs have few lines here, so the planner would not need the index.
  await client.query('set enable_seqscan = off')
  await client.query('set enable_bitmapscan = off')
  const nowUs = Date.now() * 1_000
  for (const [name, of] of [
    ['accounts/list-org-audit', ada.orgId],
    ['accounts/list-workspace-audit', ada.workspaceId],
  ] as const) {
    const pagesAt = async (place: Date | null): Promise<number> => {
      const { rows, pages } = await countPages(client, name, [of, 0, nowUs, place, makeUuidV7(), null, null, 51])
      t.is(rows, 51)
      return pages
    }
    const [first, deep] = [await pagesAt(new Date()), await pagesAt(new Date(Date.now() - 15_000 * 60_000))]
    t.true(deep <= first + 20, `${name}: ${first} pages, then ${deep}`)
    t.deepEqual(listUnread(name, await explainGenerally(client, name)), [])
  }
})
