// Lists whose filters match rarely: no page scans more than its bounds, and all pages together give the whole list.
import { randomBytes, randomUUID } from 'node:crypto'
import test from 'ava'
import { listEvents } from '../../src/queries/events/list-events.ts'
import { type ScanStep, scanPage } from '../../src/queries/scan.ts'
import { listTraces } from '../../src/queries/traces/list-traces.ts'
import { openCursors } from '../../src/web/page.ts'
import { makeDatabase, type TestDatabase } from '../_kit/db.ts'
import { hexId, storeEvents } from '../_kit/events.ts'
import { makeRandom } from '../_kit/random.ts'
import { makeEvents } from './_data.ts'

const fromMs = Date.parse('2026-03-01T00:00:00Z')
const dayMs = 86_400_000
const window = { from_time: fromMs * 1_000, to_time: (fromMs + 20 * dayMs) * 1_000 }
// So tight that nearly every page ends early.
const bounds = { rowsPerStep: 11, maxScanned: 30, maxMs: 60_000 }
const cursors = openCursors([randomBytes(32)])

let db: TestDatabase
/** Statements that ran since this list was emptied. */
const ran: string[] = []
const deps = () => ({
  cursors,
  nowMs: Date.now,
  db: {
    ...db.db,
    rows: <Row extends object>(name: string, values?: readonly unknown[]) => {
      ran.push(name)
      return db.db.rows<Row>(name, values)
    },
  },
})
test.before(async () => {
  db = await makeDatabase()
})
test.after.always(async () => await db.stop())

type Listed = { readonly ok: boolean; readonly value?: { rows: readonly object[]; nextCursor: string | null } }

/** Returns all pages, and how many of them were cut short. `between` runs after each. */
async function readAll(
  list: (cursor: string | undefined) => Promise<Listed>,
  limit: number,
  between: () => Promise<void> = () => Promise.resolve(),
): Promise<{ rows: Record<string, unknown>[]; short: number }> {
  const rows: Record<string, unknown>[] = []
  let short = 0
  for (let cursor: string | undefined; ; ) {
    const { value } = await list(cursor)
    if (value === undefined) throw new Error('the list refused')
    if (value.rows.length > limit) throw new Error('a page is too long')
    rows.push(...(value.rows as Record<string, unknown>[]))
    if (value.nextCursor === null) return { rows, short }
    if (value.rows.length < limit) short += 1
    cursor = value.nextCursor
    await between()
  }
}

test.serial(
  'pages of rare events are short or empty, and all of them together are all events that match',
  async (t) => {
    const workspaceId = randomUUID()
    const seeds = makeEvents(makeRandom(11), 900, fromMs - dayMs, 22 * dayMs)
    await storeEvents(db.query, workspaceId, seeds)
    for (const filters of [
      {},
      { status: 'error', kind: 'tool' },
      { model: 'no such model' },
      { tool_name: 'search' },
    ]) {
      const expected = seeds
        .filter(({ start }) => start >= '2026-03-01' && start < '2026-03-21')
        .filter((seed) => !('status' in filters) || (seed.status === 'error' && seed.kind === 'tool'))
        .filter((seed) => !('model' in filters) || seed.model === filters.model)
        .filter((seed) => !('tool_name' in filters) || seed.tool === filters.tool_name)
        .map(({ start, trace, span }) => [start, trace, span].join(' '))
        .sort()
        .reverse()
        .map((key) => key.split(' ')[2])
      for (const limit of [1, 4, 50]) {
        const query = { workspaceId, filters, window, limit }
        const { rows, short } = await readAll((cursor) => listEvents(deps(), { ...query, cursor }, bounds), limit)
        t.deepEqual(
          rows.map((row) => row['span_id']),
          expected,
          JSON.stringify({ filters, limit }),
        )
        t.true(short > 0 || (limit < 50 && !('model' in filters)), JSON.stringify({ filters, limit }))
      }
    }
  },
)

test.serial('pages of rare traces together are all that match, though their starts move meanwhile', async (t) => {
  const workspaceId = randomUUID()
  const random = makeRandom(12)
  await storeEvents(db.query, workspaceId, makeEvents(random, 700, fromMs + dayMs, 18 * dayMs))
  const expected = await db.query<{ trace_id: string }>(
    `select encode(trace_id, 'hex') as trace_id from traces where workspace_id = $1 and 'fetch' = any (tools)
     order by start_time desc, trace_id desc`,
    [workspaceId],
  )
  t.true(expected.length > 20 && expected.length < 140)
  let late = 10_000
  const move = async (): Promise<void> => {
    // An earlier span of an existing trace: the trace moves down the list, also below the current position of the list.
    const trace = expected[random.int(expected.length)]?.trace_id ?? ''
    const start = new Date(fromMs + random.int(18 * dayMs)).toISOString()
    late += 1
    await storeEvents(db.query, workspaceId, [{ start, trace, span: hexId(late, 16), kind: 'tool', tool: 'fetch' }])
  }
  for (const limit of [5, 30]) {
    const before = await db.query<{ trace_id: string }>(
      `select encode(trace_id, 'hex') as trace_id from traces where workspace_id = $1 and 'fetch' = any (tools)
       order by start_time desc, trace_id desc`,
      [workspaceId],
    )
    const query = { workspaceId, filters: { tool_name: 'fetch' }, window, orderBy: 'start_time' as const, limit }
    const list = async (cursor: string | undefined) => await listTraces(deps(), { ...query, cursor }, bounds)
    const { rows, short } = await readAll(list, limit, move)
    t.deepEqual(
      rows.map((row) => row['trace_id']),
      before.map((row) => row.trace_id),
    )
    t.is(short > 0, limit === 30)
  }
})

test.serial('an empty window of 400 days is read in a few statements', async (t) => {
  ran.length = 0
  const long = { from_time: (fromMs - 400 * dayMs) * 1_000, to_time: fromMs * 1_000 }
  const query = { workspaceId: randomUUID(), filters: {}, window: long, limit: 50, cursor: undefined }
  // The usual scan size, and enough time: on a busy machine a page with the usual time limit may end between two scans.
  const listed = await listEvents(deps(), query, { rowsPerStep: 20_000, maxScanned: 200_000, maxMs: 60_000 })
  t.deepEqual(listed, { ok: true, value: { rows: [], nextCursor: null } })
  t.true(ran.length > 1 && ran.length <= 10, String(ran.length))
})

test.serial('the events of an agent that has been quiet for long are found in the first look', async (t) => {
  const workspaceId = randomUUID()
  const seeds = makeEvents(makeRandom(13), 300, fromMs + 10 * dayMs, 10 * dayMs)
  await storeEvents(db.query, workspaceId, seeds)
  await storeEvents(db.query, workspaceId, [
    { start: new Date(fromMs).toISOString(), trace: hexId(901, 32), span: hexId(901, 16), agent: 'quiet' },
  ])
  const [agent] = await db.query<{ id: string }>(`select id from agents where workspace_id = $1 and name = 'quiet'`, [
    workspaceId,
  ])
  ran.length = 0
  const query = { workspaceId, filters: { agent_id: agent?.id }, window, limit: 50, cursor: undefined }
  const events = await listEvents(deps(), query, bounds)
  t.deepEqual(events.ok && [events.value.rows.length, events.value.nextCursor], [1, null])
  const traces = await listTraces(deps(), { ...query, orderBy: 'start_time' }, bounds)
  t.deepEqual(traces.ok && traces.value.rows.length, 1)
  t.deepEqual(ran, ['queries/list-events', 'queries/list-traces'])
})

test.serial('a page stops at its time limit, and its cursor continues from there', async (t) => {
  const look = (from: number): Promise<ScanStep<number, number>> => {
    const until = performance.now() + 5
    while (performance.now() < until);
    return Promise.resolve({ rows: [], next: from - 1, scanned: 1 })
  }
  const scan = { limit: 10, first: 1_000, keyOf: (row: number) => row, look, seal: (key: number) => `${key}` }
  const page = await scanPage(scan, { rowsPerStep: 1, maxScanned: 1_000, maxMs: 40 })
  t.deepEqual(page.rows, [])
  t.true(Number(page.nextCursor) < 1_000 && Number(page.nextCursor) > 980, page.nextCursor ?? 'none')
})
