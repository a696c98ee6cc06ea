import test from 'ava'
import { inTransaction } from '../_kit/db.ts'
import { agentIdOf, type EventSeed, hexId, storeEvents } from '../_kit/events.ts'
import { makeRandom } from '../_kit/random.ts'
import { openReads, type Reads } from '../_kit/reads.ts'
import { makeEvents } from './_data.ts'

type Trace = { trace_id: string; start_time: string; [name: string]: unknown }
type TracePage = { items: Trace[]; next_cursor: string | null }
type TraceDetail = Trace & { spans: { span_id: string; start_time: string }[]; next_cursor: string | null }
type Invalid = { detail: { loc: string[]; type: string }[] }

const fromMs = Date.parse('2026-03-01T00:00:00Z')
const dayMs = 86_400_000
const window = { from_time: '2026-03-01T00:00:00Z', to_time: '2026-03-02T00:00:00Z' }
const at = (ms: number): string => new Date(fromMs + ms).toISOString()

let reads: Reads
test.before(async () => {
  reads = await openReads()
})
test.after.always(async () => await reads.stop())

async function readAll(
  workspace: string,
  query: Record<string, string | number>,
  between: (page: number) => Promise<void> = () => Promise.resolve(),
): Promise<string[]> {
  const ids: string[] = []
  let cursor: string | null = null
  for (let page = 0; page === 0 || cursor !== null; page++) {
    const { status, body }: { status: number; body: TracePage } = await reads.get<TracePage>(workspace, 'traces', {
      ...query,
      ...(cursor === null ? {} : { cursor }),
    })
    if (status !== 200) throw new Error(JSON.stringify(body))
    ids.push(...body.items.map(({ trace_id }) => trace_id))
    cursor = body.next_cursor
    await between(page)
  }
  return ids
}

async function listIds(workspace: string, where = 'true', order = 'start_time desc'): Promise<string[]> {
  const rows = await reads.db.query<{ id: string }>(
    `select encode(trace_id, 'hex') as id from traces
     where workspace_id = $1 and start_time >= $2 and start_time < $3 and ${where} order by ${order}, trace_id desc`,
    [workspace, window.from_time, window.to_time],
  )
  return rows.map(({ id }) => id)
}

test('all pages together are all traces of the window, newest first, whatever the page size', async (t) => {
  const workspace = await reads.makeWorkspace()
  await storeEvents(reads.db.query, workspace, makeEvents(makeRandom(1), 500, fromMs - dayMs / 10, dayMs * 1.5))
  const expected = await listIds(workspace)
  t.true(expected.length > 50)
  for (const limit of [3, 50, 200]) t.deepEqual(await readAll(workspace, { ...window, limit }), expected)
})

test('every filter narrows the list', async (t) => {
  const workspace = await reads.makeWorkspace()
  await storeEvents(reads.db.query, workspace, makeEvents(makeRandom(2), 250, fromMs, dayMs))
  await reads.db.query('update traces set cost_usd = null where workspace_id = $1 and get_byte(trace_id, 15) % 5 = 0', [
    workspace,
  ])
  await reads.db.query('update traces set error_count = 0 where workspace_id = $1 and get_byte(trace_id, 15) % 3 = 0', [
    workspace,
  ])
  const agent = agentIdOf(workspace, 'coder')
  const cases: [Record<string, string>, string][] = [
    [{ agent_id: agent }, `agent_id = '${agent}'`],
    [{ session_id: 'session 0' }, "session_id = 'session 0'"],
    [{ status: 'error' }, 'error_count > 0'],
    [{ status: 'ok' }, 'error_count = 0'],
    [{ model: 'gpt-4.1-mini' }, "'gpt-4.1-mini' = any (models)"],
    [{ tool_name: 'search' }, "'search' = any (tools)"],
    [{ min_duration_ms: '30000000.5' }, 'duration_us >= 30000000500'],
    [{ min_cost_usd: '0.1' }, 'cost_usd >= 0.1'],
    [{ served: 'true' }, 'served_calls > 0'],
    [{ served: 'false' }, 'served_calls = 0'],
  ]
  for (const [filter, where] of cases) {
    const expected = await listIds(workspace, where)
    t.true(expected.length > 0, where)
    t.deepEqual(await readAll(workspace, { ...window, ...filter, limit: 4 }), expected, where)
  }
  t.deepEqual(
    await readAll(workspace, { ...window, order_by: 'duration_ms', limit: 4 }),
    await listIds(workspace, 'true', 'duration_us desc'),
  )
  t.deepEqual(
    await readAll(workspace, { ...window, order_by: 'cost_usd', limit: 4 }),
    await listIds(workspace, 'true', 'cost_usd desc nulls last'),
  )
  t.deepEqual(
    await readAll(workspace, { ...window, order_by: 'cost_usd', status: 'error', limit: 4 }),
    await listIds(workspace, 'error_count > 0', 'cost_usd desc nulls last'),
  )
})

test('a trace whose start moves between two pages stays where the first page had it', async (t) => {
  const workspace = await reads.makeWorkspace()
  const trace = (number: number, ms: number, span: number): EventSeed => ({
    start: at(ms),
    trace: hexId(number, 32),
    span: hexId(span, 16),
  })
  // Newest first: 5, 4, 3, 2, 1.
  await storeEvents(
    reads.db.query,
    workspace,
    [1, 2, 3, 4, 5].map((number) => trace(number, number * 10_000, number)),
  )
  const moves: EventSeed[][] = [
    // 5 was listed and falls below all others; 4 leaves the window; 1 moves twice.
    [trace(5, 5_000, 10), trace(4, -1_000, 11), trace(1, 9_000, 12)],
    [trace(1, 8_000, 13), trace(3, 31, 14)],
    [trace(2, 2, 15)],
  ]
  const listed = await readAll(workspace, { ...window, limit: 1 }, async (page) => {
    const moved = moves[page]
    if (moved !== undefined) await storeEvents(reads.db.query, workspace, moved)
  })
  t.deepEqual(
    listed,
    [5, 4, 3, 2, 1].map((number) => hexId(number, 32)),
  )
})

test('the pages show what the first one saw, though traces come and their starts move all the time', async (t) => {
  const random = makeRandom(7)
  for (let round = 0; round < 4; round++) {
    const workspace = await reads.makeWorkspace()
    const seeds = makeEvents(random, 150, fromMs, dayMs)
    await storeEvents(reads.db.query, workspace, seeds)
    const before = await listIds(workspace)
    const listed = await readAll(workspace, { ...window, limit: 4 }, async (page) => {
      // Half of them belong to existing traces and may move them, half to new ones.
      const ids = (n: number) => ({
        trace: n % 2 === 0 ? random.pick(seeds).trace : hexId(10_000 + page * 100 + n, 32),
        span: hexId(10_000 + page * 100 + n, 16),
      })
      await storeEvents(reads.db.query, workspace, makeEvents(random, 40, fromMs - dayMs / 20, dayMs, ids))
    })
    t.is(new Set(listed).size, listed.length, 'nothing twice')
    const known = new Set(before)
    t.deepEqual(
      listed.filter((id) => known.has(id)),
      before,
      'all of it, in the order of then',
    )
  }
})

test('a move that is committed late counts as a move, although its transaction began before the first page', async (t) => {
  const workspace = await reads.makeWorkspace()
  const trace = (number: number, ms: number, span: number): EventSeed => ({
    start: at(ms),
    trace: hexId(number, 32),
    span: hexId(span, 16),
  })
  await storeEvents(
    reads.db.query,
    workspace,
    [1, 2, 3].map((number) => trace(number, number * 10_000, number)),
  )
  const listed = await inTransaction(reads.db.url, async (query) => {
    await storeEvents(query, workspace, [trace(2, 5_000, 20)])
    const first = await reads.get<TracePage>(workspace, 'traces', { ...window, limit: 1 })
    return { first: first.body.items[0]?.trace_id, cursor: first.body.next_cursor ?? '' }
  })
  t.is(listed.first, hexId(3, 32))
  const { body } = await reads.get<TracePage>(workspace, 'traces', { cursor: listed.cursor })
  t.deepEqual(
    body.items.map(({ trace_id }) => trace_id),
    [hexId(2, 32), hexId(1, 32)],
  )
})

test('a cursor of one order is refused in another', async (t) => {
  const workspace = await reads.makeWorkspace()
  await storeEvents(reads.db.query, workspace, makeEvents(makeRandom(3), 50, fromMs, dayMs))
  const { body } = await reads.get<TracePage>(workspace, 'traces', { ...window, limit: 1 })
  for (const order_by of ['duration_ms', 'cost_usd']) {
    const answer = await reads.get<Invalid>(workspace, 'traces', {
      ...window,
      order_by,
      cursor: body.next_cursor ?? '',
    })
    t.is(answer.status, 422)
    t.deepEqual(answer.body.detail[0]?.loc, ['query', 'cursor'])
  }
})

test('one trace comes with its spans in start order, a page at a time', async (t) => {
  const workspace = await reads.makeWorkspace()
  const seeds = makeEvents(makeRandom(8), 60, fromMs, dayMs, () => ({ trace: hexId(1, 32) }))
  await storeEvents(reads.db.query, workspace, seeds)
  const expected = seeds.toSorted((a, b) => (a.start + a.span < b.start + b.span ? -1 : 1)).map(({ span }) => span)

  const whole = await reads.get<TraceDetail>(workspace, `traces/${hexId(1, 32).toUpperCase()}`)
  t.deepEqual(
    whole.body.spans.map(({ span_id }) => span_id),
    expected,
  )
  t.is(whole.body.next_cursor, null)
  t.like(whole.body, { trace_id: hexId(1, 32), span_count: 60, status: 'error', settled: true })

  const spans: string[] = []
  let cursor: string | null = null
  do {
    const { body }: { body: TraceDetail } = await reads.get<TraceDetail>(workspace, `traces/${hexId(1, 32)}`, {
      limit: 7,
      ...(cursor === null ? {} : { cursor }),
    })
    spans.push(...body.spans.map(({ span_id }) => span_id))
    cursor = body.next_cursor
  } while (cursor !== null)
  t.deepEqual(spans, expected)

  const first = await reads.get<TraceDetail>(workspace, `traces/${hexId(1, 32)}`, { limit: 7 })
  const elsewhere = await reads.get<Invalid>(workspace, `traces/${hexId(2, 32)}`, {
    cursor: first.body.next_cursor ?? '',
  })
  t.is(elsewhere.status, 422)
})

test('a trace that is not there is a 404, also in another workspace, and an id of another form is a 422', async (t) => {
  const workspace = await reads.makeWorkspace()
  await storeEvents(reads.db.query, await reads.makeWorkspace(), [
    { start: at(0), trace: hexId(1, 32), span: hexId(1, 16) },
  ])
  t.deepEqual(await reads.get(workspace, `traces/${hexId(1, 32)}`), { status: 404, body: { detail: 'Not found' } })
  for (const malformed of ['x', hexId(1, 16), `${hexId(1, 32)}0`, hexId(1, 32).replace('0', 'g')]) {
    const { status, body } = await reads.get<Invalid>(workspace, `traces/${malformed}`)
    t.is(status, 422, malformed)
    t.like(body.detail[0], { loc: ['path', 'trace_id'], type: 'string_pattern_mismatch' })
  }
})
