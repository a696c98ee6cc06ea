import test from 'ava'
import { compressEvents, readChunking, setChunkHours } from '../../src/store/chunks.ts'
import { migrate } from '../../src/store/migrate.ts'
import { insertWorkspaceRow } from '../_kit/batch.ts'
import { makeDatabase, type TestDatabase, useTimescale } from '../_kit/db.ts'
import { settleUnhurried } from '../_kit/settle.ts'
import { makeOld, readKept, storeOld } from '../retention/_old.ts'

useTimescale()

let base: TestDatabase
test.before(async () => {
  base = await makeDatabase()
})
test.after.always(async () => await base.stop())

const listIndexes = async (table: string): Promise<string[]> =>
  (
    await base.query<{ name: string }>('select indexname as name from pg_indexes where tablename = $1 order by 1', [
      table,
    ])
  ).map(({ name }) => name)

test.serial(
  'the tables that grow with traffic are hypertables by day, with no index of their own making',
  async (t) => {
    t.like(await readChunking(base.db), { chunked: true })
    const dimensions = await base.query(
      `select hypertable_name as name, column_name as column, extract(epoch from time_interval)::int / 3600 as hours
     from timescaledb_information.dimensions order by 1`,
    )
    t.deepEqual(dimensions, [
      { name: 'events', column: 'start_time', hours: 24 },
      { name: 'payload_blocks', column: 'start_time', hours: 24 },
      { name: 'tool_results', column: 'start_time', hours: 24 },
    ])
    // Each is created by a migration; none is on the time alone.
    const ours = await base.query<{ text: string }>(
      "select indexdef as text from pg_indexes where tablename = 'events'",
    )
    t.true(ours.length >= 3 && ours.every(({ text }) => text.includes('(workspace_id, ')))
    t.deepEqual(await listIndexes('payload_blocks'), ['payload_blocks_by_start', 'payload_blocks_pkey'])
  },
)

test.serial('the length of a chunk follows the setting from the next chunk on', async (t) => {
  const workspace = await insertWorkspaceRow(base.query)
  t.false(await setChunkHours(base.db, 24))
  t.true(await setChunkHours(base.db, 6))
  t.false(await setChunkHours(base.db, 6))
  await storeOld(base, workspace, makeOld(3))
  const [chunk] = await base.query(
    `select extract(epoch from range_end - range_start)::int / 3600 as hours from timescaledb_information.chunks where hypertable_name = 'events'`,
  )
  t.deepEqual(chunk, { hours: 6 })
})

test.serial('tables that were plain for a while become hypertables with their rows', async (t) => {
  const workspace = await insertWorkspaceRow(base.query)
  // As if migrations had run before TimescaleDB was installed: drops the tables, then makes the same ones without chunks.
  for (const table of ['events', 'payload_blocks', 'tool_results']) {
    await base.query(`create table plain_${table} (like ${table} including all)`)
    await base.query(`drop table ${table}`)
    await base.query(`alter table plain_${table} rename to ${table}`)
  }
  t.like(await readChunking(base.db), { chunked: false })
  await migrate(base.url)
  await storeOld(base, workspace, makeOld(1, 40))
  await storeOld(base, workspace, makeOld(50, 40))
  t.false(await setChunkHours(base.db, 6), 'there is nothing to set on plain tables')
  t.false(await compressEvents(base.db, 192))
  await base.query('select chunk_tables()')
  t.like(await readChunking(base.db), { chunked: true })
  t.like(await readKept(base, workspace), { events: 80, payloads: 80, traces: 80, days: [50, 1] })
  t.is((await base.query('select * from list_chunks_before(now())')).length, 4, 'two days of events and of payloads')
})

test.serial(
  'columns only where the license allows them; a late span and its settling pass in either case',
  async (t) => {
    const workspace = await insertWorkspaceRow(base.query)
    const old = makeOld(10, 50)
    await storeOld(base, workspace, old)
    while ((await settleUnhurried(base.actor, 0)).traces > 0);
    const { license } = await readChunking(base.db)
    if (license === 'timescale') {
      t.true(await compressEvents(base.db, 192))
      t.true(await compressEvents(base.db, 216), 'another age replaces the job')
      const jobs = await base.query(
        "select config ->> 'compress_after' as after from timescaledb_information.jobs where proc_name = 'policy_compression'",
      )
      t.is(jobs.length, 1)
      await base.query("select compress_chunk(c) from show_chunks('events', older_than => interval '8 days') c")
    } else {
      t.false(await compressEvents(base.db, 192))
      // The operation from which the guard protects the service.
      await t.throwsAsync(base.query('alter table events set (timescaledb.compress)'), { code: '0A000' })
    }
    // Later than any accepted span, and one in each of those traces, so that settling has to open every trace.
    const late = old.map((event) => ({ ...event, spanId: event.spanId.split('').reverse().join(''), agentOwn: 'late' }))
    t.is(await storeOld(base, workspace, late), 50)
    while ((await settleUnhurried(base.actor, 0)).traces > 0);
    t.like(await readKept(base, workspace), { events: 100, payloads: 100, traces: 50 })
  },
)
