// The sums of a commit equal the database's own counts of the rows.
import test from 'ava'
import type { Event, Kind } from '../../src/event/event.ts'
import { storeGroup } from '../../src/ingest/commit/store-group.ts'
import { insertWorkspaceRow, makeBatch, makeEvent } from '../_kit/batch.ts'
import { makeDatabase, type TestDatabase } from '../_kit/db.ts'
import { makeRandom, type Random } from '../_kit/random.ts'

let base: TestDatabase
test.before(async () => {
  base = await makeDatabase()
})
test.after.always(() => base.stop())

const awkward = ['', 'a,b', '{}', '"', '\\', 'NULL', "it's", '\u{1f600}', ' x ', 'a"b\\c']

/** Returns spans of few traces, with ties and missing values wherever possible. */
function makeEvents(random: Random, count: number): Event[] {
  const { pick, chance, int } = random
  const startMs = Date.now() - 120_000
  return Array.from({ length: count }, () => {
    const kind: Kind = pick(['llm', 'tool', 'agent', 'embedding', 'other'] as const)
    const isCall = kind === 'llm' || kind === 'embedding'
    return makeEvent({
      traceId: pick(['01', '02', '03', '04', '05', '06']).repeat(16),
      parentSpanId: chance(0.8) ? 'ab'.repeat(8) : null,
      startTimeUnixNano: BigInt(startMs + int(20)) * 1_000_000n,
      durationUs: chance(0.2) ? null : int(10_000_000),
      kind,
      name: pick(awkward),
      status: pick(['ok', 'error'] as const),
      agentOwn: pick(['planner', 'coder', 'a "quoted" \\ one']),
      sessionId: pick([null, 's1', 's2', ...awkward]),
      userId: pick([null, 'u1', 'u2']),
      model: isCall ? pick([null, 'gpt-4o', ...awkward]) : null,
      toolName: kind === 'tool' ? pick(['search', ...awkward]) : null,
      served: chance(0.3),
      holdout: chance(0.3),
      usage: {
        inputTokens: isCall && chance(0.8) ? int(1_000_000) : null,
        outputTokens: isCall ? 7 : null,
        cachedTokens: isCall ? 3 : null,
        cacheWriteTokens: null,
        cacheWrite1hTokens: null,
        reasoningTokens: null,
      },
    })
  })
}

const readTraces = async (workspace: string): Promise<object[]> =>
  await base.query(
    `select trace_id, start_time, end_time, has_root, name, name_start_time, agent_id, session_id, user_id, span_count, llm_calls,
       tool_calls, served_calls, holdout_calls, error_count, input_tokens, output_tokens, cached_tokens, cache_write_tokens,
       round(cost_usd::numeric, 9) as cost_usd, unpriced_calls, array(select unnest(models) order by 1) as models,
       array(select unnest(tools) order by 1) as tools
     from traces where workspace_id = $1 order by trace_id`,
    [workspace],
  )

/** Recounts as settling does when it has nothing to change. */
async function countAnew(workspace: string): Promise<void> {
  const traces = await base.query<{ trace_id: Buffer }>('select trace_id from traces where workspace_id = $1', [
    workspace,
  ])
  await base.db.run('ingest/settle-traces', [traces.map(() => workspace), traces.map((row) => row.trace_id)])
}

for (const seed of [1, 2, 3]) {
  test(`traces and agents are what a count of the stored spans gives, whatever was stored before (${seed})`, async (t) => {
    const random = makeRandom(seed)
    const workspace = await insertWorkspaceRow(base.query)
    const before = makeEvents(random, 40)
    const events = makeEvents(random, 120)
    const of = (some: readonly Event[], costUsd?: number) =>
      makeBatch(workspace, some, {
        ...(costUsd === undefined ? {} : { costUsd }),
        resolved: { counted: random.chance(0.8) },
      })
    // Repeated spans do not count, and a commit does not read a trace's earlier names: only the first commit writes its names.
    const group = [
      of(events.slice(0, 50), 0.25),
      of(events.slice(50, 90)),
      of([...events.slice(80), ...events.slice(0, 5)]),
    ]
    const outcomes = await storeGroup(base.db, group)
    t.is(
      outcomes.reduce((sum, { stored }) => sum + stored, 0),
      120,
    )
    const told = await readTraces(workspace)
    await countAnew(workspace)
    t.deepEqual(told, await readTraces(workspace))

    await storeGroup(base.db, [of(before), of(events)])
    const [agents] = await base.query(
      `select count(*)::int as wrong from agents a join (
         select agent_id, count(*) as events, min(start_time) as first, max(start_time) as last,
           coalesce(array_agg(distinct model) filter (where counted and model is not null), '{}') as models
         from events where workspace_id = $1 group by agent_id
       ) e on e.agent_id = a.id
       where (a.events, a.first_seen, a.last_seen) is distinct from (e.events, e.first, e.last)
         or not (a.models @> e.models and e.models @> a.models)`,
      [workspace],
    )
    t.deepEqual(agents, { wrong: 0 })
    const [sums] = await base.query(
      `select (select sum(span_count)::int from traces where workspace_id = $1) as spans,
         (select count(*)::int from events where workspace_id = $1) as events,
         (select sum(input_tokens)::bigint from traces where workspace_id = $1)
           = (select sum(input_tokens) from events where workspace_id = $1 and counted) as tokens`,
      [workspace],
    )
    t.deepEqual(sums, { spans: 160, events: 160, tokens: true })
  })
}
