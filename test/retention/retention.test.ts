import { mock } from 'node:test'
import test from 'ava'
import pg from 'pg'
import { Outage } from '../../src/base/fault.ts'
import { openRetention, type RetentionOptions } from '../../src/retention/open-retention.ts'
import { readSqlstate, sqlstate } from '../../src/store/sqlstate.ts'
import { limitDays } from '../../src/workspaces/keep-days.ts'
import { insertWorkspaceRow } from '../_kit/batch.ts'
import { makeDatabase, type TestDatabase } from '../_kit/db.ts'
import { intercept } from '../ingest/_intercept.ts'
import { makeOld, readKept, storeOld } from './_old.ts'

const dayMs = 86_400_000

let base: TestDatabase
test.before(async () => {
  base = await makeDatabase()
  // Keeps everything: then no chunk of a hypertable may be dropped, so that rows are removed there too.
  await insertWorkspaceRow(base.query, 'self_hosted')
})
// The workspaces of the tests before keep everything too, so that a pass removes nothing of them.
test.beforeEach(
  async () => void (await base.query("update workspaces set plan = 'self_hosted', retention_days = null")),
)
test.after.always(async () => await base.stop())

const keepDays = new Map<string, number | null>([
  ['self_hosted', null],
  ['free', 30],
  ['team', 90],
])

/** Runs one pass. Returns what it reported. */
async function runPass(options: Partial<RetentionOptions> = {}) {
  const told: unknown[] = []
  const retention = openRetention({
    db: base.actor,
    keepDaysOf: (plan, chosenDays) => limitDays(keepDays.get(plan) ?? null, chosenDays),
    onRemoved: (removed) => told.push(removed),
    onError: (error) => told.push(error),
    ...options,
  })
  await retention.pass()
  await retention.stop()
  return told
}

test.serial('each workspace keeps data as long as its plan, with payloads and traces', async (t) => {
  const [free, team, own] = [
    await insertWorkspaceRow(base.query, 'free'),
    await insertWorkspaceRow(base.query, 'team'),
    await insertWorkspaceRow(base.query, 'self_hosted'),
  ]
  for (const id of [free, team, own]) {
    for (const days of [1, 29, 31, 89, 91, 400]) t.is(await storeOld(base, id, makeOld(days, 2)), 2)
  }
  const [removed] = await runPass()
  t.like(removed, { chunks: 0, events: 12, traces: 12 })
  t.like(await readKept(base, free), { events: 4, payloads: 4, traces: 4 })
  t.like(await readKept(base, team), { events: 8, payloads: 8, traces: 8 })
  t.like(await readKept(base, own), { events: 12, payloads: 12, traces: 12 })
  t.deepEqual(await runPass(), [], 'nothing is left to do')
})

test.serial('data of a workspace that chose fewer days than its plan is removed sooner', async (t) => {
  const [free, own] = [
    await insertWorkspaceRow(base.query, 'free'),
    await insertWorkspaceRow(base.query, 'self_hosted'),
  ]
  await base.query('update workspaces set retention_days = 14 where id = any ($1::uuid[])', [[free, own]])
  for (const id of [free, own]) {
    for (const days of [13, 15, 400]) t.is(await storeOld(base, id, makeOld(days)), 1)
  }
  await runPass()
  t.like(await readKept(base, free), { events: 1, payloads: 1, traces: 1 })
  t.like(await readKept(base, own), { events: 1, payloads: 1, traces: 1 })
})

test.serial('if a workspace chooses more days during a pass, data is kept from the next batch on', async (t) => {
  const workspace = await insertWorkspaceRow(base.query, 'team')
  await storeOld(base, workspace, makeOld(30, 25))
  await base.query('update workspaces set retention_days = 7 where id = $1', [workspace])
  let batches = 0
  const db = intercept(base.actor, async (statement) => {
    if (statement === 'retention/delete-events') batches += 1
    // After the first batch of events.
    if (statement === 'retention/begin-batch' && batches === 1)
      await base.query('update workspaces set retention_days = null where id = $1', [workspace])
    return undefined
  })
  const [removed] = await runPass({ db, batchRows: 10 })
  t.like(removed, { events: 10, traces: 0 })
  t.like(await readKept(base, workspace), { events: 15, payloads: 15, traces: 25 })
})

test.serial('a batch that stays locked out does not hide what the batches before it have removed', async (t) => {
  const workspace = await insertWorkspaceRow(base.query, 'free')
  await storeOld(base, workspace, makeOld(40, 25))
  let batches = 0
  const db = intercept(base.actor, (statement) => {
    if (statement !== 'retention/delete-events') return undefined
    batches += 1
    if (batches > 1 && batches <= 6) throw Object.assign(new Error('locked'), { code: sqlstate.lockNotAvailable })
    return undefined
  })
  // The second pass removes the rest.
  const [failure, removed, rest] = await runPass({ db, batchRows: 10, retryMs: 1 })
  t.is(readSqlstate(failure instanceof Outage ? failure.cause : failure), sqlstate.lockNotAvailable)
  t.like(removed, { events: 10, traces: 25 })
  t.like(rest, { events: 15, traces: 0 })
})

test.serial('batches are bounded, and events of the same microsecond are neither lost nor doubled', async (t) => {
  const workspace = await insertWorkspaceRow(base.query, 'free')
  await storeOld(base, workspace, [...makeOld(40, 35), ...makeOld(35, 8), ...makeOld(2, 5)])
  await base.query('create table removals (table_name text, xid xid8)')
  await base.query(
    `create function note_removal() returns trigger language plpgsql security definer as
     $$ begin insert into removals values (tg_argv[0], pg_current_xact_id()); return null; end $$`,
  )
  const tables = ['events', 'traces']
  for (const table of tables) {
    await base.query(
      `create trigger note_removal after delete on ${table} for each row execute function note_removal('${table}')`,
    )
  }
  const [removed] = await runPass({ batchRows: 10 })
  t.like(removed, { events: 43, traces: 43 })
  t.like(await readKept(base, workspace), { events: 5, payloads: 5, traces: 5, days: [2] })
  const sizes = await base.query(
    `select table_name, max(removed)::int as most, count(*)::int as batches
     from (select table_name, count(*) as removed from removals group by table_name, xid) r group by 1 order by 1`,
  )
  t.deepEqual(
    sizes,
    tables.map((table_name) => ({ table_name, most: 10, batches: 5 })),
  )
  await base.query('drop function note_removal cascade')
})

test.serial('a trace that still has a recent span remains, with that span', async (t) => {
  const workspace = await insertWorkspaceRow(base.query, 'free')
  const [old] = makeOld(40)
  const [young] = makeOld(20)
  if (old === undefined || young === undefined) throw new Error('no events')
  await storeOld(base, workspace, [old, { ...young, traceId: old.traceId }])
  await runPass()
  t.like(await readKept(base, workspace), { events: 1, payloads: 1, traces: 1, days: [20] })
})

test.serial(
  'resolved findings go with the events that they were about; others stay until they are resolved',
  async (t) => {
    const workspace = await insertWorkspaceRow(base.query, 'free')
    await base.query(
      `insert into findings (id, workspace_id, type, severity, status, title, detail, subject, occurrences, evidence, first_seen, last_seen)
     select gen_random_uuid(), $1, 'cost_spike', 'info', status, status || ' ' || days, '', status || days, 1, '{}',
       now() - interval '400 days', now() - days * interval '1 day'
     from unnest(array['open', 'acknowledged', 'resolved']) status, unnest(array[1, 29, 31, 300]) days`,
      [workspace],
    )
    await runPass({ batchRows: 1 })
    const left = await base.query<{ title: string }>(
      "select title from findings where title not like '%open%' order by 1",
    )
    t.deepEqual(
      left.map(({ title }) => title),
      ['acknowledged 1', 'acknowledged 29', 'acknowledged 300', 'acknowledged 31', 'resolved 1', 'resolved 29'],
    )
    t.is((await base.query("select from findings where status = 'open'")).length, 4)
  },
)

test.serial('invalidations are removed with the executions that they refer to', async (t) => {
  const workspace = await insertWorkspaceRow(base.query, 'free')
  const own = await insertWorkspaceRow(base.query, 'self_hosted')
  for (const id of [workspace, own]) {
    await base.query(
      `insert into invalidations (workspace_id, id, at, tool_name)
       select $1, gen_random_uuid(), now() - days * interval '1 day', 'tool ' || days from unnest(array[1, 29, 31, 300]) days`,
      [id],
    )
  }
  await runPass({ batchRows: 1 })
  const left = await base.query<{ tool_name: string }>(
    'select tool_name from invalidations where workspace_id = $1 order by at',
    [workspace],
  )
  t.deepEqual(
    left.map((row) => row.tool_name),
    ['tool 29', 'tool 1'],
  )
  t.is((await base.query('select from invalidations where workspace_id = $1', [own])).length, 4)
})

test.serial('usage is kept for thirteen months on every plan', async (t) => {
  const workspace = await insertWorkspaceRow(base.query, 'self_hosted')
  const days = ['2025-06-30', '2025-07-01', '2026-08-15']
  for (const day of days) {
    await base.query('insert into usage_days (workspace_id, day) values ($1, $2)', [workspace, day])
    await base.query("insert into usage_months (workspace_id, month) values ($1, date_trunc('month', $2::date))", [
      workspace,
      day,
    ])
    await base.query("insert into usage_rejections values ($1, date_trunc('month', $2::date), 'x', 1, now(), 'x')", [
      workspace,
      day,
    ])
  }
  await runPass({ now: () => new Date('2026-08-15T12:00:00Z') })
  const [left] = await base.query(
    `select (select array_agg(day order by day)::text from usage_days where workspace_id = $1) as days,
       (select array_agg(month order by month)::text from usage_months where workspace_id = $1) as months,
       (select array_agg(month order by month)::text from usage_rejections where workspace_id = $1) as rejections`,
    [workspace],
  )
  const months = '{2025-07-01,2026-08-01}'
  t.deepEqual(left, { days: '{2025-07-01,2026-08-15}', months, rejections: months })
})

test.serial('records of dropped spans are removed with their month, in batches, on every plan', async (t) => {
  const workspace = await insertWorkspaceRow(base.query, 'self_hosted')
  await base.query(
    `insert into dropped_spans select $1, month, decode(md5(n::text), 'hex')
     from generate_series(1, 7) n, unnest(array['2026-06-01', '2026-07-01', '2026-08-01']::date[]) month`,
    [workspace],
  )
  await runPass({ now: () => new Date('2026-08-01T00:00:00Z'), batchRows: 3 })
  const left = await base.query(
    'select month::text, count(*)::int from dropped_spans where workspace_id = $1 group by 1',
    [workspace],
  )
  t.deepEqual(left, [{ month: '2026-08-01', count: 7 }])
})

test.serial(
  'rows that another transaction has locked are left for the next pass and reported, and other tables do not wait for them',
  async (t) => {
    const workspace = await insertWorkspaceRow(base.query, 'free')
    await storeOld(base, workspace, makeOld(40, 3))
    const holder = new pg.Client({ connectionString: base.url })
    await holder.connect()
    const quick = { lockTimeoutMs: 20, retryMs: 1 }
    try {
      await holder.query('begin')
      await holder.query('select from events where workspace_id = $1 for update', [workspace])
      t.true((await runPass(quick)).some((one) => one instanceof Outage))
      t.like(await readKept(base, workspace), { events: 3, payloads: 0, traces: 0 })
    } finally {
      await holder.end()
    }
    t.like((await runPass(quick))[0], { events: 3, traces: 0 })
  },
)

test.serial('a workspace whose data cannot be removed is reported, and the others do not wait for it', async (t) => {
  const [first = '', last = ''] = [
    await insertWorkspaceRow(base.query, 'free'),
    await insertWorkspaceRow(base.query, 'free'),
  ].sort()
  for (const id of [first, last]) await storeOld(base, id, makeOld(40, 3))
  await base.query(
    "insert into audit_log (id, action, at) values (gen_random_uuid(), 'x', now() - interval '500 days')",
  )
  const holder = new pg.Client({ connectionString: base.url })
  await holder.connect()
  try {
    await holder.query('begin')
    await holder.query('select from events where workspace_id = $1 for update', [first])
    const told = await runPass({ lockTimeoutMs: 20, retryMs: 1, onPassed: () => t.fail('it did not go through') })
    // Two passes: the second finds nothing else to remove.
    t.deepEqual(
      told.map((one) => (one instanceof Outage ? 'failed' : one)),
      ['failed', { chunks: 0, events: 3, traces: 6 }, 'failed'],
    )
  } finally {
    await holder.end()
  }
  t.like(await readKept(base, first), { events: 3, traces: 0 })
  t.like(await readKept(base, last), { events: 0, traces: 0 })
  t.is((await base.query("select from audit_log where action = 'x'")).length, 0)
})

test.serial('a database that is away ends the pass, which asks no further workspace', async (t) => {
  for (const _ of [1, 2, 3]) await insertWorkspaceRow(base.query, 'free')
  let asked = 0
  const db = intercept(base.actor, (statement) => {
    if (statement === 'retention/begin-batch') asked += 1
    if (asked > 0) throw new Outage('failure', 'the database is not available')
    return undefined
  })
  // Once in each of the two passes.
  t.is((await runPass({ db })).length, 2)
  t.is(asked, 2)
})

test.serial('a process whose clock is ahead removes nothing that is kept by the clock of the database', async (t) => {
  const workspace = await insertWorkspaceRow(base.query, 'free')
  await storeOld(base, workspace, makeOld(20, 3))
  const month = "date_trunc('month', now() at time zone 'UTC')::date"
  await base.query(`insert into dropped_spans values ($1, ${month}, decode(md5('x'), 'hex'))`, [workspace])
  mock.timers.enable({ apis: ['Date'], now: Date.now() + 1_000 * dayMs })
  try {
    t.deepEqual(await runPass(), [])
  } finally {
    mock.timers.reset()
  }
  t.like(await readKept(base, workspace), { events: 3, payloads: 3, traces: 3 })
  t.is((await base.query('select from usage_days where workspace_id = $1', [workspace])).length, 1, 'of today')
  t.is((await base.query('select from dropped_spans where workspace_id = $1', [workspace])).length, 1)
})

test.serial('several processes at once remove everything once', async (t) => {
  const workspace = await insertWorkspaceRow(base.query, 'free')
  await storeOld(base, workspace, makeOld(40, 60))
  const told = (await Promise.all([0, 1, 2].map(async () => await runPass({ batchRows: 10, retryMs: 1 })))).flat()
  const removed = told as { events: number; traces: number }[]
  t.is(
    removed.reduce((sum, { events }) => sum + events, 0),
    60,
  )
  t.like(await readKept(base, workspace), { events: 0, payloads: 0, traces: 0 })
})

test.serial('ingest continues during a removal', async (t) => {
  const workspace = await insertWorkspaceRow(base.query, 'free')
  for (let from = 0; from < 4; from += 1) await storeOld(base, workspace, makeOld(40 + from, 250))
  const removed = new AbortController()
  const pass = runPass({ batchRows: 100 }).finally(() => removed.abort())
  let stored = 0
  do stored += await storeOld(base, workspace, makeOld(6, 5))
  while (!removed.signal.aborted)
  t.like((await pass)[0], { events: 1_000 })
  t.like(await readKept(base, workspace), { events: stored, payloads: stored, traces: stored, days: [6] })
})

test.serial(
  'rollups and counts of scopes go by whole days, and what could not be read of them after a month',
  async (t) => {
    const [free, own] = [
      await insertWorkspaceRow(base.query, 'free'),
      await insertWorkspaceRow(base.query, 'self_hosted'),
    ]
    const starts = ['2026-05-01T00:00:00Z', '2026-05-02T11:59:00Z', '2026-05-02T23:59:00Z', '2026-05-03T00:00:00Z']
    for (const id of [free, own]) {
      for (const start of starts) {
        for (const tier of [0, 1, 2])
          for (const row of [
            `insert into rollups values ($1, $2, $3, '', '')`,
            `insert into scope_counts values ($1, $2, $3, 'scope', '', '', 'llm', 1, 0, 0, 0, 0, 0, 0, $3)`,
          ])
            await base.query(row, [id, tier, start])
      }
      for (const found of ['2026-05-01', '2026-05-20']) {
        await base.query(
          `insert into rollup_damage (workspace_id, source, from_time, to_time, found_at, body) values ($1, 'delta', now(), now(), $2, '')`,
          [id, found],
        )
      }
    }
    const readStarts = async (id: string) =>
      await base.query(
        `select tier, 'rollups' as of, count(*)::int as days, min(start_time) as first from rollups where workspace_id = $1 group by 1
       union all
       select tier, 'scopes', count(*)::int, min(start_time) from scope_counts where workspace_id = $1 group by 1`,
        [id],
      )
    await runPass({ now: () => new Date('2026-06-02T12:00:00Z'), batchRows: 2 })
    // The plan's limit lies in the middle of the 3rd of May: rows of that day are kept until it has expired completely.
    for (const row of await readStarts(free)) t.like(row, { days: 1, first: new Date('2026-05-03T00:00:00Z') })
    t.is((await readStarts(free)).length, 6)
    for (const row of await readStarts(own)) t.like(row, { days: 4 })
    t.deepEqual(await base.query('select count(*)::int as n, min(found_at) as first from rollup_damage'), [
      { n: 2, first: new Date('2026-05-20T00:00:00Z') },
    ])
  },
)
