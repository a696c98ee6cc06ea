// The export of a workspace over real HTTP: complete, resumable, bounded and logged in the audit trail.
import { randomBytes } from 'node:crypto'
import test from 'ava'
import pg from 'pg'
import { makeDutyCycle } from '../../src/base/duty-cycle.ts'
import { Outage } from '../../src/base/fault.ts'
import { openExport } from '../../src/queries/export/export-events.ts'
import type { Database } from '../../src/store/database.ts'
import { openCursors } from '../../src/web/page.ts'
import { alterEnd } from '../_kit/alter-end.ts'
import { openTestPool } from '../_kit/db.ts'
import { startClock } from '../_kit/elapsed.ts'
import { hexId, storeEvents } from '../_kit/events.ts'
import { startService, type TestService } from '../_kit/serve.ts'
import type { Tenant } from '../_kit/sign-up.ts'
import { encodeRequest, makeTraceSpans } from '../_kit/spans.ts'
import { until } from '../_kit/until.ts'
import { post } from '../ingest/_http.ts'
import { beginExport, beginPatiently, cursorHeader, type ExportCall, readExport, readText } from './_export-client.ts'

let service: TestService
let own: ExportCall
test.after.always(async () => await service.stop())

const hourMs = 3_600_000
const window = {
  from_time: new Date(Date.now() - 96 * hourMs).toISOString(),
  to_time: new Date(Date.now() + hourMs).toISOString(),
}
const callOf = ({ accessToken, workspaceId }: Pick<Tenant, 'accessToken' | 'workspaceId'>): ExportCall => ({
  baseUrl: service.baseUrl,
  token: accessToken,
  workspaceId,
  query: window,
})
const attributes = (index: number) => ({
  'gen_ai.operation.name': 'chat',
  'gen_ai.request.model': 'gpt-4o',
  'gen_ai.usage.input_tokens': index,
  'gen_ai.input.messages': JSON.stringify([{ role: 'user', parts: [{ type: 'text', content: `question ${index}` }] }]),
  note: `${index} `.repeat(50),
})

// Three days, several requests, more than two pages; with pauses of many hours between them.
test.before(async () => {
  service = await startService()
  own = callOf(service)
  for (let batch = 0; batch < 6; batch += 1) {
    const startMs = Date.now() - 90 * hourMs + batch * 15 * hourMs
    const spans = makeTraceSpans(80, (index) => ({
      start: startMs + (index % 7) * 1_000,
      attributes: attributes(batch * 80 + index),
      ...(index % 5 === 0 ? { status: { code: 2, message: 'failed' } } : {}),
    }))
    await post(service, encodeRequest(spans))
  }
  await service.settled()
})

const listIds = async (): Promise<string[]> =>
  (
    await service.query<{ id: string }>(
      `select encode(trace_id, 'hex') || '.' || encode(span_id, 'hex') as id from events where workspace_id = $1
        order by start_time, trace_id, span_id`,
      [service.workspaceId],
    )
  ).map(({ id }) => id)

const idsOf = (lines: readonly { readonly id: string }[]): string[] => lines.map(({ id }) => id)

test.serial('it has every event of the window once, oldest first, as the event’s own route shows it', async (t) => {
  const stored = await listIds()
  t.is(stored.length, 480)
  const { lines, headers, endCursor } = await readExport(own)
  t.deepEqual(idsOf(lines), stored)
  t.is(headers['content-type'], 'application/x-ndjson')
  t.is(headers['content-encoding'], undefined)
  t.truthy(headers[cursorHeader])
  t.truthy(endCursor)
  for (const at of [0, 1, 199, 200, 279, 401, 479]) {
    const { cursor, ...event } = lines[at] ?? { cursor: '' }
    t.truthy(cursor)
    const shown = await service.call('GET', `/v1/workspaces/${service.workspaceId}/events/${lines[at]?.id}`)
    t.deepEqual(event as unknown, shown.json)
  }
  const content = lines.map((line) => JSON.stringify(line['input_messages']))
  t.is(new Set(content).size, 480, 'each has its own content')
})

test.serial('the export is compressed for clients that accept it, and contains only the window', async (t) => {
  const packed = await readExport({ ...own, gzip: true })
  t.is(packed.headers['content-encoding'], 'gzip')
  t.deepEqual(idsOf(packed.lines), await listIds())
  t.truthy(packed.endCursor)
  const [from, to] = [packed.lines[80]?.start_time ?? '', packed.lines[240]?.start_time ?? '']
  const part = await readExport({ ...own, query: { from_time: from, to_time: to } })
  const inside = packed.lines.filter(({ start_time: start }) => start >= from && start < to)
  t.true(inside.length >= 160)
  t.deepEqual(idsOf(part.lines), idsOf(inside))
})

const seedAt = (hoursAgo: number, no: number) => ({
  start: new Date(Date.now() - hoursAgo * hourMs).toISOString(),
  trace: randomBytes(16).toString('hex'),
  span: hexId(no, 16),
})

test.serial('after a lost connection no event is missing or repeated, whatever is stored meanwhile', async (t) => {
  const before = await listIds()
  // Begins before the export and commits later.
  const slow = new pg.Client({ connectionString: service.databaseUrl })
  await slow.connect()
  t.teardown(async () => await slow.end())
  await slow.query('begin')
  const store = async (client: Pick<pg.Client, 'query'>, hoursAgo: number, no: number): Promise<string> => {
    const seed = seedAt(hoursAgo, no)
    await storeEvents(async (text, values) => await client.query(text, values), service.workspaceId, [seed])
    return `${seed.trace}.${seed.span}`
  }
  const late = [await store(slow, 95, 1), await store(slow, 0.5, 2)]

  const lines: { id: string; cursor: string }[] = []
  let endCursor: string | undefined
  let cursor: string | undefined
  for (let calls = 0; endCursor === undefined; calls += 1) {
    t.true(calls < 20)
    const got = await readExport({ ...own, cursor, gzip: calls % 2 === 1 }, calls === 0 ? 1 : 70)
    lines.push(...got.lines)
    endCursor = got.endCursor
    cursor = lines.at(-1)?.cursor
    if (calls === 1) {
      await slow.query('commit')
      const direct = { query: async (text: string, values: unknown[]) => await service.query(text, values) }
      for (const hoursAgo of [94, 40, 1]) late.push(await store(direct as never, hoursAgo, 3))
    }
  }
  t.deepEqual(idsOf(lines), before, 'exactly what was committed when it began')

  const since = await readExport({ ...own, cursor: endCursor })
  t.deepEqual(idsOf(since.lines).sort(), [...late].sort(), 'and the trailer leads to what was committed since')
  t.deepEqual((await readExport({ ...own, cursor: since.endCursor })).lines, [])
  const anew = await readExport(own)
  t.deepEqual(idsOf(anew.lines), await listIds(), 'control: without the snapshot of the cursor they are all there')
  t.is(anew.lines.length, before.length + late.length)

  const noted = await service.query<{ resumed: boolean }>(
    `select (detail ->> 'resumed')::boolean as resumed from audit_log where action = 'workspace.export' and audited_workspace_id = $1 order by at`,
    [service.workspaceId],
  )
  t.true(noted.length > 8)
  t.is(noted.at(-1)?.resumed, false)
  t.is(noted.at(-2)?.resumed, true)
})

test.serial('the cursor in the response header resumes the same export if no line arrived', async (t) => {
  const dropped = await beginPatiently(own)
  t.is(dropped.statusCode, 200)
  const cursor = String(dropped.headers[cursorHeader])
  dropped.destroy()
  const before = await listIds()
  await storeEvents(async (text, values) => await service.query(text, values), service.workspaceId, [seedAt(2, 9)])
  t.deepEqual(idsOf((await readExport({ ...own, cursor })).lines), before)
})

test.serial(
  'an export goes on with its from_time alone, though the window up to now has become too long',
  async (t) => {
    const query = { from_time: '2020-03-01T00:00:00Z' }
    const { endCursor } = await readExport({ ...own, query: { ...query, to_time: '2020-03-02T00:00:00Z' } })
    t.deepEqual((await readExport({ ...own, query, cursor: endCursor })).lines, [])
  },
)

test.serial('events from a dump, whose transactions this database does not have, are exported', async (t) => {
  await service.query("update events set inserted_xid = '99999999999' where workspace_id = $1", [service.workspaceId])
  const { lines, endCursor } = await readExport(own)
  t.deepEqual(idsOf(lines), await listIds())
  t.deepEqual((await readExport({ ...own, cursor: endCursor })).lines, [], 'and not once more')
})

test.serial('a cursor is good for its own workspace and window; refusals are those of every route', async (t) => {
  const stranger = await service.signUp()
  const { lines } = await readExport(own, 1)
  const cursor = lines[0]?.cursor ?? ''
  const status = async (call: ExportCall): Promise<[number | undefined, string]> => {
    const response = await beginPatiently(call)
    return [response.statusCode, await readText(response)]
  }
  const altered = await status({ ...own, cursor: alterEnd(cursor) })
  t.is(altered[0], 422)
  t.regex(altered[1], /"loc":\["header","x-tracewright-cursor"\]/)
  t.is((await status({ ...callOf(stranger), cursor }))[0], 422)
  t.is((await status({ ...own, cursor: '' }))[0], 200, 'a blank one is none')
  t.is(
    (
      await status({
        ...own,
        cursor,
        query: { ...window, to_time: '2026-01-01T00:00:00Z', from_time: '2025-12-31T00:00:00Z' },
      })
    )[0],
    422,
  )
  t.is((await status({ ...own, query: { from_time: 'yesterday' } }))[0], 422)
  const long = await status({ ...own, query: { from_time: '2020-03-01T00:00:00Z' } })
  t.is(long[0], 422)
  t.regex(long[1], /"loc":\["query","from_time"\]/)
  t.is((await status({ ...own, token: stranger.accessToken }))[0], 404)
  t.is((await status({ ...own, token: 'nonsense' }))[0], 401)
  const lost = await service.query<{ n: number }>(
    "select count(*)::int as n from audit_log where action = 'workspace.export' and actor_user_id in (select user_id from memberships where org_id = $1)",
    [stranger.orgId],
  )
  t.deepEqual(lost, [{ n: 0 }], 'what was refused is not noted')
})

test.serial('members below admin do not export', async (t) => {
  const guest = await service.signUp()
  const invite = await service.call('POST', `/v1/orgs/${service.orgId}/invites`, {
    body: { email: guest.email, role: 'member' },
  })
  const { token } = invite.json as { token: string }
  await service.call('POST', '/v1/invites/accept', { token: guest.accessToken, body: { token } })
  const answer = await beginExport({ ...own, token: guest.accessToken })
  t.is(answer.statusCode, 403)
  t.is(await readText(answer), '{"detail":"Your role in this organization does not allow this"}')
})

// More than the system buffers for a client that does not read.
const largeEvents = 240
const largeCharacters = 60_000

test.serial(
  'clients that do not read hold no connection of the database, and a workspace has two exports at a time',
  async (t) => {
    const tenant = await service.addWorkspace()
    const to = { baseUrl: service.baseUrl, key: tenant.key }
    for (let batch = 0; batch < largeEvents / 80; batch += 1) {
      const spans = makeTraceSpans(80, {
        start: Date.now() - hourMs,
        attributes: { note: 'x'.repeat(largeCharacters) },
      })
      await post(to, encodeRequest(spans))
    }
    const call = callOf(tenant)
    // Patiently: an export that an earlier test dropped returns its place a moment later.
    const stalled = [await beginPatiently(call), await beginPatiently(call)]
    t.deepEqual(
      stalled.map(({ statusCode }) => statusCode),
      [200, 200],
    )
    const third = await beginExport(call)
    t.is(third.statusCode, 429)
    t.regex(String(third.headers['retry-after']), /^\d+$/)
    t.deepEqual(JSON.parse(await readText(third)), {
      detail: '2 exports of this workspace are running; try again when one of them has ended',
    })
    const busy = async (): Promise<number> =>
      (
        await service.query<{ n: number }>(
          `select count(*)::int as n from pg_stat_activity where datname = current_database() and application_name = 'tracewright-reads'
          and state <> 'idle'`,
        )
      )[0]?.n ?? -1
    await until(async () => (await busy()) === 0)
    t.is((await beginExport(call)).statusCode, 429, 'they still run')
    t.is((await service.call('GET', `/v1/workspaces/${service.workspaceId}/events?limit=1`)).status, 200)

    stalled[0]?.destroy()
    await until(async () => {
      const next = await beginExport(call)
      next.destroy()
      return next.statusCode === 200
    })
    const text = await readText(stalled[1] as NonNullable<(typeof stalled)[1]>)
    t.is(text.trimEnd().split('\n').length, largeEvents, 'the one that reads on gets it all')
  },
)

test.serial('parts are produced on demand, while the caller may export', async (t) => {
  const db = openTestPool(service.databaseUrl, {
    name: 'export-test',
    maxConnections: 2,
    statementTimeoutMs: 10_000,
    acquireTimeoutMs: 10_000,
  })
  t.teardown(async () => await db.stop())
  let statements = 0
  const counted: Database = {
    ...db,
    rows: async (name, values) => {
      statements += 1
      return await db.rows(name, values)
    },
  }
  const deps = {
    db: counted,
    cursors: openCursors([new Uint8Array(32).fill(3)]),
    nowMs: Date.now,
    dutyCycle: makeDutyCycle(1, new AbortController().signal),
  }
  const microseconds = { from_time: Date.parse(window.from_time) * 1_000, to_time: Date.parse(window.to_time) * 1_000 }
  const opened = await openExport(deps, { workspaceId: service.workspaceId, window: microseconds, cursor: undefined })
  if (!opened.ok) throw new Error(opened.code)
  let isAllowed = true
  const parts = opened.value.parts(() => Promise.resolve(isAllowed))
  t.true(((await parts.next()).value as Buffer).byteLength > 0)
  t.true(statements <= 4, `${statements} statements for the first part`)
  const { total, idle } = db.counts()
  t.is(total, idle, 'no connection is held')
  isAllowed = false
  const elapsedMs = startClock()
  await until(() => elapsedMs() > 1_100)
  await t.throwsAsync(async () => await parts.next(), { instanceOf: Outage, message: /may not export/ })
  t.is(opened.value.endCursor(), null)
})
