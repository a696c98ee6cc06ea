import test from 'ava'
import { storeGroup } from '../../src/ingest/commit/store-group.ts'
import { openSettling } from '../../src/ingest/settle/open-settling.ts'
import { makePostponedTraces } from '../../src/ingest/settle/postponed.ts'
import type { Database } from '../../src/store/database.ts'
import { openDatabase } from '../../src/store/open-database.ts'
import { loadStatements } from '../../src/store/statements.ts'
import { insertWorkspaceRow, makeBatch, makeEvent, makeLlmEvent } from '../_kit/batch.ts'
import { makeDatabase, openTestPool } from '../_kit/db.ts'
import { settleUnhurried } from '../_kit/settle.ts'
import { until } from '../_kit/until.ts'
import { intercept } from './_intercept.ts'

test('a trace of 10,000 spans is settled, twice, far within the time limit of a statement', async (t) => {
  const base = await makeDatabase()
  const statementTimeoutMs = 10_000
  const common = { url: base.url, statements: loadStatements(), name: 'test', maxConnections: 2 }
  const db = openDatabase({ ...common, statementTimeoutMs, acquireTimeoutMs: 30_000, onIdleError: () => undefined })
  const workspace = await insertWorkspaceRow(base.query)
  const root = makeEvent({ kind: 'agent', agentOwn: 'planner' })
  const calls = Array.from({ length: 10_000 }, () =>
    makeLlmEvent(1, 1, { traceId: root.traceId, parentSpanId: root.spanId }),
  )
  const batch = makeBatch(workspace, calls)
  await storeGroup(db, [batch])
  await storeGroup(db, [makeBatch(workspace, [root])])
  t.is((await settleUnhurried(db, 0)).traces, 1)
  t.deepEqual(await base.query('select name, events::int from agents where workspace_id = $1', [workspace]), [
    { name: 'planner', events: 10_001 },
  ])
  const [again] = await storeGroup(db, [batch])
  t.like(again, { stored: 0, duplicate: 10_000 })
  const [capped] = await storeGroup(db, [{ ...batch, eventQuota: 10_001 }])
  t.like(capped, { stored: 0, duplicate: 10_000, droppedQuota: 0 })
  await db.stop()
  await base.stop()
})

test('a trace above 100,000 spans is marked as settled without reading its spans, until it stores fewer', async (t) => {
  const base = await makeDatabase()
  const statement = `select 100001 as spans where $1::uuid[] is not null and $2::bytea[] is not null and $3::int > 0`
  const crowded = openTestPool(base.url, {
    statements: new Map([...loadStatements(), ['ingest/count-spans', statement]]),
  })
  const workspace = await insertWorkspaceRow(base.query)
  const first = makeLlmEvent(10, 1)
  await storeGroup(base.db, [makeBatch(workspace, [first])])
  await storeGroup(base.db, [makeBatch(workspace, [makeLlmEvent(10, 1, { traceId: first.traceId })])])
  await base.query('update traces set span_count = 5000000 where workspace_id = $1', [workspace])
  const statements: string[] = []
  const record = (db: Database): Database =>
    intercept(db, (name) => {
      statements.push(name)
      return undefined
    })
  t.is((await settleUnhurried(record(crowded), 0)).traces, 1)
  t.true(statements.includes('ingest/mark-settled'))
  t.false(statements.includes('ingest/settle-traces'))
  const readTrace = async (): Promise<unknown> =>
    (await base.query('select settled, span_count::int from traces where workspace_id = $1', [workspace]))[0]
  t.deepEqual(await readTrace(), { settled: true, span_count: 5_000_000 })
  await base.query('update traces set settled = false where workspace_id = $1', [workspace])
  t.is((await settleUnhurried(base.db, 0)).traces, 1)
  t.deepEqual(await readTrace(), { settled: true, span_count: 2 })
  await crowded.stop()
  await base.stop()
})

test('a trace whose spans were removed is removed too, instead of being due forever', async (t) => {
  const base = await makeDatabase()
  const workspace = await insertWorkspaceRow(base.query)
  await storeGroup(base.db, [makeBatch(workspace, [makeEvent(), makeEvent()])])
  await base.query('delete from events where workspace_id = $1', [workspace])
  t.is((await settleUnhurried(base.db, 0)).traces, 2)
  t.is((await settleUnhurried(base.db, 0)).traces, 0)
  t.deepEqual(await base.query('select from traces where workspace_id = $1', [workspace]), [])
  await base.stop()
})

test('a trace that cannot be settled does not block others; agents without spans are removed', async (t) => {
  const base = await makeDatabase()
  const workspace = await insertWorkspaceRow(base.query)
  const bad = makeEvent()
  await storeGroup(base.db, [makeBatch(workspace, [bad])])
  await storeGroup(base.db, [
    makeBatch(
      workspace,
      Array.from({ length: 30 }, () => makeEvent()),
    ),
  ])
  await base.query(`create function refuse() returns trigger language plpgsql as $$
    begin if new.settled and new.trace_id = '\\x${bad.traceId}' then raise exception 'no'; end if; return new; end $$`)
  await base.query('create trigger refuse before update on traces for each row execute function refuse()')
  await base.query(
    `insert into agents (workspace_id, id, name, first_seen, last_seen) values ($1, gen_random_uuid(), 'left', now(), now())`,
    [workspace],
  )
  const errors: unknown[] = []
  const settling = openSettling({
    db: base.db,
    quietMs: 0,
    onSettled: () => undefined,
    onError: (error) => errors.push(error),
  })
  try {
    await until(async () => (await base.query('select from traces where not settled')).length === 1)
    await until(async () => (await base.query(`select from agents where name = 'left'`)).length === 0)
  } finally {
    await settling.stop()
  }
  t.deepEqual(await base.query(`select encode(trace_id, 'hex') as trace from traces where not settled`), [
    { trace: bad.traceId },
  ])
  t.true(errors.length > 0)
  await base.stop()
})

test('the wait after a failure doubles each time, up to a limit', (t) => {
  const postponed = makePostponedTraces()
  const trace = { workspace_id: 'w', trace_id: Buffer.alloc(16, 1) }
  postponed.add(trace, 0)
  t.deepEqual([postponed.list(4_999), postponed.list(5_000)], [[trace], []])
  postponed.add(trace, 5_000)
  t.deepEqual([postponed.list(14_999), postponed.list(15_000)], [[trace], []])
  for (let times = 0; times < 20; times += 1) postponed.add(trace, 0)
  t.deepEqual([postponed.list(599_999), postponed.list(600_000)], [[trace], []])
  for (let nth = 0; nth < 1_000; nth += 1) postponed.add({ workspace_id: `w${nth}`, trace_id: Buffer.alloc(16) }, 0)
  t.is(postponed.list(0).length, 200)
  postponed.remove({ workspace_id: 'w999', trace_id: Buffer.alloc(16) })
  t.is(postponed.list(0).length, 199)
})

test('the lists of a trace and an agent are bounded, the same in any order of arrival', async (t) => {
  const base = await makeDatabase()
  const models = Array.from({ length: 240 }, (_, nth) => `model-${String(nth).padStart(3, '0')}`)
  for (const order of [models, models.toReversed()]) {
    const workspace = await insertWorkspaceRow(base.query)
    const { traceId } = makeEvent()
    for (let from = 0; from < order.length; from += 80) {
      const some = order.slice(from, from + 80).map((model) => makeLlmEvent(1, 1, { traceId, model }))
      await storeGroup(base.db, [makeBatch(workspace, some)])
    }
    const read = async (table: string): Promise<string[] | undefined> =>
      (await base.query<{ models: string[] }>(`select models from ${table} where workspace_id = $1`, [workspace]))[0]
        ?.models
    t.deepEqual(await read('traces'), models.slice(0, 100))
    t.deepEqual(await read('agents'), models.slice(0, 100))
    await settleUnhurried(base.db, 0)
    t.deepEqual(await read('traces'), models.slice(0, 100))
  }
  const workspace = await insertWorkspaceRow(base.query)
  const first = makeEvent()
  await storeGroup(base.db, [makeBatch(workspace, [first])])
  await base.query(
    `update traces set moved_from = array_fill(start_time, array[500]), moved_xids = array_fill('1'::xid8, array[500])
     where workspace_id = $1`,
    [workspace],
  )
  const earlier = { traceId: first.traceId, startTimeUnixNano: first.startTimeUnixNano - 1_000_000n }
  await storeGroup(base.db, [makeBatch(workspace, [makeEvent(earlier)])])
  t.deepEqual(
    await base.query(
      `select cardinality(moved_from) as moves, cardinality(moved_xids) as xids, moved_xids[200] > '1'::xid8 as last
       from traces where workspace_id = $1`,
      [workspace],
    ),
    [{ moves: 200, xids: 200, last: true }],
  )
  await base.stop()
})
