// The statements of the measurement use the indexes that they name, on a database that holds far more than one rule's executions.
import { randomUUID } from 'node:crypto'
import test, { type ExecutionContext } from 'ava'
import { measureEffects } from '../../../src/decisions/measure-effects.ts'
import { openEndUs } from '../../../src/decisions/trials/phase.ts'
import type { TestDatabase } from '../../_kit/db.ts'
import { countPages, explainFor, listWholeReads } from '../../_kit/plans.ts'
import { inSoak } from '../../_kit/soak.ts'
import {
  beganUs,
  eventCount,
  everyS,
  fromMs,
  keepsPromise as keepsPromiseOn,
  openPlanData,
  type PlanData,
} from '../_plan-data.ts'

const workspace = randomUUID()
const decision = randomUUID()

let data: PlanData
let client: PlanData['client']
test.before(async () => {
  data = await openPlanData(fill)
  client = data.client
})
test.after.always(async () => await data.stop())

/** Fills turns of six events: calls of two tools out of forty, and model calls between them; ten turns to a session. */
async function fill({ query }: TestDatabase): Promise<void> {
  await query(
    `insert into events (workspace_id, start_time, trace_id, span_id, agent_id, agent_fallback, kind, counted, name, status, duration_us,
       finish_reasons, attested, served, holdout, consumed_tool_call_ids, read_tool_call_ids, flags, tool_name, input_hash,
       content_hash, key_id, session_id, tool_call_id, decision_id, quality_score, model, input_tokens, cache_savings_usd, inserted_xid,
       attested_unread)
     select $1, $3::timestamptz + n * $5::int * interval '1 second', decode(md5((n / 6)::text), 'hex'), decode(lpad(to_hex(n), 16, '0'), 'hex'), $1,
       'a', case when n % 6 in (1, 3) then 'tool' else 'llm' end, true, 'x', 'ok', 500000, '{}', n % 6 = 1, n % 6 = 3 and n % 7 = 0, false,
       case when n % 6 in (2, 4) then array['call ' || n - 1] else '{}' end, '{}', '{}',
       case when n % 6 in (1, 3) then 'tool ' || n % 41 end, case when n % 6 in (1, 3) then 'hash ' || n % 5 end,
       case when n % 6 = 1 then 'c' end, case when n % 6 = 1 then 'k' end, 'session ' || n / 60,
       case when n % 6 in (1, 3) then 'call ' || n end, case when n % 6 = 3 and n % 7 = 0 then $4::uuid end,
       case when n % 90 = 0 then 0.5 end, case when n % 6 in (2, 4) then 'gpt-4o' end, 100, 0.001,
       (1000 + n * 1000 / $2::int)::text::xid8, n % 6 = 1
     from generate_series(1, $2::int) n`,
    [workspace, eventCount, new Date(fromMs), decision, everyS],
  )
  await query(
    `insert into tool_results (workspace_id, start_time, trace_id, span_id, ciphertext, iv, tag)
     select workspace_id, start_time, trace_id, span_id, '\\x00', '\\x00', '\\x00' from events where key_id is not null`,
  )
  await query(
    `insert into decisions (id, workspace_id, type, state, tool_name, input_hash, config, shadow_at)
     select case when n = 1 then $2::uuid else gen_random_uuid() end, $1, 'reuse_identity', 'shadow', 'tool 1', 'hash ' || n, '{}', now()
     from generate_series(1, 2000) n`,
    [workspace, decision],
  )
}

const keepsPromise = async (t: ExecutionContext, name: string, values: readonly unknown[]): Promise<void> =>
  await keepsPromiseOn(t, client, name, values)

/** For the new workspace of a test. The whole table takes three times as long. */
const analyzeKeys = `analyze events (workspace_id, start_time, trace_id, span_id, agent_id, kind, status, served, holdout, attested, tool_name,
  tool_version, input_hash, tool_call_id, decision_id)`

const stretch = [beganUs, openEndUs]
const scope = ['tool 1', null, null, 'hash 1']

test.serial('the effects of a rule are read from its own calls and those that it matches', async (t) => {
  const own = [workspace, decision]
  await keepsPromise(t, 'decisions/measure-executions', [workspace, ...scope, ...stretch, 20_000])
  await keepsPromise(t, 'decisions/measure-served', [...own, ...stretch, 20_000])
  await keepsPromise(t, 'decisions/measure-quality', [...own, ...scope, ...stretch, 1_000])
  await keepsPromise(t, 'decisions/measure-caching', [...own, ...scope, ...stretch, 1_000])
})

test.serial('a trace is read once, however many calls of a tool it contains', async (t) => {
  const other = randomUUID()
  await client.query(
    `insert into events (workspace_id, start_time, trace_id, span_id, agent_id, agent_fallback, kind, counted, name, status,
       finish_reasons, attested, served, holdout, consumed_tool_call_ids, read_tool_call_ids, flags, tool_name, input_hash, tool_call_id,
       decision_id, model, input_tokens, cache_savings_usd)
     select $1, $3::timestamptz + n * interval '1 second', '\\x01', decode(lpad(to_hex(n), 16, '0'), 'hex'), $1, 'a',
       case when n % 2 = 0 then 'tool' else 'llm' end, true, 'x', 'ok', '{}', true, n % 4 = 0, false,
       case when n % 2 = 1 then array['call ' || n - 1] else '{}' end, '{}', '{}', case when n % 2 = 0 then 'tool 1' end,
       case when n % 4 = 2 then 'hash 1' end, case when n % 2 = 0 then 'call ' || n end, case when n % 4 = 0 then $2::uuid end,
       case when n % 2 = 1 then 'gpt-4o' end, 100, 0.001
     from generate_series(1, 3000) n`,
    [other, decision, new Date(beganUs / 1_000)],
  )
  await client.query(analyzeKeys)
  const values = [other, decision, ...scope, ...stretch, 1_000]
  const { rows, pages } = await countPages(client, 'decisions/measure-caching', values)
  t.is(rows, 2)
  t.true(pages < 1_000, String(pages))
})

test.serial(
  'what serving loses in caches is read from the window alone, by a bound that is known before',
  async (t) => {
    const [from, to] = [new Date(fromMs), new Date(fromMs + 2 * 86_400_000)]
    const values = [workspace, [decision], ['tool 1'], [null], [null], [null], from, to, [from], 200]
    const nodes = await explainFor(client, 'decisions/weigh-caches', values)
    const bounded = nodes.filter((node) => /start_time < '2026-03-03 /.test(node['Index Cond'] ?? ''))
    t.is(bounded.length, 4)
  },
)

test.serial('one decision is read, locked and written by its key', async (t) => {
  const own = [workspace, decision]
  await keepsPromise(t, 'decisions/find-measured', own)
  await keepsPromise(t, 'decisions/hold-to-measure', [...own, 'version'])
  await keepsPromise(t, 'decisions/keep-measures', [...own, { shadow_samples: 3 }])
})

/** Checks the plan for these values as `keepsPromise` does, and also on the tables that grow with decisions. Returns its nodes. */
async function keepsWholePromise(t: ExecutionContext, name: string, values: readonly unknown[]): Promise<void> {
  await keepsPromise(t, name, values)
  const nodes = await explainFor(client, name, values)
  const whole = nodes.filter((node) => node['Node Type'].includes('Seq Scan')).map((node) => node['Relation Name'])
  t.false(
    whole.some((table) => table === 'decision_trials' || table === 'invalidations' || table === 'decisions'),
    name,
  )
}

test.serial('a replay reads the executions of its tool alone, in the order of starts or of commits', async (t) => {
  const subject = [workspace, 'tool 1', null, null, null]
  const nowhere = [null, null, null]
  const place = [new Date(beganUs / 1_000).toISOString(), Buffer.alloc(16), Buffer.alloc(8)]
  t.deepEqual(
    listWholeReads(
      await explainFor(client, 'decisions/replay-history', [...subject, '5000', '9000', ...nowhere, 5, decision]),
    ),
    [],
  )
  t.deepEqual(
    listWholeReads(
      await explainFor(client, 'decisions/replay-history', [...subject, '5000', '9000', ...place, 5, decision]),
    ),
    [],
  )
  await keepsPromise(t, 'decisions/replay-commits', [...subject, '1900', '1950', ...nowhere, 500, decision])
  await keepsPromise(t, 'decisions/replay-commits', [...subject, '1900', '1950', ...place, 500, decision])
  // A long history costs nothing once it has been replayed.
  const { rows, pages } = await countPages(client, 'decisions/replay-commits', [
    ...subject,
    '1990',
    '2100',
    ...nowhere,
    500,
    decision,
  ])
  t.true(rows > 0 && rows < 10 && pages < 60, `${rows} rows, ${pages} pages`)
})

test.serial('proposals look at the runs of tools and the decisions of subjects', async (t) => {
  const [from, to] = [new Date(fromMs), new Date(fromMs + 7 * 86_400_000)]
  const late = new Date(beganUs / 1_000)
  const tools = ['tool 1', 'tool 2', 'tool 3']
  const touched = [workspace, tools, late, to, 1_000, 'reuse_identity', from, 200]
  await keepsWholePromise(t, 'decisions/list-touched-subjects', touched)
  const weighed = [workspace, tools, [null, null, null], [workspace, workspace, workspace], from, to, 5, 86_400, 3]
  // For so few runs of a tool, several indexes are equally good.
  t.deepEqual(listWholeReads(await explainFor(client, 'decisions/weigh-subjects', weighed)), [])
})

test.serial('due decisions are found by the time of their last measurement', async (t) => {
  await client.query(`update decisions set measured_at = now()`)
  await client.query(
    `insert into decisions (id, workspace_id, type, state, tool_name, input_hash, config, shadow_at, measured_at)
     select gen_random_uuid(), gen_random_uuid(), 'reuse_identity', 'shadow', 'tool', null, '{}', now(), now() from generate_series(1, 2000)`,
  )
  await client.query('vacuum analyze decisions')
  const judgedBefore = [new Date(fromMs + 30 * 86_400_000), new Date(fromMs)]
  await keepsWholePromise(t, 'decisions/list-due', [workspace, ['shadow', 'active'], ...judgedBefore, 1_000])
})

// It runs before the table has statistics.
test.serial('the boundary of the trials that stay is looked up once, not for every trial', async (t) => {
  const own = [workspace, randomUUID()]
  await client.query(
    `insert into decision_trials (workspace_id, decision_id, start_time, trace_id, span_id, age_s, matched, phase)
     select $1, $2, now() + n * interval '1 second', '\\x01', int8send(n), 1, true, 'shadow' from generate_series(1, 600) n`,
    own,
  )
  const { pages } = await countPages(client, 'decisions/thin-trials', [...own, 500])
  t.true(pages < 1_000, String(pages))
  const { rows } = await client.query('select from decision_trials where workspace_id = $1 and decision_id = $2', own)
  t.is(rows.length, 500)
})

test.serial('trials and invalidations are found by their decision and their tool', async (t) => {
  await client.query(
    `insert into decision_trials (workspace_id, decision_id, start_time, trace_id, span_id, age_s, matched, phase)
     select $1, case when n % 20 = 0 then $2::uuid else md5((n % 20)::text)::uuid end, $3::timestamptz + n * interval '1 second', '\\x01',
       decode(lpad(to_hex(n), 16, '0'), 'hex'), 1, true, 'shadow'
     from generate_series(1, 10000) n`,
    [workspace, decision, new Date(fromMs)],
  )
  await client.query(
    `insert into invalidations (workspace_id, id, at, tool_name, input_hash)
     select $1, gen_random_uuid(), $2::timestamptz + n * interval '1 second', 'tool ' || n % 41, 'hash ' || n from generate_series(1, 5000) n`,
    [workspace, new Date(fromMs)],
  )
  await client.query('vacuum analyze decision_trials')
  await client.query('vacuum analyze invalidations')
  const own = [workspace, decision]
  await keepsWholePromise(t, 'decisions/list-trials', [...own, null, null, null, null, null, 50])
  const place = [new Date(fromMs + 3_600_000).toISOString(), '01', '00']
  await keepsWholePromise(t, 'decisions/list-trials', [...own, true, 'shadow', ...place, 50])
  const since = new Date(fromMs + 4_500_000).toISOString()
  await keepsWholePromise(t, 'decisions/list-invalidations', [workspace, 'tool 1', null, null, null, since])
  const us = Array.from({ length: 50 }, (_, at) => beganUs + at * 1_000_000)
  const texts = (text: string): string[] => us.map(() => text)
  const trials = [us, texts('01'), texts('02'), texts('hash 1'), us, us.map(() => 1), us.map(() => true), 'shadow']
  await keepsPromise(t, 'decisions/add-trials', [...own, ...trials])
  const nodes = await explainFor(client, 'decisions/add-trials', [...own, ...trials])
  t.true(nodes.some((node) => node['Index Name'] === 'events_calls'))
})

test.serial('the calls of a newer version, after the last one that a rule covered, are not read', async (t) => {
  const [own, ruleId] = [randomUUID(), randomUUID()]
  const newer = inSoak(12_000, 60_000)
  await client.query(
    `insert into events (workspace_id, start_time, trace_id, span_id, agent_id, agent_fallback, kind, counted, name, status, finish_reasons,
       attested, served, holdout, consumed_tool_call_ids, read_tool_call_ids, flags, tool_name, tool_version, input_hash, tool_call_id,
       decision_id)
     select $1, $3::timestamptz + n * interval '1 second', int8send(n), int8send(n), $1, 'a', 'tool', true, 'x', 'ok', '{}', true,
       n % 2 = 1 and n <= 20, n % 2 = 0 and n <= 20, '{}', '{}', '{}', 'tool 1', case when n <= 20 then '1' else '2' end, 'hash 1',
       'call ' || n, case when n <= 20 then $2::uuid end
     from generate_series(1, $4::int) n`,
    [own, ruleId, new Date(beganUs / 1_000), newer],
  )
  await client.query(analyzeKeys)
  const pages: Record<string, number> = {}
  const rows = async <R>(name: string, values: readonly unknown[] = []): Promise<R[]> => {
    pages[name] = (await countPages(client, name, values)).pages
    return (await data.db.rows<object>(name, values)) as R[]
  }
  const db = {
    rows,
    row: async <R>(name: string, values?: readonly unknown[]) => (await rows<R>(name, values))[0] ?? null,
  }
  const versioned = {
    workspaceId: own,
    type: 'reuse_identity',
    toolName: 'tool 1',
    toolVersion: '1',
    inputHash: null,
    agentId: null,
  }
  const run = { subject: versioned, beganUs, endedUs: openEndUs }
  t.like(await measureEffects(db, ruleId, run, true, 0), { realCalls: 0 })
  t.true(
    Object.values(pages).every((count) => count < newer / 60) && Object.keys(pages).length === 4,
    JSON.stringify(pages),
  )
})
