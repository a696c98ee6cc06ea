// Findings over HTTP as users of different roles see them: the fields of one, and the counts.
import { randomUUID } from 'node:crypto'
import test from 'ava'
import pg from 'pg'
import { makeFindingRoutes } from '../../src/findings/routes.ts'
import { setStatus } from '../../src/findings/set-status.ts'
import { openCursors } from '../../src/web/page.ts'
import { makeDatabase, type TestDatabase } from '../_kit/db.ts'
import { type Answer, type Http, openHttp } from '../_kit/http.ts'
import { countBehind } from '../_kit/lock-waits.ts'
import { openPeople, type People, type Person } from '../_kit/people.ts'
import { until } from '../_kit/until.ts'

let database: TestDatabase
let people: People
let http: Http
test.before(async () => {
  database = await makeDatabase()
  const { db } = database
  people = await openPeople(db)
  const routes = makeFindingRoutes({ db, control: db, cursors: openCursors([Buffer.alloc(32)]) })
  http = await openHttp([...people.routes, ...routes], people.authenticator)
})
test.after.always(async () => {
  await http.stop()
  await people.stop()
  await database.stop()
})

const patch = async (who: Person, id: string, status: unknown, workspaceId = who.workspaceId): Promise<Answer> =>
  await http.call('PATCH', `/v1/workspaces/${workspaceId}/findings/${id}`, { token: who.token, body: { status } })

const summarize = async (who: Person, workspaceId = who.workspaceId): Promise<Answer> =>
  await http.call('GET', `/v1/workspaces/${workspaceId}/findings/summary`, { token: who.token })

async function insert(workspaceId: string, more: Record<string, string> = {}): Promise<string> {
  const { type = 'slow_tool', subject = randomUUID(), severity = 'info', status = 'open' } = more
  const [row] = await database.query<{ id: string }>(
    `insert into findings (id, workspace_id, type, subject, severity, status, title, detail, occurrences, evidence, first_seen, last_seen)
     values (gen_random_uuid(), $1, $2, $3, $4, $5, 'title', 'detail', 2, '{"trace_ids": []}', now(), now()) returning id`,
    [workspaceId, type, subject, severity, status],
  )
  return row?.id ?? ''
}

const resolvedAt = async (id: string): Promise<Date | null | undefined> =>
  (await database.query<{ at: Date | null }>('select resolved_at as at from findings where id = $1', [id]))[0]?.at

test('a member acknowledges, resolves and opens a finding; nothing else of it changes', async (t) => {
  const ada = await people.add()
  const member = await people.add({ joins: ada, role: 'member' })
  const id = await insert(ada.workspaceId)
  const acknowledged = await patch(member, id, 'acknowledged', ada.workspaceId)
  t.is(acknowledged.status, 200)
  t.like(acknowledged.body, { id, status: 'acknowledged', title: 'title', occurrences: 2 })
  t.is((await patch(member, id, 'resolved', ada.workspaceId)).body['status'], 'resolved')
  const at = await resolvedAt(id)
  t.true(at instanceof Date)
  // Resolving again does not change the time.
  t.is((await patch(member, id, 'resolved', ada.workspaceId)).status, 200)
  t.deepEqual(await resolvedAt(id), at)
  t.is((await patch(member, id, 'open', ada.workspaceId)).body['status'], 'open')
  t.is(await resolvedAt(id), null)
})

test('a viewer and an ended session cannot change the status', async (t) => {
  const ada = await people.add()
  const viewer = await people.add({ joins: ada, role: 'viewer' })
  const id = await insert(ada.workspaceId)
  t.is((await patch(viewer, id, 'resolved', ada.workspaceId)).status, 403)
  t.is((await summarize(viewer, ada.workspaceId)).status, 200)
  await http.call('POST', '/v1/auth/logout', { body: { refresh_token: ada.refreshToken } })
  t.is((await patch(ada, id, 'resolved')).status, 401)
  t.is(await resolvedAt(id), null)
})

test('a role that is taken away while the change waits for another writer does not change the status', async (t) => {
  const ada = await people.add()
  const member = await people.add({ joins: ada, role: 'member' })
  const id = await insert(ada.workspaceId)
  const who = await people.accounts.verifySession(member.token)
  if (who === null) return t.fail()
  const writer = new pg.Client({ connectionString: database.url })
  await writer.connect()
  try {
    await writer.query('begin')
    await writer.query(`select pg_advisory_xact_lock(hashtextextended('findings/' || $1, 0))`, [ada.workspaceId])
    await writer.query('update findings set occurrences = 3 where id = $1', [id])
    const change = { who, workspaceId: ada.workspaceId, findingId: id, status: 'resolved' } as const
    const outcome = setStatus({ db: database.db }, change)
    await until(async () => (await countBehind(writer)) === 1)
    await database.query(`update memberships set role = 'viewer' where user_id = $1`, [member.userId])
    await writer.query('commit')
    t.deepEqual(await outcome, { ok: false, code: 'forbidden' })
  } finally {
    await writer.end()
  }
  t.is(await resolvedAt(id), null)
})

test('the status of the summary cannot be set: 405', async (t) => {
  const answer = await patch(await people.add(), 'summary', 'resolved')
  t.is(answer.status, 405)
  t.deepEqual(new Set(answer.headers.get('allow')?.split(', ')), new Set(['HEAD', 'GET']))
  t.deepEqual(answer.body, { detail: 'Method not allowed' })
})

test('a finding of another workspace reads as one that does not exist', async (t) => {
  const [ada, eve] = [await people.add(), await people.add()]
  const id = await insert(ada.workspaceId)
  const answers = [
    await patch(eve, id, 'resolved'),
    await patch(eve, randomUUID(), 'resolved'),
    await patch(eve, id, 'resolved', ada.workspaceId),
    await summarize(eve, ada.workspaceId),
  ]
  t.deepEqual(
    answers.map(({ status, text }) => `${status} ${text}`),
    answers.map(() => `404 ${answers[0]?.text}`),
  )
  t.is(await resolvedAt(id), null)
})

test('an unknown status is 422, and a resolved finding is not reopened beside a newer one', async (t) => {
  const ada = await people.add()
  const subject = 'one'
  const id = await insert(ada.workspaceId, { subject })
  for (const status of ['closed', '', 1, null, undefined]) t.is((await patch(ada, id, status)).status, 422)
  await patch(ada, id, 'resolved')
  const newer = await insert(ada.workspaceId, { subject })
  for (const status of ['open', 'acknowledged']) {
    const answer = await patch(ada, id, status)
    t.is(answer.status, 409)
    t.regex(answer.text, /a newer finding/)
  }
  await patch(ada, newer, 'resolved')
  t.is((await patch(ada, id, 'open')).status, 200)
})

test('the summary counts by type, severity and status, zeros included', async (t) => {
  const ada = await people.add()
  await insert(await people.add().then(({ workspaceId }) => workspaceId))
  const { workspaceId } = ada
  await insert(workspaceId, { severity: 'critical' })
  await insert(workspaceId, { severity: 'critical', status: 'acknowledged' })
  await insert(workspaceId, { type: 'retry_loop', severity: 'warning', status: 'resolved' })
  await insert(workspaceId, { type: 'a type of tomorrow' })
  const none = { open: 0, acknowledged: 0, resolved: 0 }
  const { body } = await summarize(ada)
  t.like(body, {
    total: 4,
    by_status: { open: 2, acknowledged: 1, resolved: 1 },
    by_severity: {
      info: { ...none, open: 1 },
      warning: { ...none, resolved: 1 },
      critical: { ...none, open: 1, acknowledged: 1 },
    },
  })
  const byType = body['by_type'] as Record<string, object>
  t.deepEqual(byType['slow_tool'], { ...none, open: 1, acknowledged: 1 })
  t.deepEqual(byType['retry_loop'], { ...none, resolved: 1 })
  t.deepEqual(byType['a type of tomorrow'], { ...none, open: 1 })
  t.deepEqual(byType['gcm_iv_reuse'], none)
  t.is(Object.keys(byType).length, 14)
})
