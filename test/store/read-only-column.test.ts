// Migration 0015: older rows, and rows that the previous release continues to store, state nothing about their tools.
import test from 'ava'
import { migrate } from '../../src/store/migrate.ts'
import { loadMigrations } from '../../src/store/schema.ts'
import { makeEmptyDatabase } from './_empty-database.ts'

// With the columns that the previous release names.
const insert = (span: string): string => `
  insert into events (workspace_id, start_time, trace_id, span_id, agent_id, agent_fallback, kind, counted, name, status, finish_reasons,
    tool_name, attested, attested_unread, served, holdout, consumed_tool_call_ids, read_tool_call_ids, flags)
  values (gen_random_uuid(), now(), '\\x01', '\\x${span}', gen_random_uuid(), 'agent', 'tool', true, 'tool', 'ok', '{}', 'search',
    false, false, false, false, '{}', '{}', '{}')`

test('events of the previous release can be stored in the new schema, and state nothing', async (t) => {
  const { url, query, stop } = await makeEmptyDatabase()
  const migrations = loadMigrations()
  await migrate(url, { migrations: migrations.slice(0, 14) })
  await query(insert('01'))
  t.deepEqual((await migrate(url, { migrations: migrations.slice(0, 15) })).applied, ['0015_read_only'])
  await query(insert('02'))
  t.deepEqual(await query('select span_id, read_only from events order by span_id'), [
    { span_id: Buffer.from([1]), read_only: null },
    { span_id: Buffer.from([2]), read_only: null },
  ])
  await stop()
})
