import test from 'ava'
import type { Event } from '../../src/event/event.ts'
import { storeGroup } from '../../src/ingest/commit/store-group.ts'
import { type BatchOptions, insertWorkspaceRow, makeBatch, makeEvent, makeLlmEvent } from '../_kit/batch.ts'
import { makeDatabase, type TestDatabase } from '../_kit/db.ts'
import { inOneMonth } from '../_kit/one-month.ts'
import { settleUnhurried } from '../_kit/settle.ts'

let base: TestDatabase
test.before(async () => {
  base = await makeDatabase()
})
test.after.always(() => base.stop())

const store = async (workspace: string, events: readonly Event[], options: BatchOptions = {}) => {
  const [outcome] = await storeGroup(base.db, [makeBatch(workspace, events, options)])
  if (outcome === undefined) throw new Error('no outcome')
  return outcome
}

/** Sums the days, of which there are two if midnight passes during the test. */
const sumDays = async (workspace: string): Promise<Record<string, unknown> | undefined> =>
  (
    await base.query(
      `select sum(stored)::int as stored, sum(duplicate)::int as duplicate, sum(dropped_quota)::int as dropped_quota,
         sum(dropped_agent_cap)::int as dropped_agent_cap from usage_days where workspace_id = $1`,
      [workspace],
    )
  )[0]

const agentNames = async (workspace: string): Promise<string[]> =>
  (
    await base.query<{ name: string }>('select name from agents where workspace_id = $1 order by name', [workspace])
  ).map(({ name }) => name)

test('a span that comes again after settling corrected its agent is a duplicate and brings no agent back', async (t) => {
  const workspace = await insertWorkspaceRow(base.query)
  const root = makeEvent({ kind: 'agent', agentOwn: 'planner' })
  const call = makeLlmEvent(1, 1, { traceId: root.traceId, parentSpanId: root.spanId, agentFallback: 'my-service' })
  await store(workspace, [call])
  await store(workspace, [root])
  while ((await base.query('select from traces where workspace_id = $1 and not settled', [workspace])).length > 0) {
    await settleUnhurried(base.db, 0)
  }
  t.deepEqual(await agentNames(workspace), ['planner'])
  t.like(await store(workspace, [call], { agentCap: 1 }), { duplicate: 1, droppedAgentCap: 0 })
  t.like(await store(workspace, [call, makeEvent({ agentOwn: 'planner' })]), { duplicate: 1, stored: 1 })
  t.deepEqual(await agentNames(workspace), ['planner'])
})

test(
  'an agent all of whose spans were dropped by a quota is not stored',
  inOneMonth(async (t) => {
    const workspace = await insertWorkspaceRow(base.query)
    const of = (name: string): Event => makeEvent({ agentOwn: name })
    t.like(await store(workspace, [of('a'), of('b'), of('c')], { eventQuota: 2 }), { stored: 2, droppedQuota: 1 })
    t.like(await store(workspace, [of('d')], { eventQuota: 2, granted: 0 }), { stored: 0, droppedQuota: 1 })
    t.deepEqual(await agentNames(workspace), ['a', 'b'])
  }),
)

test(
  'a grant of zero drops no span while the month has quota left',
  inOneMonth(async (t) => {
    const workspace = await insertWorkspaceRow(base.query)
    t.like(await store(workspace, [makeEvent()], { eventQuota: 1, granted: 0 }), { stored: 1, droppedQuota: 0 })
    t.like(await store(workspace, [makeEvent()], { eventQuota: 1, granted: 0 }), { stored: 0, droppedQuota: 1 })
  }),
)

test(
  'a span that is dropped again is dropped on its day and counted once in its month, also beside new ones and in another order',
  inOneMonth(async (t) => {
    const workspace = await insertWorkspaceRow(base.query)
    const first = Array.from({ length: 30 }, () => makeEvent())
    const full = { eventQuota: 10, granted: 10 }
    t.like(await store(workspace, first, full), { stored: 10, droppedQuota: 20 })
    t.like(await store(workspace, first, full), { stored: 0, duplicate: 10, droppedQuota: 20 })
    const mixed = [makeEvent(), ...first.slice(5, 20).toReversed(), makeEvent()]
    t.like(await store(workspace, mixed, full), { stored: 0, duplicate: 5, droppedQuota: 12 })
    const [month] = await base.query('select accepted, dropped_quota from usage_months where workspace_id = $1', [
      workspace,
    ])
    t.deepEqual(month, { accepted: '10', dropped_quota: '22' })
    t.like(await sumDays(workspace), { stored: 10, duplicate: 10 + 5, dropped_quota: 20 + 20 + 12 })
  }),
)

test(
  'spans of an agent beyond the cap that come again are dropped on their day and counted once in their month',
  inOneMonth(async (t) => {
    const workspace = await insertWorkspaceRow(base.query)
    const events = [makeEvent({ agentOwn: 'a' }), makeEvent({ agentOwn: 'b' }), makeEvent({ agentOwn: 'b' })]
    t.like(await store(workspace, events, { agentCap: 1 }), { stored: 1, droppedAgentCap: 2 })
    t.like(await store(workspace, events, { agentCap: 1 }), { duplicate: 1, droppedAgentCap: 2 })
    const [month] = await base.query('select dropped_agent_cap from usage_months where workspace_id = $1', [workspace])
    t.deepEqual(month, { dropped_agent_cap: '2' })
    t.like(await sumDays(workspace), { duplicate: 1, dropped_agent_cap: 4 })
  }),
)

test(
  'a span in two requests of one group counts once in a quota, whether it is stored or dropped',
  inOneMonth(async (t) => {
    const options = { eventQuota: 2, granted: 2 }
    const storeTwo = async (workspace: string, of: BatchOptions, agentOwn?: string) => {
      const [one, shared, other] = Array.from({ length: 3 }, () =>
        makeEvent(agentOwn === undefined ? {} : { agentOwn }),
      )
      if (one === undefined || shared === undefined || other === undefined) throw new Error('three events')
      const group = [makeBatch(workspace, [one, shared], of), makeBatch(workspace, [shared, other], of)]
      const [first, second] = await storeGroup(base.db, group)
      const [month] = await base.query(
        'select accepted, dropped_quota, dropped_agent_cap from usage_months where workspace_id = $1',
        [workspace],
      )
      return [first, second, month] as const
    }
    const workspace = await insertWorkspaceRow(base.query)
    const [first, second, month] = await storeTwo(workspace, options)
    t.like(first, { stored: 2, duplicate: 0, droppedQuota: 0 })
    t.like(second, { stored: 0, duplicate: 1, droppedQuota: 1 })
    t.like(month, { accepted: '2', dropped_quota: '1' })
    const [, , used] = await storeTwo(workspace, options)
    t.like(used, { accepted: '2', dropped_quota: '4' })

    const capped = await insertWorkspaceRow(base.query)
    await store(capped, [makeEvent({ agentOwn: 'a' })], { agentCap: 1 })
    const [, , overCap] = await storeTwo(capped, { agentCap: 1 }, 'b')
    t.like(overCap, { accepted: '1', dropped_agent_cap: '3' })
  }),
)

test('spans that two writers send at once count once in a quota', async (t) => {
  const workspace = await insertWorkspaceRow(base.query)
  const same = Array.from({ length: 100 }, () => makeEvent())
  const own = (): Event[] => Array.from({ length: 20 }, () => makeEvent())
  const outcomes = await Promise.all(
    Array.from({ length: 5 }, () => store(workspace, [...same, ...own()], { eventQuota: 200, granted: 120 })),
  )
  const sum = (pick: (outcome: (typeof outcomes)[number]) => number): number =>
    outcomes.reduce((total, one) => total + pick(one), 0)
  t.deepEqual([sum((one) => one.stored), sum((one) => one.duplicate), sum((one) => one.droppedQuota)], [200, 400, 0])
})
