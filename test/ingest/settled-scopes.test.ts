// The changes that settling makes to the counts of instrumentation scopes.
import type { Event } from '../../src/event/event.ts'
import { storeGroup } from '../../src/ingest/commit/store-group.ts'
import { around } from '../_kit/around.ts'
import { type BatchOptions, insertWorkspaceRow, makeBatch, makeEvent, makeLlmEvent } from '../_kit/batch.ts'
import { makeDatabase, type TestDatabase } from '../_kit/db.ts'
import { settleUnhurried } from '../_kit/settle.ts'

let base: TestDatabase
const test = around(
  async () => {
    base = await makeDatabase()
  },
  async () => await base.stop(),
)

const startMs = Date.now() - 60_000
const at = (ms: number): Partial<Event> => ({
  startTimeUnixNano: BigInt(startMs + ms) * 1_000_000n,
  agentFallback: 'my-service',
})

const store = async (workspace: string, events: readonly Event[], options: BatchOptions = {}): Promise<void> =>
  void (await storeGroup(base.db, [makeBatch(workspace, [...events], options)]))

async function settle(): Promise<void> {
  while ((await settleUnhurried(base.db, 0)).traces > 0);
}

type Counts = { scope: string; spans: number; told_twice: number; repeated: number; unpriced: number; unnamed: number }

/** Returns the sum of the counts that are not folded yet. */
const read = async (workspace: string): Promise<Counts[]> =>
  await base.query<Counts>(
    `select scope_name as scope, sum(spans)::int as spans, sum(told_twice)::int as told_twice, sum(repeated)::int as repeated,
       sum(unpriced)::int as unpriced, sum(agents_unnamed)::int as unnamed
     from scope_deltas where workspace_id = $1 group by 1 order by 1`,
    [workspace],
  )

const counts = (scope: string, more: Partial<Counts>): Counts => ({
  scope,
  spans: 1,
  told_twice: 0,
  repeated: 0,
  unpriced: 1,
  unnamed: 1,
  ...more,
})

test.serial(
  'a call that two scopes tell, in one trace and in two, is told twice of both, and repeats in one',
  async (t) => {
    for (const isOneTrace of [true, false]) {
      const workspace = await insertWorkspaceRow(base.query)
      const framework = makeLlmEvent(50, 5, { ...at(0), durationUs: 100_000, scopeName: 'framework', responseId: 'r1' })
      const more = isOneTrace ? { traceId: framework.traceId } : {}
      const client = makeLlmEvent(50, 5, {
        ...at(2),
        durationUs: 90_000,
        scopeName: 'client',
        responseId: 'r1',
        ...more,
      })
      await store(workspace, [client])
      await store(workspace, [framework])
      t.deepEqual(await read(workspace), [counts('client', {}), counts('framework', {})])
      await settle()
      const told = { told_twice: 1 }
      // Only the counted span lacks a price.
      const repeated = { ...told, repeated: 1, unpriced: 0 }
      const [row] = await base.query<{ scope: string }>(
        'select scope_name as scope from events where workspace_id = $1 and not counted',
        [workspace],
      )
      t.deepEqual(await read(workspace), [
        counts('client', row?.scope === 'client' ? repeated : told),
        counts('framework', row?.scope === 'framework' ? repeated : told),
      ])
      const settled = await read(workspace)
      const deltas = await base.query('select from scope_deltas')
      await base.query('update traces set settled = false')
      await settle()
      t.deepEqual(await read(workspace), settled)
      t.is((await base.query('select from scope_deltas')).length, deltas.length, 'settling again appends nothing')
    }
  },
)

test.serial('a call inside of another one no longer lacks a price, since only one of them counts', async (t) => {
  const workspace = await insertWorkspaceRow(base.query)
  const outer = makeLlmEvent(50, 5, { ...at(0), durationUs: 100_000, scopeName: 'a' })
  const inner = makeLlmEvent(50, 5, { ...at(5), traceId: outer.traceId, parentSpanId: outer.spanId, scopeName: 'b' })
  await store(workspace, [outer])
  await store(workspace, [inner])
  await settle()
  t.deepEqual(await read(workspace), [
    counts('a', { told_twice: 1, repeated: 1, unpriced: 0 }),
    counts('b', { told_twice: 1 }),
  ])
})

test.serial('an agent that arrives late names the spans below it, even with the name of the service', async (t) => {
  for (const name of ['planner', 'my-service']) {
    const workspace = await insertWorkspaceRow(base.query)
    const root = makeEvent({ ...at(0), kind: 'agent', agentOwn: name, scopeName: 'framework' })
    const below = makeLlmEvent(1, 1, {
      ...at(1),
      traceId: root.traceId,
      parentSpanId: root.spanId,
      scopeName: 'client',
    })
    await store(workspace, [below])
    await settle()
    t.deepEqual(await read(workspace), [counts('client', {})])
    await store(workspace, [root])
    await settle()
    const named = { unnamed: 0 }
    t.deepEqual(await read(workspace), [counts('client', named), counts('framework', { ...named, unpriced: 0 })])
    t.deepEqual(await base.query('select distinct agent_unnamed from events where workspace_id = $1', [workspace]), [
      { agent_unnamed: false },
    ])
  }
})

test.serial('spans of a resource that names the agent, and those of an older release, are never unnamed', async (t) => {
  const workspace = await insertWorkspaceRow(base.query)
  const resource = makeEvent({ ...at(0), scopeName: 'a', hasMainAgent: true })
  const older = makeEvent({ ...at(1), scopeName: 'b' })
  await store(workspace, [resource, older])
  await base.query('update events set agent_unnamed = null where span_id = decode($1, $2)', [older.spanId, 'hex'])
  // As if the spans had not been counted.
  await base.query('delete from scope_deltas')
  const root = makeEvent({ ...at(0), traceId: older.traceId, agentOwn: 'late', scopeName: 'c' })
  await store(workspace, [root])
  await settle()
  t.deepEqual(
    (await read(workspace)).map(({ scope, unnamed }) => [scope, unnamed]),
    [['c', 0]],
  )
  t.deepEqual(
    await base.query('select scope_name as scope, agent_unnamed from events where workspace_id = $1 order by 1', [
      workspace,
    ]),
    [
      { scope: 'a', agent_unnamed: null },
      { scope: 'b', agent_unnamed: null },
      { scope: 'c', agent_unnamed: false },
    ],
  )
})
