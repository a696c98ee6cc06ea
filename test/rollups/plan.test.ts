// The reads of a window use the indexes, beside a workspace that is many times as large.
import test from 'ava'
import pg from 'pg'
import { copyDeltas } from '../../src/rollups/copy-deltas.ts'
import { copyFacts } from '../../src/rollups/copy-facts.ts'
import { copyRows, type WantedRows } from '../../src/rollups/copy-rows.ts'
import type { TestDatabase } from '../_kit/db.ts'
import { explainFor, explainQuery, listUnread, listWholeReads, type PlanNode } from '../_kit/plans.ts'
import { gatherStatistics } from '../_kit/statistics.ts'
import { planWorkspace as workspace } from '../queries/_plan-data.ts'
import { openFilled } from '../queries/_plan-filled.ts'

const fromMs = Date.parse('2026-03-01T00:00:00.123Z')
const hourMs = 3_600_000

let db: TestDatabase
let client: pg.Client
test.before(async () => {
  db = await openFilled()
  client = new pg.Client({ connectionString: db.url })
  await client.connect()
  await db.query(
    `insert into rollups (workspace_id, tier, start_time, total, cells)
     select w, tier, '2026-02-01T00:00:00Z'::timestamptz + n * interval '1 minute' * (array[1, 60, 1440])[tier + 1],
       decode(repeat(md5(n::text), 100), 'hex'), decode(repeat(md5(n::text), 100), 'hex')
     from unnest(array[$1, gen_random_uuid(), gen_random_uuid(), gen_random_uuid()]::uuid[]) w,
       generate_series(0, 2) tier, generate_series(1, 700) n`,
    [workspace],
  )
  await db.query(
    `insert into rollup_deltas (workspace_id, from_time, to_time, stale_minutes, body)
     select case when n % 50 = 0 then $1 else gen_random_uuid() end, to_timestamp(0), now(), '{}', '\\x00'
     from generate_series(1, 5000) n`,
    [workspace],
  )
  await db.query(
    `insert into scope_counts
     select w, tier, '2026-02-01T00:00:00Z'::timestamptz + n * interval '1 minute' * (array[1, 60, 1440])[tier + 1], 'scope ' || scope, '1.0',
       'genai', kind, 9, 0, 0, 0, 0, 0, 0, now()
     from unnest(array[$1, gen_random_uuid(), gen_random_uuid()]::uuid[]) w, generate_series(0, 2) tier, generate_series(1, 500) n,
       generate_series(1, 3) scope, unnest(array['llm', 'other']) kind`,
    [workspace],
  )
  await db.query(
    `insert into scope_deltas (workspace_id, minute, scope_name, scope_version, dialect, kind, spans, told_twice, repeated, unpriced,
       cost_disagreements, cost_disagreement_usd, agents_unnamed, last_start)
     select case when n % 50 = 0 then $1 else gen_random_uuid() end, now(), '', '', '', 'llm', 1, 0, 0, 0, 0, 0, 0, now()
     from generate_series(1, 5000) n`,
    [workspace],
  )
  await gatherStatistics(db)
})
test.after.always(async () => {
  await client.end()
  await db.stop()
})

const scansOf = (nodes: readonly PlanNode[], table: string): PlanNode[] =>
  nodes.filter((node) => node['Relation Name'] === table)

test.serial('rows are looked up by their key, one look a span', async (t) => {
  for (const [columns, known] of [
    ['total', [700, 701]],
    ['cells', []],
    ['head', [700]],
    ['sets', []],
  ] as const) {
    const wanted = ([0, 1, 2] as const).map(
      (tier): WantedRows => ({
        tier,
        columns,
        alone: columns === 'head',
        mayBeKnown: true,
        fromMs: fromMs - 123,
        toMs: fromMs + 24 * hourMs - 123,
      }),
    )
    const nodes = await explainQuery(
      client,
      copyRows(
        workspace,
        wanted,
        () => new Set(known),
        () => undefined,
      ).query,
    )
    const scans = scansOf(nodes, 'rollups')
    t.is(scans.length, 1, columns)
    t.is(scans[0]?.['Index Name'], 'rollups_pkey')
    t.regex(scans[0]?.['Index Cond'] ?? '', /workspace_id = .*tier = .*start_time >= .*start_time < /)
  }
})

test.serial('the events of an edge are looked up by their time, all edges in one query', async (t) => {
  const spans = [
    { fromMs, toMs: fromMs + 59_877 },
    { fromMs: fromMs + 48 * hourMs, toMs: fromMs + 48 * hourMs + 999 },
  ]
  for (const [most, cells] of [
    [501, true],
    [501, false],
    [null, true],
  ] as const) {
    const nodes = await explainQuery(
      client,
      copyFacts(workspace, spans, { maxFacts: most, cells }, () => undefined).query,
    )
    const scans = nodes.filter((node) => node['Index Name'] === 'events_pkey')
    t.is(scans.length, spans.length)
    for (const scan of scans) t.regex(scan['Index Cond'] ?? '', /workspace_id = .*start_time >= .*start_time < /)
    t.deepEqual(listWholeReads(nodes), [])
  }
  const edges = [spans.map((span) => span.fromMs), spans.map((span) => span.toMs), spans.map(() => fromMs - 123)]
  const nodes = await explainFor(client, 'rollups/probe-edges', [workspace, ...edges, 501])
  t.deepEqual(listUnread('rollups/probe-edges', nodes), [])
  t.deepEqual(listWholeReads(nodes), [])
})

test.serial('deltas are looked up by their workspace', async (t) => {
  const window = { fromMs: fromMs - 123, toMs: fromMs + hourMs - 123 }
  for (const column of ['body', 'sets'] as const) {
    const nodes = await explainQuery(client, copyDeltas(workspace, window, column, () => undefined).query)
    t.is(scansOf(nodes, 'rollup_deltas').length, 1)
    t.true(nodes.some((node) => node['Index Name'] === 'rollup_deltas_pkey'))
  }
})

test.serial('counts of scopes are looked up by their key, one look a span, and events by their time', async (t) => {
  const startUs = (fromMs - 123) * 1_000
  const hourUs = hourMs * 1_000
  const spans = [
    [2, 1, 0],
    [startUs - 48 * hourUs, startUs - 24 * hourUs, startUs],
    [startUs - 24 * hourUs, startUs, startUs + hourUs],
  ]
  const edges = [
    startUs - 48 * hourUs - 9_000_000,
    startUs - 48 * hourUs,
    startUs + hourUs,
    startUs + hourUs + 9_000_000,
  ]
  const values = [workspace, ...spans, startUs - 48 * hourUs, startUs + hourUs, ...edges, 100]
  const nodes = await explainFor(client, 'rollups/read-scopes', values)
  t.deepEqual(listUnread('rollups/read-scopes', nodes), [])
  t.deepEqual(listWholeReads(nodes), [])
  // A plain scan of the index, or one for a bitmap.
  const [scan, ...others] = nodes.filter((node) => node['Index Name'] === 'scope_counts_pkey')
  t.deepEqual(others, [])
  t.regex(scan?.['Index Cond'] ?? '', /workspace_id = .*tier = .*start_time >= .*start_time < /)
  const ofEvents = nodes.filter((node) => node['Index Name'] === 'events_pkey')
  t.is(ofEvents.length, 2)
  for (const one of ofEvents) t.regex(one['Index Cond'] ?? '', /workspace_id = .*start_time >= .*start_time < /)
})

test('a value that is not a UUID, a whole millisecond or a whole second does not get into a query', (t) => {
  const span = { fromMs, toMs: fromMs + hourMs }
  t.throws(() => copyFacts("x' or true --", [span], { maxFacts: 1, cells: true }, () => undefined), {
    message: /is not a UUID/,
  })
  t.throws(
    () => copyFacts(workspace, [{ fromMs: Number.NaN, toMs: 1 }], { maxFacts: 1, cells: true }, () => undefined),
    { message: /not a whole number/ },
  )
  const wanted: WantedRows = { ...span, tier: 1, columns: 'total', alone: false, mayBeKnown: true }
  const known = new Set<number>()
  t.throws(
    () =>
      copyRows(
        workspace,
        [wanted],
        () => known,
        () => undefined,
      ),
    { message: /not an integer/ },
  )
  const whole: WantedRows = { ...wanted, fromMs: 0, toMs: hourMs }
  t.throws(
    () =>
      copyRows(
        workspace,
        [whole],
        () => new Set([0.5]),
        () => undefined,
      ),
    { message: /not a transaction id/ },
  )
})
