// A tool that a model asks for in one trace and that a span of another trace reports, settled in any order.
import test from 'ava'
import type { Event } from '../../src/event/event.ts'
import { storeGroup } from '../../src/ingest/commit/store-group.ts'
import { insertWorkspace, makeBatch, makeEvent, makeLlmEvent } from '../_kit/batch.ts'
import { makeDatabase, type TestDatabase } from '../_kit/db.ts'
import { settleDueTraces } from '../_kit/settle.ts'

let base: TestDatabase
test.before(async () => {
  base = await makeDatabase()
})
test.after.always(() => base.stop())

const startMs = Date.now() - 60_000

const at = (ms: number): Pick<Event, 'startTimeUnixNano' | 'agentFallback'> => ({
  startTimeUnixNano: BigInt(startMs + ms) * 1_000_000n,
  agentFallback: 'my-service',
})

/** The call of a client that is traced by itself: 100 ms long, of 50 tokens. */
const makeAsking = (ms: number, ids: readonly (string | null)[] = [null], more: Partial<Event> = {}): Event =>
  makeLlmEvent(50, 5, {
    ...at(ms),
    durationUs: 100_000,
    scopeName: 'client',
    toolRequests: ids.map((id) => ({ id, name: 'get_weather' })),
    ...more,
  })

const makeTool = (ms: number, more: Partial<Event> = {}): Event =>
  makeEvent({ ...at(ms), kind: 'tool', scopeName: 'tools', toolName: 'get_weather', inputHash: 'sha256:1', ...more })

const store = async (workspace: string, events: readonly Event[]): Promise<void> =>
  void (await storeGroup(base.db, [makeBatch(workspace, [...events], { costUsd: 0.01 })]))

/** How many traces were settled until none is left. */
async function settle(workspace: string): Promise<number> {
  const left = 'select from traces where workspace_id = $1 and not settled'
  let traces = 0
  while ((await base.query(left, [workspace])).length > 0) traces += (await settleDueTraces(base.db, 0)).traces
  return traces
}

const countTools = async (workspace: string): Promise<number | undefined> => {
  const [sum] = await base.query<{ calls: number }>(
    'select sum(tool_calls)::int as calls from traces where workspace_id = $1',
    [workspace],
  )
  return sum?.calls
}

/** The calls of tools after these spans were stored and settled one after the other. */
async function countAfter(...batches: (readonly Event[])[]): Promise<number | undefined> {
  const workspace = await insertWorkspace(base.query)
  for (const batch of batches) {
    await store(workspace, batch)
    await settle(workspace)
  }
  return await countTools(workspace)
}

test.serial('a call of a tool that is asked for in one trace and reported in another counts once', async (t) => {
  const both = (): [asking: Event, tool: Event] => [makeAsking(0), makeTool(101)]
  const [askingFirst, toolFirst] = [both(), both()]
  t.is(await countAfter(both()), 1)
  t.is(await countAfter([askingFirst[0]], [askingFirst[1]]), 1, 'the report comes after its request was settled')
  t.is(await countAfter([toolFirst[1]], [toolFirst[0]]), 1)
})

test.serial('settling again changes nothing, and reopens nothing', async (t) => {
  const workspace = await insertWorkspace(base.query)
  await store(workspace, [makeAsking(0)])
  await settle(workspace)
  await store(workspace, [makeTool(101)])
  t.is(await settle(workspace), 2, 'the trace that asks is settled once more')
  await base.query('update traces set settled = false where workspace_id = $1', [workspace])
  t.is(await settle(workspace), 2)
  t.is(await countTools(workspace), 1)
})

test.serial('each report is of one call', async (t) => {
  const [one, other] = [makeAsking(0), makeAsking(300)]
  t.is(await countAfter([one, other, makeTool(101), makeTool(401)]), 2)
  t.is(await countAfter([makeAsking(0, [null, null]), makeTool(101)]), 2, 'one of two requests is reported')
  t.is(await countAfter([makeAsking(0, ['c1', 'c2']), makeTool(101), makeTool(102)]), 2, 'spans without ids')
})

test.serial('ids decide where both sides have them', async (t) => {
  const call = (id: string): Event => makeTool(101, { toolCallId: id })
  t.is(await countAfter([makeAsking(0, ['c1']), call('c1')]), 1)
  t.is(await countAfter([makeAsking(0, ['c1']), call('c2')]), 2)
})

test.serial('calls that were not asked for there stay calls of their own', async (t) => {
  t.is(await countAfter([makeAsking(200), makeTool(0)]), 2, 'it began before')
  t.is(await countAfter([makeAsking(0), makeTool(15_000)]), 2, 'long after')
  t.is(await countAfter([makeAsking(0), makeTool(101, { toolName: 'search' })]), 2)
  t.is(await countAfter([makeAsking(0), makeTool(101, { agentFallback: 'other-service' })]), 2)
  const agent = makeEvent({ ...at(50), kind: 'agent' })
  const within = { traceId: agent.traceId, parentSpanId: agent.spanId }
  const ofAgent = [agent, makeLlmEvent(50, 5, { ...at(60), ...within }), makeTool(101, within)]
  t.is(await countAfter([makeAsking(0), ...ofAgent]), 2, 'the other trace has a model of its own that may have asked')
})
