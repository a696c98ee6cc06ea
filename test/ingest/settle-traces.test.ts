import test from 'ava'
import { type Event, noUsage } from '../../src/event/event.ts'
import { storeGroup } from '../../src/ingest/commit/store-group.ts'
import { insertWorkspaceRow, makeBatch, makeEvent, makeLlmEvent } from '../_kit/batch.ts'
import { makeDatabase, type TestDatabase } from '../_kit/db.ts'
import { makeRandom } from '../_kit/random.ts'
import { settleUnhurried } from '../_kit/settle.ts'
import { seed } from '../_kit/soak.ts'

let base: TestDatabase
test.before(async () => {
  base = await makeDatabase()
})
test.after.always(() => base.stop())

/** Settles until the workspace has no unsettled trace and no agent that settling emptied; another test may hold some for a moment. */
const settle = async (workspace: string): Promise<void> => {
  const left = `select from traces where workspace_id = $1 and not settled
    union all select from agents where workspace_id = $1 and events <= 0`
  while ((await base.query(left, [workspace])).length > 0) {
    await settleUnhurried(base.actor, 0)
    await base.db.run('ingest/sweep-empty-agents')
  }
}

/** Returns every value that settling may change, except those that differ between two histories of the same spans. */
async function readTruth(workspace: string): Promise<object> {
  const events = await base.query(
    `select encode(span_id, 'hex') as span, a.name as agent, session_id, user_id, counted, flags,
       reasoning_tokens, inferred_tools
     from events e join agents a on a.workspace_id = e.workspace_id and a.id = e.agent_id
     where e.workspace_id = $1 order by 1`,
    [workspace],
  )
  const traces = await base.query(
    `select encode(trace_id, 'hex') as trace, t.name, a.name as agent, start_time, end_time, has_root, session_id, user_id, span_count,
       llm_calls, tool_calls, error_count, input_tokens, output_tokens, cost_usd, t.models, tools, t.settled
     from traces t join agents a on a.workspace_id = t.workspace_id and a.id = t.agent_id where t.workspace_id = $1 order by 1`,
    [workspace],
  )
  const agents = await base.query(
    'select name, events, models, first_seen, last_seen from agents where workspace_id = $1 order by 1',
    [workspace],
  )
  return { events, traces, agents }
}

/**
 * A planner that calls a researcher. The framework wraps one model call in a span that repeats the usage, and reports the other one beside
 * the client, which counts one more token and reports the reasoning tokens. Of three tools that the planner requests, one is reported.
 */
function makeTrace(): Event[] {
  // One base time for all spans: which of them contain others must not depend on how long it takes to make them.
  const startMs = Date.now() - 60_000
  const at = (ms: number): bigint => BigInt(startMs + ms) * 1_000_000n
  const root = makeEvent({
    kind: 'agent',
    name: 'invoke_agent planner',
    agentOwn: 'planner',
    sessionId: 's',
    userId: 'u',
    startTimeUnixNano: at(0),
    durationUs: 9_000_000,
  })
  const of = (known: Partial<Event>): Partial<Event> => ({
    traceId: root.traceId,
    agentFallback: 'my-service',
    ...known,
  })
  const wrapper = makeLlmEvent(50, 5, of({ parentSpanId: root.spanId, startTimeUnixNano: at(10) }))
  const toolRequests = [
    { id: 'c1', name: 'search' },
    { id: 'c2', name: 'search' },
    { id: 'c3', name: 'read' },
  ]
  const call = makeLlmEvent(50, 5, of({ parentSpanId: wrapper.spanId, startTimeUnixNano: at(20), toolRequests }))
  const tool = makeEvent(
    of({ kind: 'tool', toolName: 'search', toolCallId: 'c1', parentSpanId: root.spanId, startTimeUnixNano: at(30) }),
  )
  const again = makeEvent(
    of({
      kind: 'tool',
      toolName: 'search',
      toolCallId: 'c1',
      parentSpanId: tool.spanId,
      startTimeUnixNano: at(31),
      status: 'error',
    }),
  )
  const sub = makeEvent(
    of({ kind: 'agent', agentOwn: 'researcher', parentSpanId: again.spanId, startTimeUnixNano: at(40) }),
  )
  const deep = makeLlmEvent(
    7,
    3,
    of({
      parentSpanId: sub.spanId,
      startTimeUnixNano: at(50),
      durationUs: 40_000,
      model: 'claude-sonnet-4-5',
      scopeName: 'framework',
      usage: { ...noUsage, inputTokens: 7, outputTokens: 3, cachedTokens: 2 },
    }),
  )
  const beside = makeLlmEvent(
    7,
    4,
    of({
      usage: { ...noUsage, inputTokens: 7, outputTokens: 4, reasoningTokens: 1 },
      parentSpanId: sub.spanId,
      startTimeUnixNano: at(55),
      durationUs: 30_000,
      model: 'claude-sonnet-4-5',
      scopeName: 'client',
    }),
  )
  return [root, wrapper, call, tool, again, sub, deep, beside]
}

test('any order of arrival, in any batches, settles to the same result', async (t) => {
  const trace = makeTrace()
  const truths: object[] = []
  const orders = [trace, trace.toReversed(), [3, 6, 0, 5, 1, 7, 4, 2].map((at) => trace[at] as Event)]
  for (const [nth, order] of orders.entries()) {
    const workspace = await insertWorkspaceRow(base.query)
    const size = [8, 1, 2][nth] ?? 1
    for (let from = 0; from < order.length; from += size) {
      await storeGroup(base.db, [makeBatch(workspace, order.slice(from, from + size), { costUsd: 0.01 })])
      // Between some of the batches the trace is settled once.
      if (nth === 2) await settle(workspace)
    }
    await settle(workspace)
    truths.push(await readTruth(workspace))
  }
  t.deepEqual(truths[1], truths[0])
  t.deepEqual(truths[2], truths[0])
  const { events, traces, agents } = truths[0] as { events: object[]; traces: object[]; agents: object[] }
  t.like(traces[0], {
    agent: 'planner',
    llm_calls: '2',
    tool_calls: '3',
    tools: ['read', 'search'],
    error_count: '1',
    input_tokens: '57',
    session_id: 's',
    settled: true,
  })
  t.deepEqual(
    agents.map((agent) => [(agent as { name: string }).name, (agent as { events: string }).events]),
    [
      ['planner', '5'],
      ['researcher', '3'],
    ],
  )
  const inferred = (events as { flags: string[]; inferred_tools: string | null }[]).filter(({ flags }) =>
    flags.includes('tool_inferred'),
  )
  t.deepEqual(
    inferred.map(({ inferred_tools }) => inferred_tools),
    ['read\nsearch'],
  )
  const reasoning = (events as { counted: boolean; flags: string[]; reasoning_tokens: string | null }[]).filter(
    ({ counted, flags }) => counted && flags.includes('told_twice'),
  )
  t.deepEqual(
    reasoning.map(({ reasoning_tokens }) => reasoning_tokens),
    ['1'],
    'the counted span has the part that only the other one tells',
  )
  t.true(events.every((event) => (event as { session_id: string }).session_id === 's'))
  const told = (events as { counted: boolean; flags: string[] }[]).filter(({ flags }) => flags.includes('told_twice'))
  t.deepEqual(
    told.map(({ counted }) => counted).toSorted((a, b) => Number(a) - Number(b)),
    [false, true],
  )
})

test('settling a settled trace changes nothing', async (t) => {
  const workspace = await insertWorkspaceRow(base.query)
  await storeGroup(base.db, [makeBatch(workspace, makeTrace().toReversed())])
  await settle(workspace)
  const before = await readTruth(workspace)
  await base.query('update traces set settled = false where workspace_id = $1', [workspace])
  await settle(workspace)
  t.deepEqual(await readTruth(workspace), before)
})

test.serial(
  'a trace is summed up again only if its spans came in several transactions, some were removed, or one changes',
  async (t) => {
    const workspace = await insertWorkspaceRow(base.query)
    const startTimeUnixNano = BigInt(Date.now() - 60_000) * 1_000_000n
    const call = () => makeLlmEvent(10, 1, { startTimeUnixNano })
    const withTwo = () => {
      const first = call()
      return [first, makeLlmEvent(10, 1, { startTimeUnixNano, traceId: first.traceId, model: 'gpt-4o' })] as const
    }
    const [plain, late, removed] = [withTwo(), withTwo(), withTwo()]
    const changed = makeTrace()
    await storeGroup(base.db, [makeBatch(workspace, [...plain, late[0], ...removed, ...changed.toReversed()])])
    await storeGroup(base.db, [makeBatch(workspace, [late[1]])])
    await base.query(`delete from events where workspace_id = $1 and encode(span_id, 'hex') = $2`, [
      workspace,
      removed[0].spanId,
    ])
    // A wrong sum shows which traces are summed up.
    await base.query('update traces set input_tokens = 999 where workspace_id = $1', [workspace])
    await settle(workspace)
    const sums = await base.query<{ trace: string; tokens: number }>(
      `select encode(trace_id, 'hex') as trace, input_tokens::int as tokens from traces where workspace_id = $1`,
      [workspace],
    )
    const tokensOf = (events: readonly Event[]): number | undefined =>
      sums.find(({ trace }) => trace === events[0]?.traceId)?.tokens
    t.deepEqual([plain, late, removed, changed].map(tokensOf), [999, 20, 10, 57])
  },
)

test.serial('a trace in which each failure repeats that of another span has one failure', async (t) => {
  const workspace = await insertWorkspaceRow(base.query)
  const around = makeEvent({ kind: 'tool', toolName: 'search', scopeName: 'A' })
  const inside = { kind: 'tool', toolName: 'search', toolCallId: 'c1', scopeName: 'B', status: 'error' } as const
  const failed = makeEvent({ ...inside, traceId: around.traceId, parentSpanId: around.spanId })
  const again = makeEvent({ ...inside, traceId: around.traceId, parentSpanId: failed.spanId })
  await storeGroup(base.db, [makeBatch(workspace, [around, failed, again], { resolved: { errorCarried: true } })])
  await base.query('update traces set settled = false where workspace_id = $1', [workspace])
  await settle(workspace)
  t.like(await readTruth(workspace), { traces: [{ error_count: '1' }] })
})

test('first and last times of an agent are correct if settling moves as many spans away from it as to it', async (t) => {
  const workspace = await insertWorkspaceRow(base.query)
  const startMs = Date.now() - 60_000
  const startOf = (second: number): bigint => BigInt(startMs + second * 1_000) * 1_000_000n
  const roots = ['planner', 'support'].map((agentOwn) =>
    makeEvent({ kind: 'agent', agentOwn, startTimeUnixNano: startOf(10) }),
  )
  const childOf = (root: Event | undefined, agentFallback: string, second: number): Event =>
    makeLlmEvent(1, 1, {
      traceId: root?.traceId ?? '',
      parentSpanId: root?.spanId ?? null,
      agentFallback,
      startTimeUnixNano: startOf(second),
    })
  const lost = [childOf(roots[0], 'support', 10), childOf(roots[0], 'support', 11)]
  const won = [childOf(roots[1], 'shop', 0), childOf(roots[1], 'shop', 20)]
  await storeGroup(base.db, [makeBatch(workspace, [...lost, ...won])])
  await storeGroup(base.db, [makeBatch(workspace, roots)])
  await settle(workspace)
  const [support] = await base.query('select * from agents where workspace_id = $1 and name = $2', [
    workspace,
    'support',
  ])
  t.like(support, { first_seen: new Date(startMs), last_seen: new Date(startMs + 20_000) })
})

test('a call that a rule serves counts as served, also where a framework reports the tool around it', async (t) => {
  const workspace = await insertWorkspaceRow(base.query)
  const tool = {
    kind: 'tool',
    toolName: 'search',
    startTimeUnixNano: BigInt(Date.now() - 60_000) * 1_000_000n,
  } as const
  const around = makeEvent({ ...tool, toolCallId: 'c1', scopeName: 'framework' })
  const served = { ...tool, traceId: around.traceId, parentSpanId: around.spanId, scopeName: 'sdk', served: true }
  await storeGroup(base.db, [makeBatch(workspace, [around])])
  await settle(workspace)
  await storeGroup(base.db, [makeBatch(workspace, [makeEvent(served)])])
  await settle(workspace)
  const counts = 'select tool_calls::int, served_calls::int from traces where workspace_id = $1'
  t.deepEqual(await base.query(counts, [workspace]), [{ tool_calls: 1, served_calls: 1 }])
})

test('two concurrent settlers and a writer result in the numbers of a fresh aggregation', async (t) => {
  const workspace = await insertWorkspaceRow(base.query)
  const traces = Array.from({ length: 20 }, makeTrace)
  const spans = makeRandom(seed).shuffle(traces.flat())
  const writing = new AbortController()
  const settlers = [0, 1].map(async () => {
    while (!writing.signal.aborted) await settleUnhurried(base.actor, 0)
  })
  try {
    for (let from = 0; from < spans.length; from += 10) {
      await storeGroup(base.db, [makeBatch(workspace, spans.slice(from, from + 10))])
    }
  } finally {
    writing.abort()
    await Promise.all(settlers)
  }
  await settle(workspace)
  const [sums] = await base.query(
    `select sum(llm_calls)::int as calls, sum(tool_calls)::int as tools, sum(input_tokens)::int as tokens, sum(span_count)::int as spans,
       (select sum(events)::int from agents where workspace_id = $1) as of_agents
     from traces where workspace_id = $1`,
    [workspace],
  )
  t.deepEqual(sums, { calls: 40, tools: 60, tokens: 20 * 57, spans: 160, of_agents: 160 })
})

test('spans of a trace with the same id are marked, in any order', async (t) => {
  const workspace = await insertWorkspaceRow(base.query)
  const startUs = BigInt(Date.now() - 60_000) * 1_000n
  const first = makeEvent({ startTimeUnixNano: startUs * 1_000n })
  const again = { ...first, startTimeUnixNano: (startUs + 5n) * 1_000n }
  const other = makeEvent({ traceId: first.traceId, startTimeUnixNano: (startUs + 9n) * 1_000n })
  for (const span of [again, other, first]) await storeGroup(base.db, [makeBatch(workspace, [span])])
  await settle(workspace)
  const flags = 'select flags from events where workspace_id = $1 order by start_time'
  const rows = await base.query<{ flags: string[] }>(flags, [workspace])
  t.deepEqual(
    rows.map((row) => row.flags),
    [['id_repeated'], ['id_repeated'], []],
  )
})
