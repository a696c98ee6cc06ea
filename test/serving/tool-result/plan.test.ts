// A look-up reads a few pages, however events are spread over tools and time, and however the statement is planned.
import { randomUUID } from 'node:crypto'
import test from 'ava'
import pg from 'pg'
import { loadStatements } from '../../../src/store/statements.ts'
import { makeDatabase, type TestDatabase } from '../../_kit/db.ts'
import { countPages, explainFor, listUnread } from '../../_kit/plans.ts'
import { inSoak } from '../../_kit/soak.ts'
import { disableAutovacuum, gatherStatistics } from '../../_kit/statistics.ts'

const workspace = randomUUID()
const decision = randomUUID()
const now = '2026-03-02T12:00:00Z'
const dayAgo = '2026-03-01T12:00:00Z'
const hourAgo = '2026-03-02T11:00:00Z'
const statements = loadStatements()

let db: TestDatabase
let client: pg.Client

test.before(async () => {
  db = await makeDatabase()
  client = new pg.Client({ connectionString: db.url })
  await client.connect()
  await db.query('select set_chunk_hours(744)')
  await disableAutovacuum(db)
  // Two days of one workspace: a tenth calls one pair, always more than an hour ago; a tenth calls a tool of many inputs; one execution in
  // a thousand has its own pair; the rest are model calls.
  await db.query(
    `insert into events (workspace_id, start_time, trace_id, span_id, agent_id, agent_fallback, kind, counted, name, status,
       finish_reasons, tool_name, input_hash, scope_hash, content_hash, key_id, attested, attested_unread, served, holdout, consumed_tool_call_ids,
       read_tool_call_ids, duration_us, flags)
     select $1, $2::timestamptz - n * interval '2 days' / $3::int, decode(lpad(to_hex(n / 10), 32, '0'), 'hex'),
       decode(lpad(to_hex(n), 16, '0'), 'hex'), $1, 'agent', case when tool is null then 'llm' else 'tool' end, true, 'x', 'ok', '{}',
       tool, input, case when tool is not null then input end, case when tool is not null then 'content ' || n end,
       case when tool is not null then 'key' end, tool is not null, tool is not null, false, false, '{}', '{}', 1000, '{}'
     from (
       select n,
         case when n % 1000 = 500 then 'rare' when n % 10 = 0 and n > $3::int / 48 then 'hot' when n % 10 = 1 then 'wide' end as tool,
         case when n % 1000 = 500 then 'pair' when n % 10 = 0 and n > $3::int / 48 then 'pair' when n % 10 = 1 then 'input ' || n end as input
       from generate_series(1, $3::int) n
     ) made`,
    [workspace, now, inSoak(10_800, 43_200)],
  )
  // One tool that is called all the time, mostly with one input: the case in which a rule is most useful.
  await db.query(
    `insert into events (workspace_id, start_time, trace_id, span_id, agent_id, agent_fallback, kind, counted, name, status,
       finish_reasons, tool_name, input_hash, scope_hash, content_hash, key_id, attested, attested_unread, served, holdout, consumed_tool_call_ids,
       read_tool_call_ids, duration_us, flags)
     select $1, $2::timestamptz - n * interval '1 second', decode(md5('busy' || n), 'hex'), decode(lpad(to_hex(n), 16, '0'), 'hex'), $1,
       'agent', 'tool', true, 'x', 'ok', '{}', 'busy', 'pair', 'pair', 'content', 'key', true, true, false, false, '{}', '{}', 1000, '{}'
     from generate_series(1, $3::int) n`,
    [workspace, now, inSoak(20_000, 80_000)],
  )
  await db.query(
    `insert into tool_results (workspace_id, start_time, trace_id, span_id, ciphertext, iv, tag)
     select workspace_id, start_time, trace_id, span_id, 'c', 'i', 't' from events where tool_name is not null`,
  )
  await db.query(
    `insert into decisions (id, workspace_id, type, state, tool_name, inputs, config)
     select $2, $1, 'reuse_identity', 'active', 'any', array_agg('sha256:' || md5(n::text)) || array['pair', 'input 5001'], '{}'
     from generate_series(1, 4000) n`,
    [workspace, decision],
  )
  // Inputs of one tool are invalidated one after the other.
  await db.query(
    `insert into invalidations (workspace_id, id, at, tool_name, input_hash)
     select $1, gen_random_uuid(), $2::timestamptz - n * interval '1 second', 'busy', 'input ' || n from generate_series(1, $3::int) n`,
    [workspace, now, inSoak(12_500, 50_000)],
  )
  await gatherStatistics(db)
})
test.after.always(async () => {
  await client.end()
  await db.stop()
})

/** Parameters of a look-up for the input or the scope `hash`. */
const values = (tool: string, hash: string, from: string, agent: string | null = null): (string | null)[] => [
  workspace,
  tool,
  null,
  hash,
  agent,
  decision,
  from,
  now,
]
const cases: readonly (readonly [values: (string | null)[], isFound: boolean])[] = [
  [values('hot', 'pair', dayAgo), true],
  [values('hot', 'pair', hourAgo), false],
  [values('rare', 'pair', dayAgo), true],
  [values('wide', 'input 5001', dayAgo), true],
  [values('wide', 'unknown', dayAgo), false],
  [values('busy', 'pair', dayAgo), true],
  [values('busy', 'pair', dayAgo, workspace), true],
  [values('unknown', 'pair', dayAgo), false],
]
const names = ['serving/find-result-of-input', 'serving/find-result-of-scope'] as const
const looks = names.flatMap((name) => cases.map(([given, isFound]) => [name, given, isFound] as const))

/** About 30 of them hold the inputs of the rule, which some plans read twice. The index and the table have thousands. */
const maxPages = 120
/** 5,000 executions and their index entries. */
const maxPagesOfStranger = 400

test.serial('planned for its values, a look reads the index of its header and a few pages', async (t) => {
  for (const [name, given, isFound] of looks) {
    const told = `${name} of ${JSON.stringify(given.slice(1))}`
    const nodes = await explainFor(client, name, given)
    // For a tool without calls, every index costs the same.
    if (given[1] !== 'unknown') t.deepEqual(listUnread(name, nodes), [], told)
    const { pages } = await countPages(client, name, given)
    t.true(pages <= maxPages, `${told}: ${pages} pages`)
    const { rows } = await client.query<{ start_us: string | null }>(statements.get(name) ?? '', given)
    t.is(rows[0]?.start_us != null, isFound, told)
  }
})

test.serial(
  'for an agent that does not call it, a look gives up behind the newest executions of a busy tool',
  async (t) => {
    const stranger = randomUUID()
    for (const name of names) {
      const { pages } = await countPages(client, name, values('busy', 'pair', dayAgo, stranger))
      t.true(pages <= maxPagesOfStranger, `${name}: ${pages} pages`)
    }
  },
)

test.serial('a look-up reads as few rows with a generic plan', async (t) => {
  await client.query('set plan_cache_mode = force_generic_plan')
  for (const name of names) {
    const prepared = name.replaceAll(/\W/g, '_')
    await client.query(`prepare ${prepared} as ${statements.get(name)}`)
    for (const [, one] of looks.filter(([of]) => of === name)) {
      const given = one.map((value) => (value === null ? 'null' : `'${value}'`)).join(', ')
      type Plan = { 'QUERY PLAN': { Plan: { 'Shared Hit Blocks': number; 'Shared Read Blocks': number } }[] }
      const { rows } = await client.query<Plan>(`explain (analyze, buffers, format json) execute ${prepared}(${given})`)
      const plan = rows[0]?.['QUERY PLAN'][0]?.Plan
      const pages = (plan?.['Shared Hit Blocks'] ?? Number.NaN) + (plan?.['Shared Read Blocks'] ?? Number.NaN)
      t.true(pages <= maxPages, `${name} of ${given}: ${pages} pages`)
    }
  }
})
