import test from 'ava'
import { storeGroup } from '../../src/ingest/commit/store-group.ts'
import type { Database } from '../../src/store/database.ts'
import { type BatchOptions, insertWorkspaceRow, makeBatch, makeEvent, makeLlmEvent } from '../_kit/batch.ts'
import { makeDatabase, type TestDatabase } from '../_kit/db.ts'
import { inOneMonth } from '../_kit/one-month.ts'
import { makeRandom } from '../_kit/random.ts'
import { seed } from '../_kit/soak.ts'

let base: TestDatabase
test.before(async () => {
  base = await makeDatabase()
})
test.after.always(() => base.stop())

const store = async (workspace: string, events: ReturnType<typeof makeEvent>[], options: BatchOptions = {}) => {
  const [outcome] = await storeGroup(base.front, [makeBatch(workspace, events, options)])
  if (outcome === undefined) throw new Error('no outcome')
  return outcome
}

/** Sums the months, of which there are two if one ends during the test. */
const usage = async (workspace: string) =>
  (
    await base.query(
      `select sum(accepted)::int as accepted, sum(dropped_quota)::int as dropped_quota, sum(dropped_agent_cap)::int as dropped_agent_cap
       from usage_months where workspace_id = $1 group by workspace_id`,
      [workspace],
    )
  )[0]

test('a batch is stored with its trace, agent and usage in one go', async (t) => {
  const workspace = await insertWorkspaceRow(base.query)
  const root = makeEvent({ kind: 'agent', name: 'invoke_agent planner', agentOwn: 'planner', sessionId: 's1' })
  const call = makeLlmEvent(100, 20, { traceId: root.traceId, parentSpanId: root.spanId, agentOwn: 'planner' })
  const outcome = await store(workspace, [root, call], { costUsd: 0.5 })
  t.like(outcome, { stored: 2, duplicate: 0, workspaceGone: false })
  const [trace] = await base.query('select * from traces where workspace_id = $1', [workspace])
  t.like(trace, {
    name: 'invoke_agent planner',
    span_count: '2',
    llm_calls: '1',
    input_tokens: '100',
    session_id: 's1',
    settled: false,
  })
  const [agent] = await base.query('select name, events, models from agents where workspace_id = $1', [workspace])
  t.deepEqual(agent, { name: 'planner', events: '2', models: ['gpt-4o'] })
  t.like(await usage(workspace), { accepted: 2 })
  const blocks = await base.query('select * from payload_blocks where workspace_id = $1', [workspace])
  t.is(blocks.length, 1)
})

test('the same spans again, alone, doubled in a batch and doubled in a group, are duplicates and change no number', async (t) => {
  const workspace = await insertWorkspaceRow(base.query)
  const events = Array.from({ length: 50 }, () => makeLlmEvent(10, 1))
  t.like(await store(workspace, [...events, ...events]), { stored: 50, duplicate: 50 })
  t.like(await store(workspace, events), { stored: 0, duplicate: 50 })
  const outcomes = await storeGroup(base.front, [
    makeBatch(workspace, events),
    makeBatch(workspace, [...events, makeEvent()]),
  ])
  t.deepEqual(
    outcomes.map(({ stored, duplicate }) => [stored, duplicate]),
    [
      [0, 50],
      [1, 50],
    ],
  )
  t.like(await usage(workspace), { accepted: 51 })
  const [sums] = await base.query(
    'select sum(span_count)::int as spans, sum(input_tokens)::int as tokens from traces where workspace_id = $1',
    [workspace],
  )
  t.deepEqual(sums, { spans: 51, tokens: 500 })
})

test('two writers with the same spans at the same time store each once', async (t) => {
  const workspace = await insertWorkspaceRow(base.query)
  const random = makeRandom(seed)
  const events = Array.from({ length: 300 }, () => makeLlmEvent(10, 1, { agentOwn: random.pick(['a1', 'a2']) }))
  const outcomes = await Promise.all(
    Array.from({ length: 6 }, (_, nth) => store(workspace, nth % 2 === 0 ? events : events.toReversed())),
  )
  t.is(
    outcomes.reduce((sum, { stored }) => sum + stored, 0),
    300,
  )
  const [row] = await base.query(
    `select (select count(*)::int from events where workspace_id = $1) as events,
       (select sum(span_count)::int from traces where workspace_id = $1) as spans,
       (select sum(events)::int from agents where workspace_id = $1) as of_agents,
       (select sum(accepted)::int from usage_months where workspace_id = $1) as accepted`,
    [workspace],
  )
  t.deepEqual(row, { events: 300, spans: 300, of_agents: 300, accepted: 300 })
})

test('a row that PostgreSQL refuses is rejected alone', async (t) => {
  const workspace = await insertWorkspaceRow(base.query)
  const events = Array.from({ length: 20 }, () => makeEvent())
  // U+0000 cannot be stored as text. Decoding replaces it, so only a bug could send it to the database.
  events[7] = makeEvent({ errorMessage: 'a\u0000b' })
  const outcome = await store(workspace, events, {
    rejections: [{ reason: 'invalid_span_id', count: 3, example: 'x' }],
  })
  t.like(outcome, { stored: 19, notStorable: 1, duplicate: 0 })
  t.deepEqual(
    await base.query('select reason, count::int, example from usage_rejections where workspace_id = $1 order by 1', [
      workspace,
    ]),
    [
      { reason: 'invalid_span_id', count: 3, example: 'x' },
      {
        reason: 'not_storable',
        count: 1,
        example:
          'The database rejected the data of this span; its log has the reason (that of the embedded PostgreSQL is written with TRACEWRIGHT_LOG_LEVEL=debug only).',
      },
    ],
  )
  t.deepEqual(
    await base.query('select stored::int, rejected::int from usage_days where workspace_id = $1', [workspace]),
    [{ stored: 19, rejected: 4 }],
  )
})

test(
  'exactly the quota is stored, duplicates do not use it up, and drops are counted',
  inOneMonth(async (t) => {
    const workspace = await insertWorkspaceRow(base.query)
    const quota = { eventQuota: 100 }
    const first = Array.from({ length: 60 }, () => makeEvent())
    t.like(await store(workspace, first, { ...quota, granted: 60 }), { stored: 60 })
    // A grant that is too generous, as from a stale actor.
    const second = Array.from({ length: 60 }, () => makeEvent())
    t.like(await store(workspace, [...first, ...second], { ...quota, granted: 120 }), {
      stored: 40,
      duplicate: 60,
      droppedQuota: 20,
    })
    t.like(await store(workspace, first, quota), { stored: 0, duplicate: 60, droppedQuota: 0 })
    t.deepEqual(await usage(workspace), { accepted: 100, dropped_quota: 20, dropped_agent_cap: 0 })
  }),
)

test(
  'many concurrent writers never exceed a quota',
  inOneMonth(async (t) => {
    const workspace = await insertWorkspaceRow(base.query)
    const outcomes = await Promise.all(
      Array.from({ length: 8 }, () =>
        store(
          workspace,
          Array.from({ length: 30 }, () => makeEvent()),
          { eventQuota: 100, granted: 30 },
        ),
      ),
    )
    const sum = (pick: (outcome: (typeof outcomes)[number]) => number) =>
      outcomes.reduce((total, one) => total + pick(one), 0)
    t.is(
      sum((one) => one.stored),
      100,
    )
    t.is(
      sum((one) => one.droppedQuota),
      140,
    )
    t.like(await usage(workspace), { accepted: 100, dropped_quota: 140 })
  }),
)

test('agents over the cap are dropped with their spans; known agents go on', async (t) => {
  const workspace = await insertWorkspaceRow(base.query)
  const of = (name: string) => makeEvent({ agentOwn: name })
  t.like(await store(workspace, [of('a'), of('b')], { agentCap: 3 }), { stored: 2 })
  t.like(await store(workspace, [of('c'), of('d'), of('e'), of('a'), of('d')], { agentCap: 3 }), {
    stored: 2,
    droppedAgentCap: 3,
  })
  t.deepEqual(
    (await base.query<{ name: string }>('select name from agents where workspace_id = $1 order by 1', [workspace])).map(
      ({ name }) => name,
    ),
    ['a', 'b', 'c'],
  )
  t.like(await usage(workspace), { accepted: 4, dropped_agent_cap: 3 })
})

test('nothing is stored for a workspace that was deleted meanwhile', async (t) => {
  const workspace = await insertWorkspaceRow(base.query)
  await base.query('update workspaces set deleted_at = now() where id = $1', [workspace])
  t.like(await store(workspace, [makeEvent()]), { workspaceGone: true, stored: 0 })
  t.is(await usage(workspace), undefined)
  t.deepEqual(await base.query('select 1 from events where workspace_id = $1', [workspace]), [])
})

test('a large group is counted in turns of the event loop, and then all that locks what others wait for is sent in one', async (t) => {
  const workspace = await insertWorkspaceRow(base.query)
  let turn = 0
  let isCounting = true
  const count = (): void => {
    turn += 1
    if (isCounting) setImmediate(count)
  }
  t.teardown(() => {
    isCounting = false
  })
  count()
  /** Returns the turns in which the rows were sent, and in which the statements after them were sent. */
  async function store(rows: number): Promise<{ copies: number[]; sends: number[] }> {
    const [copies, sends]: [number[], number[]] = [[], []]
    const watched: Database = {
      ...base.db,
      tx: async (work, options) =>
        await base.db.tx(async (tx) => {
          const send: typeof tx.send = (...statement) => {
            sends.push(turn)
            tx.send(...statement)
          }
          const copy: typeof tx.copy = (...rowsToCopy) => {
            copies.push(turn)
            tx.copy(...rowsToCopy)
          }
          return await work({ ...tx, send, copy })
        }, options),
    }
    const events = Array.from({ length: rows }, () => makeEvent())
    const [outcome] = await storeGroup(watched, [makeBatch(workspace, events)])
    t.is(outcome?.stored, rows)
    return { copies, sends }
  }
  const large = await store(1_001)
  t.is(new Set(large.sends).size, 1)
  t.true((large.sends[0] ?? 0) - (large.copies[0] ?? 0) >= 4)
  const small = await store(1_000)
  t.is(new Set([...small.copies, ...small.sends]).size, 1, 'control: a small one takes one turn')
})
