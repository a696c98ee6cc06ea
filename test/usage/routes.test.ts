import test from 'ava'
import { rejectReasons } from '../../src/otlp/reject.ts'
import { rejectionOut } from '../../src/usage/routes.ts'
import { hexId, storeEvents } from '../_kit/events.ts'
import { openReads, type Reads } from '../_kit/reads.ts'

type Numbers = Record<string, number | string | boolean | null>

let reads: Reads
test.before(async () => {
  reads = await openReads()
})
test.after.always(async () => await reads.stop())

const thisMonth = (): string => new Date().toISOString().slice(0, 7)

test('the usage record of a workspace that sent nothing has zeros, the current month and the caps of its plan', async (t) => {
  const workspace = await reads.makeWorkspace('free')
  const before = thisMonth()
  const { status, body } = await reads.get<Numbers>(workspace, 'usage')
  t.is(status, 200)
  // A month may end between the two.
  const month = String(body['period_start']).startsWith(before) ? before : thisMonth()
  const next = new Date(`${month}-01T00:00:00.000Z`)
  next.setUTCMonth(next.getUTCMonth() + 1)
  t.deepEqual(body, {
    workspace_id: workspace,
    plan: 'free',
    period_start: `${month}-01T00:00:00.000Z`,
    period_end: next.toISOString(),
    accepted_events: 0,
    dropped_events_quota: 0,
    dropped_events_agent_cap: 0,
    event_quota: 50_000,
    agent_cap: 5,
    agents: 0,
    quota_exceeded: false,
  })
})

test('a plan without caps has null for them and never exceeds a quota', async (t) => {
  const workspace = await reads.makeWorkspace('self_hosted')
  const period = thisMonth()
  await reads.db.query('insert into usage_months (workspace_id, month, accepted) values ($1, $2, 1000000000)', [
    workspace,
    `${period}-01`,
  ])
  const { body } = await reads.get<Numbers>(workspace, 'usage', { period })
  t.like(body, { event_quota: null, agent_cap: null, quota_exceeded: false, accepted_events: 1_000_000_000 })
})

test('the quota counts as exceeded once an event fills it, and each month has its own counters', async (t) => {
  const workspace = await reads.makeWorkspace('free')
  await reads.db.query(
    `insert into usage_months (workspace_id, month, accepted, dropped_quota, dropped_agent_cap)
     values ($1, '2025-02-01', 49999, 0, 4), ($1, '2025-03-01', 50000, 0, 0), ($1, '2025-04-01', 50000, 7, 2)`,
    [workspace],
  )
  await storeEvents(reads.db.query, workspace, [
    { start: '2025-03-01T00:00:00Z', trace: hexId(1, 32), span: hexId(1, 16), agent: 'a' },
    { start: '2025-03-01T00:00:00Z', trace: hexId(1, 32), span: hexId(2, 16), agent: 'b' },
  ])
  const read = async (period: string): Promise<Numbers> =>
    (await reads.get<Numbers>(workspace, 'usage', { period })).body
  t.like(await read('2025-02'), {
    accepted_events: 49_999,
    dropped_events_agent_cap: 4,
    quota_exceeded: false,
    agents: 2,
  })
  t.like(await read('2025-03'), { accepted_events: 50_000, dropped_events_quota: 0, quota_exceeded: true })
  t.like(await read('2025-04'), { dropped_events_quota: 7, dropped_events_agent_cap: 2, quota_exceeded: true })
  t.like(await read('2025-05'), { accepted_events: 0, quota_exceeded: false })
  t.like(await read('2025-12'), { period_start: '2025-12-01T00:00:00.000Z', period_end: '2026-01-01T00:00:00.000Z' })
})

test('after a change to a larger plan the quota is not exceeded any more, whatever the smaller one dropped', async (t) => {
  for (const plan of ['team', 'self_hosted']) {
    const workspace = await reads.makeWorkspace(plan)
    await reads.db.query(
      `insert into usage_months (workspace_id, month, accepted, dropped_quota) values ($1, '2025-02-01', 50000, 7)`,
      [workspace],
    )
    const { body } = await reads.get<Numbers>(workspace, 'usage', { period: '2025-02' })
    t.like(body, { accepted_events: 50_000, dropped_events_quota: 7, quota_exceeded: false }, plan)
  }
})

test('agents without a slot of the cap count once a trace is settled with them, and while there is room', async (t) => {
  const add = `insert into agents (workspace_id, id, name, first_seen, last_seen, provisional, in_settled_trace)
    select $1, gen_random_uuid(), $2 || nth, now(), now(), $3, $4 from generate_series(1, $5) nth`
  const count = async (plan: string, slots: number): Promise<unknown> => {
    const workspace = await reads.makeWorkspace(plan)
    await reads.db.query(add, [workspace, 'slot', false, false, slots])
    await reads.db.query(add, [workspace, 'settled', true, true, 2])
    await reads.db.query(add, [workspace, 'open', true, false, 3])
    return (await reads.get<Numbers>(workspace, 'usage')).body['agents']
  }
  t.deepEqual(
    await Promise.all([count('free', 1), count('free', 4), count('free', 6), count('self_hosted', 6)]),
    [3, 5, 6, 8],
  )
})

test('the outcomes of each day of the month are there, zeros on days without any', async (t) => {
  const workspace = await reads.makeWorkspace()
  await reads.db.query(
    `insert into usage_days (workspace_id, day, stored, duplicate, rejected, dropped_quota, dropped_agent_cap)
     values ($1, '2024-01-31', 9, 9, 9, 9, 9), ($1, '2024-02-01', 1, 2, 3, 4, 5), ($1, '2024-02-29', 6, 0, 0, 1, 0), ($1, '2024-03-01', 9, 9, 9, 9, 9)`,
    [workspace],
  )
  const { body } = await reads.get<{ points: Numbers[] }>(workspace, 'usage/timeseries', { period: '2024-02' })
  const none = { stored: 0, duplicate: 0, rejected: 0, dropped_quota: 0, dropped_agent_cap: 0, dropped: 0 }
  const expected = Array.from({ length: 29 }, (_, at) => ({
    time: `2024-02-${String(at + 1).padStart(2, '0')}T00:00:00.000Z`,
    ...none,
  }))
  expected[0] = {
    ...expected[0],
    time: '2024-02-01T00:00:00.000Z',
    stored: 1,
    duplicate: 2,
    rejected: 3,
    dropped_quota: 4,
    dropped_agent_cap: 5,
    dropped: 9,
  }
  expected[28] = { ...none, time: '2024-02-29T00:00:00.000Z', stored: 6, dropped_quota: 1, dropped: 1 }
  t.deepEqual(body.points, expected)
})

test('the reasons of rejections are listed for one month, the most frequent first', async (t) => {
  const workspace = await reads.makeWorkspace()
  const other = await reads.makeWorkspace()
  await reads.db.query(
    `insert into usage_rejections (workspace_id, month, reason, count, last_seen, example)
     values ($1, '2024-02-01', 'trace_id_invalid', 3, '2024-02-05T06:07:08.999999Z', 'a'), ($1, '2024-02-01', 'too_old', 8, '2024-02-01T00:00:00Z', 'b'),
       ($1, '2024-03-01', 'too_old', 1, '2024-03-01T00:00:00Z', 'c'), ($2, '2024-02-01', 'too_old', 99, '2024-02-01T00:00:00Z', 'd')`,
    [workspace, other],
  )
  const { body } = await reads.get(workspace, 'usage/rejections', { period: '2024-02' })
  t.deepEqual(body, [
    { reason: 'too_old', count: 8, last_seen: '2024-02-01T00:00:00.000Z', example: 'b' },
    { reason: 'trace_id_invalid', count: 3, last_seen: '2024-02-05T06:07:08.999Z', example: 'a' },
  ])
})

test('the reasons that the document names are reasons that spans are rejected for', (t) => {
  const examples = rejectionOut.shape.reason.meta()?.examples as string[]
  t.true(examples.length > 0)
  for (const reason of examples)
    t.true(
      rejectReasons.some((known) => known === reason),
      reason,
    )
})
