// The clock of the reads: the one that they are given, not that of the machine.
import test from 'ava'
import { hexId, storeEvents } from '../_kit/events.ts'
import { openReads, type Reads } from '../_kit/reads.ts'

// With a fraction of a millisecond, as the clock of the database has.
const clockMs = Date.parse('2025-03-31T23:59:59.900Z') + 0.7

let reads: Reads
let workspace: string
test.before(async () => {
  reads = await openReads(() => clockMs)
  workspace = await reads.makeWorkspace()
  const starts = ['2025-03-31T23:55:00.000000Z', '2025-03-31T23:59:59.899999Z', '2025-03-31T23:59:59.900000Z']
  const seeds = starts.map((start, at) => ({ start, trace: hexId(at + 1, 32), span: hexId(at + 1, 16), agent: 'one' }))
  await storeEvents(reads.db.query, workspace, seeds)
})
test.after.always(async () => await reads.stop())

const bounds = { from_time: '2025-03-30T23:59:59.900Z', to_time: '2025-03-31T23:59:59.900Z' }

for (const path of ['events', 'traces'])
  test(`a list of ${path} without bounds ends at the time of the given clock`, async (t) => {
    const { body } = await reads.get<{ items: { trace_id: string }[]; next_cursor: string }>(workspace, path, {
      limit: 1,
    })
    t.deepEqual(
      body.items.map(({ trace_id: id }) => id),
      [hexId(2, 32)],
    )
    const next = await reads.get<typeof body>(workspace, path, { cursor: body.next_cursor })
    t.deepEqual(
      next.body.items.map(({ trace_id: id }) => id),
      [hexId(1, 32)],
    )
  })

test('stats without bounds end at the time of the given clock', async (t) => {
  const summary = await reads.get<{ total_events: number }>(workspace, 'stats/summary')
  t.like(summary.body, { ...bounds, total_events: 2 })
  const series = await reads.get<{ series: { points: { events: number }[] }[] }>(workspace, 'stats/timeseries')
  t.like(series.body, bounds)
  const points = series.body.series.flatMap((one) => one.points)
  t.is(
    points.reduce((sum, { events }) => sum + events, 0),
    2,
  )
  const breakdown = await reads.get<{ items: { events: number }[] }>(workspace, 'stats/breakdown')
  t.is(breakdown.body.items[0]?.events, 2)
  t.like((await reads.get(workspace, 'stats/savings')).body, bounds)
  const instrumentations = await reads.get<{ items: { spans: number }[] }>(workspace, 'stats/instrumentations')
  // Of the cut minute alone: the rows of whole minutes are not written here.
  t.is(instrumentations.body.items[0]?.spans, 1)
})

test('a window up to now is checked at the time of the given clock', async (t) => {
  const paths = [
    'events',
    'traces',
    ...['summary', 'timeseries', 'breakdown', 'savings', 'instrumentations'].map((name) => `stats/${name}`),
  ]
  for (const path of paths) {
    t.is((await reads.get(workspace, path, { from_time: '2024-03-01T00:00:00Z' })).status, 200, path)
    t.is((await reads.get(workspace, path, { from_time: '2025-04-01T00:00:00Z' })).status, 422, path)
  }
})

test('an agent is active, and usage is of the month, by the given clock', async (t) => {
  const agents = await reads.get<{ id: string; status: string }[]>(workspace, 'agents')
  t.is(agents.body[0]?.status, 'active')
  t.like((await reads.get(workspace, `agents/${agents.body[0]?.id ?? ''}`)).body, { status: 'active' })
  for (const path of ['usage', 'usage/timeseries'])
    t.like((await reads.get(workspace, path)).body, { period_start: '2025-03-01T00:00:00.000Z' })
  await reads.db.query(
    `insert into usage_rejections (workspace_id, month, reason, count, last_seen, example)
     values ($1, '2025-03-01', 'invalid_trace_id', 1, now(), 'example')`,
    [workspace],
  )
  t.like((await reads.get(workspace, 'usage/rejections')).body, [{ reason: 'invalid_trace_id' }])
})
