// Counts of traces, sessions and inputs beyond what a sketch lists, for a window that is folded except for its last events.
import { createHash } from 'node:crypto'
import test, { type ExecutionContext } from 'ava'
import type { Event } from '../../src/event/event.ts'
import { storeGroup } from '../../src/ingest/commit/store-group.ts'
import { makeBucket } from '../../src/sketches/bucket.ts'
import { encodeRow, mergeRow, type RowBytes } from '../../src/sketches/row-codec.ts'
import { dropMembers, setNames } from '../../src/sketches/sets.ts'
import { makeBatch, makeEvent, makeLlmEvent } from '../_kit/batch.ts'
import { openReads, type Reads } from '../_kit/reads.ts'
import { finishAll } from '../rollups/_truth.ts'
import { foldAnew } from './_fold.ts'

const hourMs = 3_600_000
const fromMs = Date.parse('2026-03-10T06:00:00Z')
const traces = 4_200
const hours = 30
// In the first minutes of each hour, to limit the number of rows.
const startOf = (trace: number): number => {
  const hour = Math.floor((trace * hours) / traces)
  return fromMs + hour * hourMs + ((trace * 97) % 150_000)
}
const toMs = fromMs + hours * hourMs
const agentOf = (trace: number): string => ['planner', 'critic'][trace % 2] ?? ''
const modelOf = (trace: number): string => ['small', 'large'][trace % 3 === 0 ? 1 : 0] ?? ''

/** The same in every run: with random ids, about one estimate in a hundred would equal the exact count. */
const traceIdOf = (trace: number): string => createHash('sha256').update(`trace-${trace}`).digest('hex').slice(0, 32)

/** Returns an agent that calls a model and a tool; each trace has its own session and input. */
function makeTrace(trace: number): Event[] {
  const startTimeUnixNano = BigInt(startOf(trace)) * 1_000_000n
  const traceId = traceIdOf(trace)
  const own = { traceId, agentOwn: agentOf(trace), sessionId: `session ${trace}` }
  const root = makeEvent({ ...own, kind: 'agent', startTimeUnixNano })
  const known = {
    ...own,
    parentSpanId: root.spanId,
    startTimeUnixNano: startTimeUnixNano + 1_000_000n,
  }
  const call = { kind: 'tool' as const, toolName: 'search', inputHash: `input ${trace}` }
  return [root, makeLlmEvent(10, 2, { ...known, model: modelOf(trace) }), makeEvent({ ...known, ...call })]
}

let reads: Reads
let workspace: string
let agents: Map<string, string>

const store = async (first: number, end: number): Promise<void> => {
  for (let from = first; from < end; from += 300) {
    const some = Array.from({ length: Math.min(300, end - from) }, (_, nth) => makeTrace(from + nth)).flat()
    await storeGroup(reads.db.db, [makeBatch(workspace, some)])
  }
}

test.before(async () => {
  reads = await openReads()
  workspace = await reads.makeWorkspace()
  await store(0, 3_900)
  await finishAll(reads.db.db, workspace)
  await store(3_900, traces)
  const rows = await reads.db.query<{ id: string; name: string }>('select id, name from agents')
  agents = new Map(rows.map(({ id, name }) => [name, id]))
})
test.after.always(async () => await reads.stop())

type Numbers = Record<string, number>
type Series = { series: { key: string; points: (Numbers & { time: string })[] }[] }

const numbers = Array.from({ length: traces }, (_, trace) => trace)
const within = (from: number, to: number): number[] =>
  numbers.filter((trace) => startOf(trace) >= from && startOf(trace) < to)

const windowOf = (from: number, to: number): Record<string, string> => ({
  from_time: new Date(from).toISOString(),
  to_time: new Date(to).toISOString(),
})
// Two whole days.
const all = windowOf(fromMs - 6 * hourMs, fromMs + 42 * hourMs)

async function summarize(query: Record<string, string>): Promise<Numbers> {
  return (await reads.get<Numbers>(workspace, 'stats/summary', query)).body
}

async function countListed(query: Record<string, string>): Promise<number> {
  type Page = { items: { trace_id: string }[]; next_cursor: string | null }
  const ids = new Set<string>()
  let cursor: string | null = null
  do {
    const more: Record<string, string> = cursor === null ? {} : { cursor }
    const { body }: { body: Page } = await reads.get<Page>(workspace, 'traces', { ...query, ...more, limit: 200 })
    for (const { trace_id } of body.items) ids.add(trace_id)
    cursor = body.next_cursor
  } while (cursor !== null)
  return ids.size
}

test.serial('a summary counts as many traces as the list has, and all sessions', async (t) => {
  const summary = await summarize(all)
  t.is(summary['total_events'], 3 * traces)
  t.deepEqual([summary['traces'], summary['sessions']], [traces, traces])
  t.is(await countListed(all), traces)
})

test.serial('so does one of a window that is cut anywhere, and one of an agent', async (t) => {
  const [from, to] = [fromMs + 2 * hourMs + 70_123, toMs - hourMs + 80_456]
  const query = windowOf(from, to)
  const inside = within(from, to)
  t.true(inside.length > 3_000)
  const summary = await summarize(query)
  t.deepEqual([summary['traces'], summary['sessions']], [inside.length, inside.length])
  t.is(await countListed(query), inside.length)
  for (const [name, id] of agents) {
    const own = await summarize({ ...all, agent_id: id })
    const count = numbers.filter((trace) => agentOf(trace) === name).length
    t.true(count > 2_048)
    t.deepEqual([own['traces'], own['sessions']], [count, count])
    t.is(await countListed({ ...all, agent_id: id }), count)
  }
})

test.serial('a breakdown counts the inputs of a tool, and of each agent', async (t) => {
  type Breakdown = { items: ({ key: string; label: string } & Numbers)[]; other: Numbers | null }
  const read = async (query: Record<string, string>): Promise<Breakdown> =>
    (await reads.get<Breakdown>(workspace, 'stats/breakdown', { ...all, ...query })).body
  const byTool = await read({ group_by: 'tool' })
  t.deepEqual(
    byTool.items.map(({ key, distinct_inputs }) => [key, distinct_inputs]),
    [['search', traces]],
  )
  const byAgent = await read({ group_by: 'agent' })
  const inputs = Object.fromEntries(byAgent.items.map(({ label, distinct_inputs }) => [label, distinct_inputs]))
  t.deepEqual(inputs, { critic: traces / 2, planner: traces / 2 })
  const byKind = await read({ group_by: 'kind', limit: '1', order_by: 'cost_usd' })
  t.is((byKind.items[0]?.distinct_inputs ?? 0) + (byKind.other?.['distinct_inputs'] ?? 0), traces)
})

async function chart(
  t: ExecutionContext,
  query: Record<string, string>,
  keyOf: (trace: number) => string,
): Promise<void> {
  const { body } = await reads.get<Series>(workspace, 'stats/timeseries', { ...all, ...query })
  t.true(body.series.length > 0)
  const lengthMs = query['interval'] === '6h' ? 6 * hourMs : 24 * hourMs
  for (const { key, points } of body.series) {
    for (const point of points) {
      const start = Date.parse(point.time)
      const inside = within(start, start + lengthMs).filter((trace) => keyOf(trace) === key)
      t.is(point['traces'], inside.length, `${key} ${point.time} ${JSON.stringify(query)}`)
    }
  }
}

test.serial('the points of a time series count their traces: in total, grouped and filtered', async (t) => {
  const agentId = (trace: number): string => agents.get(agentOf(trace)) ?? ''
  for (const time of [{ interval: '1d' }, { interval: '6h' }, { interval: '1d', time_zone: 'Asia/Kathmandu' }]) {
    await chart(t, time, () => 'all')
    await chart(t, { ...time, group_by: 'model' }, modelOf)
    await chart(t, { ...time, group_by: 'agent' }, agentId)
    await chart(t, { ...time, group_by: 'kind', kind: 'tool' }, () => 'tool')
    await chart(t, { ...time, model: 'small' }, (trace) => (modelOf(trace) === 'small' ? 'all' : ''))
  }
})

/** Days and hours whose sets have too many members: their minutes are read instead. */
async function crowd(tier: number): Promise<void> {
  type Stored = RowBytes & { readonly start_time: Date }
  const rows = await reads.db.query<Stored>('select start_time, total, cells, sets from rollups where tier = $1', [
    tier,
  ])
  for (const row of rows) {
    const bucket = makeBucket()
    mergeRow(bucket, row)
    for (const name of setNames) dropMembers(bucket, name, 'many')
    const { total, cells, sets } = encodeRow(bucket)
    await reads.db.query(
      'update rollups set total = $3, cells = $4, sets = $5, writes = writes + 1 where tier = $1 and start_time = $2',
      [tier, row.start_time, total, cells, sets],
    )
  }
}

test.serial('sets that are too large for a day are counted from its hours, and from their minutes', async (t) => {
  for (const tier of [2, 1]) {
    await crowd(tier)
    t.is((await summarize(all))['traces'], traces)
    await chart(t, { interval: '1d' }, () => 'all')
    await chart(t, { interval: '1d', group_by: 'model' }, modelOf)
  }
  // No tier is shorter than a minute.
  await crowd(0)
  const estimate = (await summarize(all))['traces'] ?? 0
  t.not(estimate, traces)
  t.true(Math.abs(estimate / traces - 1) < 4 * 0.0081)
  await foldAnew(reads.db.db, workspace, { fromMs, toMs })
})

test.serial(
  'the control: without sets there are estimates, as the release before told; a rebuild brings them back',
  async (t) => {
    const before = await summarize(all)
    t.is(before['traces'], traces)
    // As the previous release writes a row: it updates the other columns, and does not know sets.
    await reads.db.query('update rollups set total = total, cells = cells where tier = 2')
    t.deepEqual(await reads.db.query('select distinct sets is null as unknown from rollups where tier = 2'), [
      { unknown: true },
    ])
    const after = await summarize(all)
    t.not(after['traces'], traces)
    t.true(Math.abs((after['traces'] ?? 0) / traces - 1) < 4 * 0.0081)
    t.deepEqual({ ...after, traces, sessions: traces }, before)
    await foldAnew(reads.db.db, workspace, { fromMs, toMs })
    t.deepEqual(await summarize(all), before)
  },
)

test.serial('a delta of the release before is read and folded; its minute has estimates from then on', async (t) => {
  await store(traces, traces + 10)
  await reads.db.query('update rollup_deltas set sets = null')
  const isEstimate = async (): Promise<void> => {
    const told = (await summarize(windowOf(fromMs, toMs + 4 * hourMs)))['traces'] ?? 0
    t.not(told, traces + 10)
    t.true(Math.abs(told / (traces + 10) - 1) < 4 * 0.0081)
    // A window without it is counted as usual.
    t.is((await summarize(windowOf(fromMs, toMs)))['traces'], traces)
  }
  await isEstimate()
  await finishAll(reads.db.db, workspace)
  t.deepEqual(await reads.db.query('select from rollup_deltas'), [])
  await isEstimate()
})

test.serial('a trace that began before the window is counted, and is not in the list', async (t) => {
  const other = await reads.makeWorkspace()
  const root = makeEvent({ startTimeUnixNano: BigInt(fromMs - 1_000) * 1_000_000n })
  const late = makeEvent({
    traceId: root.traceId,
    parentSpanId: root.spanId,
    startTimeUnixNano: BigInt(fromMs + 1_000) * 1_000_000n,
  })
  await storeGroup(reads.db.db, [makeBatch(other, [root, late])])
  const window = windowOf(fromMs, toMs)
  t.is((await reads.get<Numbers>(other, 'stats/summary', window)).body['traces'], 1)
  t.deepEqual((await reads.get<{ items: unknown[] }>(other, 'traces', window)).body.items, [])
})
