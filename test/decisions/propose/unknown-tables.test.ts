// Proposals on tables without planner statistics, as after the first traces of a fresh start.
import test from 'ava'
import pg from 'pg'
import { makeDatabase, type TestDatabase } from '../../_kit/db.ts'
import { makeWorkspace } from '../../_kit/workspace.ts'
import { statements } from '../../sql/_statements.ts'

// Enough rows for an index over tools and inputs to be higher than the one over times.
const eventCount = 12_000
const pairs = 100

let db: TestDatabase
let client: pg.Client
test.before(async () => {
  db = await makeDatabase()
  client = new pg.Client({ connectionString: db.url })
  await client.connect()
})
test.after.always(async () => {
  await client.end()
  await db.stop()
})

test('a subject is weighed by the executions of its tool, and not by all that the workspace did', async (t) => {
  const workspace = await makeWorkspace(db.query)
  await db.query(
    `insert into events (workspace_id, start_time, trace_id, span_id, agent_id, agent_fallback, kind, counted, name, status, duration_us,
       finish_reasons, attested, served, holdout, consumed_tool_call_ids, read_tool_call_ids, flags, tool_name, input_hash, content_hash, key_id)
     select $1, '2026-03-06'::timestamptz + n * interval '10 seconds', decode(md5(n::text), 'hex'), decode(lpad(to_hex(n), 16, '0'), 'hex'),
       $1, 'a', 'tool', true, 'x', 'ok', 500000, '{}', true, false, false, '{}', '{}', '{}', case when n % 3 = 0 then 'tool' else 'other' end, 'hmac-sha256:' || repeat(md5((n % $3)::text), 2), 'content', 'key'
     from generate_series(1, $2::int) n`,
    [workspace, eventCount, pairs],
  )
  const { rows } = await client.query<{ 'QUERY PLAN': unknown }>(
    `explain (analyze, format json) ${statements.find(({ name }) => name === 'decisions/weigh-subjects')?.text}`,
    [workspace, ['tool'], [null], [workspace], '2026-03-01T00:00:00Z', '2026-03-08T00:00:00Z', 5_000, 86_400, 3],
  )
  let [given, aside] = [0, 0]
  JSON.stringify(rows, (_key, node: Record<string, number | string> | null) => {
    if (node?.['Relation Name'] === 'events' || String(node?.['Relation Name']).startsWith('_hyper')) {
      const loops = Number(node?.['Actual Loops'])
      given += Number(node?.['Actual Rows']) * loops
      aside += Number(node?.['Rows Removed by Filter'] ?? 0) * loops
    }
    return node
  })
  t.is(Math.round(given), eventCount / 3)
  t.is(aside, 0)
})
