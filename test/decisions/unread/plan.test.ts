// The statements of measuring unread results use the indexes that they name, on a database that holds far more than one tool's executions.
import { randomUUID } from 'node:crypto'
import test, { type ExecutionContext } from 'ava'
import type { TestDatabase } from '../../_kit/db.ts'
import { explainFor, explainGenerally, listWholeReads, type PlanNode, runStatement } from '../../_kit/plans.ts'
import { untilSeen } from '../_gated.ts'
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
const dayUs = 86_400_000_000

let data: PlanData
let client: PlanData['client']
test.before(async () => {
  data = await openPlanData(fill)
  client = data.client
})
test.after.always(async () => await data.stop())

/** Fills turns of six events: a call of one tool out of forty that attests `unread`, one of another tool, and model calls between them. */
async function fill({ query }: TestDatabase): Promise<void> {
  await query(
    `insert into events (workspace_id, start_time, trace_id, span_id, agent_id, agent_fallback, kind, counted, name, status, duration_us,
       finish_reasons, attested, attested_unread, served, holdout, consumed_tool_call_ids, read_tool_call_ids, flags, tool_name,
       input_hash, session_id, tool_call_id, decision_id, quality_score)
     select $1, $3::timestamptz + n * $5::int * interval '1 second', decode(md5((n / 6)::text), 'hex'), decode(lpad(to_hex(n), 16, '0'), 'hex'), $1,
       'a', case when n % 6 in (1, 3) then 'tool' else 'llm' end, true, 'x', 'ok', 500000, '{}', false, n % 6 = 1,
       n % 6 = 3 and n % 7 = 0, n % 6 = 1 and n % 140 = 7, case when n % 6 in (2, 4) then array['call ' || n - 1] else '{}' end, '{}', '{}',
       case when n % 6 in (1, 3) then 'tool ' || n % 41 end, case when n % 6 in (1, 3) then 'hash ' || n % 5 end,
       case when n % 12 < 6 then 'session ' || n / 60 end, case when n % 6 in (1, 3) then 'call ' || n end,
       case when n % 6 = 3 and n % 7 = 0 or n % 6 = 1 and n % 140 = 7 then $4::uuid end, case when n % 90 = 0 then 0.5 end
     from generate_series(1, $2::int) n`,
    [workspace, eventCount, new Date(fromMs), decision, everyS],
  )
  await query(
    `insert into unread_evidence (workspace_id, tool_name, agent_id, next_xid, state)
     select $1, 'tool ' || n, $1, '3', '{}' from generate_series(1, 2000) n`,
    [workspace],
  )
  await query(
    `insert into decisions (id, workspace_id, type, state, tool_name, config, shadow_at)
     select gen_random_uuid(), $1, 'suppress_dead', case when n % 2 = 0 then 'disabled' else 'shadow' end, 'rule ' || n, '{}', now()
     from generate_series(1, 2000) n`,
    [workspace],
  )
  // Otherwise an older transaction of another process would make all rows late, and a plan for that many is another one.
  await untilSeen({ query }, workspace)
}

const keepsPromise = async (t: ExecutionContext, name: string, values: readonly unknown[]): Promise<void> =>
  await keepsPromiseOn(t, client, name, values)

const subject = [workspace, 'tool 1', null, workspace]

test.serial('the executions of a subject are read along their time and their commits', async (t) => {
  const span = [beganUs, beganUs + dayUs, beganUs, 5_000]
  await keepsPromise(t, 'decisions/list-unread-executions', [...subject, ...span])
  t.true(
    (await runStatement(client, 'decisions/list-unread-executions', [
      ...subject,
      beganUs,
      beganUs + dayUs,
      null,
      5_000,
    ])) > 5,
  )
  const sessions = Array.from({ length: 50 }, (_, nth) => `session ${nth}`)
  await keepsPromise(t, 'decisions/list-session-executions', [...subject, ...span, sessions])
  await keepsPromise(t, 'decisions/find-first-unread', subject)
  const { rows } = await client.query<{ xmin: string }>('select pg_snapshot_xmin(pg_current_snapshot())::text as xmin')
  for (const acceptedSinceUs of [beganUs, null])
    await keepsPromise(t, 'decisions/find-late-unread', [...subject, rows[0]?.xmin, acceptedSinceUs])
  await keepsPromise(t, 'decisions/read-unread-evidence', subject)
  await keepsPromise(t, 'decisions/list-held-out', [workspace, decision, beganUs, 2_000])
})

/** Returns executions as the gate passes them to `judge-readings`. */
async function listGiven(): Promise<unknown[]> {
  type Row = { start_us: string; trace: string; session_id: string | null; tool_call_id: string }
  const { rows } = await client.query<Row>(
    `select (extract(epoch from start_time) * 1000000)::bigint as start_us, encode(trace_id, 'hex') as trace, session_id, tool_call_id
     from events where workspace_id = $1 and tool_name = 'tool 1' and attested_unread order by start_time limit 50`,
    [workspace],
  )
  return [
    workspace,
    rows.map((row) => row.start_us),
    rows.map((row) => row.trace),
    rows.map((row) => row.session_id),
    rows.map((row) => row.tool_call_id),
  ]
}

test.serial('uses of results are looked up by trace and session', async (t) => {
  const values = await listGiven()
  await keepsPromise(t, 'decisions/judge-readings', values)
  t.is(await runStatement(client, 'decisions/judge-readings', values), 50)
  await keepsPromise(t, 'decisions/compare-sessions', [workspace, decision, beganUs, 2_000])
  t.true((await runStatement(client, 'decisions/compare-sessions', [workspace, decision, beganUs, 2_000])) > 3)
})

test.serial('candidates are read from the executions of their tools', async (t) => {
  const window = [new Date(fromMs), new Date(fromMs + 6 * 86_400_000)]
  const values = [workspace, ...window, 1_000, 'suppress_dead', new Date(fromMs), 200]
  // The way to look up decisions depends on their number.
  const nodes = await explainFor(client, 'decisions/list-unread-subjects', values)
  t.true(nodes.some((node) => node['Index Name'] === 'events_unread_starts'))
  t.deepEqual(listWholeReads(nodes), [])
  t.is(await runStatement(client, 'decisions/list-unread-subjects', values), 41)
  await keepsPromise(t, 'decisions/weigh-unread', [...subject, ...window, 100, 86_400])
})

const readsIndex = (node: PlanNode): boolean =>
  node['Index Name'] !== undefined || node['Node Type'] === 'Function Scan' || (node.Plans ?? []).some(readsIndex)

/** Returns the nested loops that compare each row of one read with each row of another. */
const listBareLoops = (nodes: readonly PlanNode[]): PlanNode[] =>
  nodes.filter((node) => {
    const inner = node.Plans?.find(
      (part: PlanNode & { 'Parent Relationship'?: string }) => part['Parent Relationship'] === 'Inner',
    )
    return node['Node Type'] === 'Nested Loop' && inner !== undefined && !readsIndex(inner)
  })

test.serial('no plan compares each execution with each model call, however few rows it expects', async (t) => {
  t.deepEqual(listBareLoops(await explainGenerally(client, 'decisions/judge-readings')), [])
  const { rows } = await client.query<{ 'QUERY PLAN': { Plan: PlanNode }[] }>(
    `explain (format json) with a as materialized (select generate_series(1, 9) n), b as materialized (select 1 n)
     select from a join b on a.n < b.n`,
  )
  const plan = rows[0]?.['QUERY PLAN'][0]?.Plan
  t.is(listBareLoops(plan === undefined ? [] : [plan]).length, 1, 'such a plan would be found')
})
