// Scans on tables without planner statistics, as after the first traces of a fresh start: their work grows linearly with the rows.
import test from 'ava'
import pg from 'pg'
import { makeDatabase, type TestDatabase } from '../_kit/db.ts'
import { agentIdOf } from '../_kit/events.ts'
import { makeWorkspace } from '../_kit/workspace.ts'
import { statements } from '../sql/_statements.ts'

const eventCount = 6_000
const tools = 30

const looks: Readonly<Record<string, readonly unknown[]>> = {
  'findings/find-repeated-calls': [600, '2026-03-07T00:00:00Z'],
  'findings/find-unattested-repeats': [],
  'findings/find-dead-results': ['2026-03-08T00:00:00Z'],
  'findings/find-retry-loops': [3],
  'findings/find-missed-caches': [300, 2_048],
  'findings/find-growing-contexts': [6, 32_000, 3],
  'findings/read-unpriced-calls': [],
}

let workspace: string
let db: TestDatabase
let client: pg.Client
test.before(async () => {
  db = await makeDatabase()
  client = new pg.Client({ connectionString: db.url })
  await client.connect()
  workspace = await makeWorkspace(db.query)
  await db.query(
    `insert into events (workspace_id, start_time, trace_id, span_id, agent_id, agent_fallback, kind, counted, name, status, duration_us,
       finish_reasons, attested, served, holdout, consumed_tool_call_ids, read_tool_call_ids, flags, tool_name, input_hash,
       session_id, tool_call_id, model, input_tokens, cached_tokens, output_tokens)
     select $1, '2026-03-07'::timestamptz + n * interval '10 seconds', decode(md5((n / 6)::text), 'hex'), decode(lpad(to_hex(n), 16, '0'), 'hex'),
       $2, 'a', case when n % 2 = 0 then 'tool' else 'llm' end, true, 'x', case when n % 10 = 0 then 'error' else 'ok' end, 500000, '{}', false, false, false,
       case when n % 2 = 1 then array['call ' || n - 1] else '{}' end, '{}', '{}',
       case when n % 2 = 0 then 'tool ' || n / 2 % $4 end, case when n % 2 = 0 then 'hash ' || n % 4 end,
       'session ' || n / 60, case when n % 2 = 0 then 'call ' || n end, case when n % 2 = 1 then 'unheard-of' end, 40000 + n, 0, 10
     from generate_series(1, $3::int) n`,
    [workspace, agentIdOf(workspace, 'coder'), eventCount, tools],
  )
})
test.after.always(async () => {
  await client.end()
  await db.stop()
})

type Node = Readonly<Record<string, unknown>> & { readonly Plans?: readonly Node[] }

/** Returns the number of rows that all steps of a plan returned or filtered out, over all loops. */
function countWork(node: Node): number {
  const of = (name: string): number => (typeof node[name] === 'number' ? node[name] : 0)
  const rows = of('Actual Rows') + of('Rows Removed by Filter') + of('Rows Removed by Join Filter')
  return rows * of('Actual Loops') + (node.Plans ?? []).reduce((sum, inner) => sum + countWork(inner), 0)
}

for (const [name, values] of Object.entries(looks)) {
  test.serial(`${name}: a look does not compare every row with every other`, async (t) => {
    await client.query('begin')
    const textOf = (wanted: string): string => statements.find((one) => one.name === wanted)?.text ?? ''
    await client.query(textOf('findings/bound-look'), ['0'])
    const { rows } = await client.query<{ 'QUERY PLAN': { Plan: Node }[] }>(
      `explain (analyze, format json) ${textOf(name)}`,
      [workspace, '2026-03-01T00:00:00Z', '2026-03-08T00:00:00Z', ...values],
    )
    await client.query('rollback')
    const plan = rows[0]?.['QUERY PLAN'][0]?.Plan
    const work = plan === undefined ? Number.POSITIVE_INFINITY : countWork(plan)
    t.true(work >= eventCount, 'it looks at the events')
    t.true(work <= 60 * eventCount, `${work} rows for ${eventCount} events`)
  })
}
