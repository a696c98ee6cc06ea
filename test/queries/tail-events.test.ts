import { randomBytes, randomUUID as uuid } from 'node:crypto'
import { mock } from 'node:test'
import test from 'ava'
import { Outage } from '../../src/base/fault.ts'
import { makeKeyedSemaphore } from '../../src/base/keyed-semaphore.ts'
import { makeEventRoutes } from '../../src/queries/events/event-routes.ts'
import { tailEvents } from '../../src/queries/events/tail-events.ts'
import { openCursors } from '../../src/web/page.ts'
import type { JsonRoute } from '../../src/web/route.ts'
import { inTransaction } from '../_kit/db.ts'
import { agentIdOf, type EventSeed, hexId, storeEvents } from '../_kit/events.ts'
import { makeRandom } from '../_kit/random.ts'
import { openReads, type Reads } from '../_kit/reads.ts'
import { until } from '../_kit/until.ts'
import { makeEvents } from './_data.ts'

type Tail = { items: { span_id: string }[]; next_cursor: string; skipped: number }

let reads: Reads
test.before(async () => {
  reads = await openReads()
})
test.after.always(async () => await reads.stop())

const seed = (span: number, more: Partial<EventSeed> = {}): EventSeed => ({
  start: '2026-03-01T10:00:00.000001Z',
  trace: hexId(1, 32),
  span: hexId(span, 16),
  ...more,
})

const tail = async (workspace: string, query: Record<string, string | number> = {}): Promise<Tail> => {
  const { status, body } = await reads.get<Tail>(workspace, 'events/tail', query)
  if (status !== 200) throw new Error(JSON.stringify(body))
  return body
}

const spansOf = ({ items }: Tail): number[] => items.map(({ span_id }) => Number.parseInt(span_id, 16))

/** Polls until nothing is left. */
async function drain(workspace: string, cursor: string, query: Record<string, string | number> = {}) {
  const spans: number[] = []
  let skipped = 0
  for (let at = cursor; ; ) {
    const page = await tail(workspace, { ...query, cursor: at })
    spans.push(...spansOf(page))
    skipped += page.skipped
    at = page.next_cursor
    if (page.items.length === 0) return { spans, skipped, cursor: at }
  }
}

test('a first call returns only the current cursor, and events that are committed after it are listed once', async (t) => {
  const workspace = await reads.makeWorkspace()
  await storeEvents(reads.db.query, workspace, [seed(1)])
  const first = await tail(workspace, { wait: 25 })
  t.deepEqual([first.items, first.skipped], [[], 0])
  await storeEvents(reads.db.query, await reads.makeWorkspace(), [seed(99)])
  await storeEvents(reads.db.query, workspace, [seed(2)])
  await storeEvents(reads.db.query, workspace, [seed(3, { start: '2026-01-01T00:00:00Z' })])
  const second = await tail(workspace, { cursor: first.next_cursor })
  t.deepEqual([spansOf(second), second.skipped], [[2, 3], 0])
  t.deepEqual((await tail(workspace, { cursor: second.next_cursor })).items, [])
})

test('an event whose transaction began before the cursor and ended after it is listed', async (t) => {
  const workspace = await reads.makeWorkspace()
  const start = await tail(workspace)
  const middle = await inTransaction(reads.db.url, async (query) => {
    await query('select pg_current_xact_id()')
    await storeEvents(reads.db.query, workspace, [seed(2)])
    const page = await tail(workspace, { cursor: start.next_cursor })
    t.deepEqual(spansOf(page), [2])
    await storeEvents(query, workspace, [seed(1)])
    return page.next_cursor
  })
  await storeEvents(reads.db.query, workspace, [seed(3)])
  t.deepEqual(spansOf(await tail(workspace, { cursor: middle })), [1, 3])
})

test('more events than a page are listed page by page, without loss or repetition, while more arrive', async (t) => {
  const workspace = await reads.makeWorkspace()
  const random = makeRandom(1)
  const start = await tail(workspace)
  const stored: number[] = []
  const store = async (count: number): Promise<void> => {
    const ids = () => ({ span: hexId(stored.push(stored.length), 16) })
    const seeds = makeEvents(random, count, Date.parse('2026-03-01T00:00:00Z'), 86_400_000, ids)
    await storeEvents(reads.db.query, workspace, seeds)
  }
  for (const count of [10, 1, 35, 1, 1, 20]) await store(count)
  const told: number[] = []
  let skipped = 0
  for (let cursor = start.next_cursor, poll = 0; ; poll++) {
    const page = await tail(workspace, { cursor, limit: 1 + random.int(12) })
    told.push(...spansOf(page))
    skipped += page.skipped
    cursor = page.next_cursor
    if (poll < 20) await store(1 + random.int(6))
    else if (page.items.length === 0) break
  }
  t.is(new Set(told).size, told.length, 'nothing twice')
  t.is(told.length, stored.length, 'nothing lost')
  t.is(skipped, 0)
})

test('filters narrow the tail', async (t) => {
  const workspace = await reads.makeWorkspace()
  const seeds = makeEvents(makeRandom(2), 300, Date.parse('2026-03-01T00:00:00Z'), 86_400_000)
  const cases: [Record<string, string>, (event: EventSeed) => boolean][] = [
    [{ kind: 'tool', status: 'error' }, (event) => event.kind === 'tool' && event.status === 'error'],
    [{ agent_id: agentIdOf(workspace, 'critic') }, (event) => event.agent === 'critic'],
    [{ trace_id: hexId(4, 32) }, (event) => event.trace === hexId(4, 32)],
    [{ model: 'gemini-2.5-pro' }, (event) => event.model === 'gemini-2.5-pro'],
    [{ tool_name: 'fetch' }, (event) => event.tool === 'fetch'],
  ]
  const starts = await Promise.all(cases.map(([query]) => tail(workspace, query)))
  for (let at = 0; at < 300; at += 30) await storeEvents(reads.db.query, workspace, seeds.slice(at, at + 30))
  for (const [at, [query, holds]] of cases.entries()) {
    const expected = seeds.filter(holds).map(({ span }) => Number.parseInt(span, 16))
    t.true(expected.length > 0)
    const told = await drain(workspace, starts[at]?.next_cursor ?? '', { ...query, limit: 7 })
    t.deepEqual(
      told.spans.toSorted((a, b) => a - b),
      expected,
    )
    t.is(told.skipped, 0)
  }
})

test('a commit wakes a waiting tail, and the tail waits again if no event matches', async (t) => {
  const workspace = await reads.makeWorkspace()
  const { next_cursor: cursor } = await tail(workspace, { kind: 'tool' })
  const answer = tail(workspace, { kind: 'tool', cursor, wait: 25 })
  await until(() => reads.waiting(workspace) === 1)
  await storeEvents(reads.db.query, workspace, [seed(1, { kind: 'llm' })])
  reads.notify(workspace)
  await until(() => reads.waiting(workspace) === 1)
  await storeEvents(reads.db.query, workspace, [seed(2, { kind: 'tool' })])
  reads.notify(workspace)
  t.deepEqual(spansOf(await answer), [2])
  await until(() => reads.waiting(workspace) === 0)
})

test('a wait that nothing ends is over after its seconds', async (t) => {
  const workspace = await reads.makeWorkspace()
  const { next_cursor: cursor } = await tail(workspace)
  const startedMs = performance.now()
  const page = await tail(workspace, { cursor, wait: 1 })
  t.deepEqual([page.items, page.skipped], [[], 0])
  // Timers may fire a little early.
  t.true(performance.now() - startedMs >= 990)
})

test('events whose transactions are no longer on record are counted as skipped', async (t) => {
  const workspace = await reads.makeWorkspace()
  const start = await tail(workspace)
  await storeEvents(reads.db.query, workspace, [seed(1), seed(2), seed(3)])
  await reads.db.query('delete from commits where workspace_id = $1', [workspace])
  await storeEvents(reads.db.query, workspace, [seed(4), seed(5)])
  t.deepEqual(
    await drain(workspace, start.next_cursor, { limit: 1 }).then(({ spans, skipped }) => ({ spans, skipped })),
    { spans: [4, 5], skipped: 3 },
  )
})

test('if a tail stopped inside a transaction that is no longer on record, the next one is listed from its first event', async (t) => {
  const workspace = await reads.makeWorkspace()
  const start = await tail(workspace)
  await storeEvents(reads.db.query, workspace, [seed(1), seed(2), seed(3)])
  await storeEvents(reads.db.query, workspace, [seed(4, { start: '2026-03-01T09:59:00Z' }), seed(5)])
  const first = await tail(workspace, { cursor: start.next_cursor, limit: 1 })
  t.deepEqual(spansOf(first), [1])
  await reads.db.query(
    `delete from commits where workspace_id = $1 and xid = (select min(xid) from commits where workspace_id = $1)`,
    [workspace],
  )
  // The reported span is counted as skipped too, since its transaction was not reported completely.
  const { spans, skipped } = await drain(workspace, first.next_cursor)
  t.deepEqual({ spans, skipped }, { spans: [4, 5], skipped: 3 })
})

test('more transactions and events than one page scans are all listed', async (t) => {
  const workspace = await reads.makeWorkspace()
  const start = await tail(workspace, { kind: 'tool' })
  // More than two pages: the middle one begins after a transaction that was delivered, and has others after it.
  for (let at = 1; at <= 410; at++)
    await storeEvents(reads.db.query, workspace, [seed(at, { kind: at > 405 ? 'tool' : 'llm' })])
  const spans: number[] = []
  let skipped = 0
  let cursor = start.next_cursor
  for (let poll = 0; poll < 4; poll++) {
    const page = await tail(workspace, { kind: 'tool', cursor })
    spans.push(...spansOf(page))
    skipped += page.skipped
    cursor = page.next_cursor
  }
  t.deepEqual({ spans, skipped }, { spans: [406, 407, 408, 409, 410], skipped: 0 })
})

test('a poll whose waits end at once, as in a house that is full, does not look without pause', async (t) => {
  const workspace = await reads.makeWorkspace()
  let looks = 0
  const { db } = reads.db
  const deps = {
    cursors: openCursors([randomBytes(32)]),
    commits: { wait: () => Promise.resolve() },
    turns: makeKeyedSemaphore(1, Number.POSITIVE_INFINITY),
    db: {
      ...db,
      row: <Row extends object>(statement: string, values?: readonly unknown[]) => {
        looks++
        return db.row<Row>(statement, values)
      },
    },
  }
  const query = { userId: uuid(), workspaceId: workspace, filters: {}, limit: 10, signal: new AbortController().signal }
  const first = await tailEvents(deps, { ...query, cursor: undefined, waitMs: 0 })
  const cursor = first.ok ? first.value.nextCursor : ''
  looks = 0
  const startedMs = performance.now()
  const second = await tailEvents(deps, { ...query, cursor, waitMs: 1_000 })
  t.true(second.ok && second.value.rows.length === 0)
  // One at the start, one after each 200 ms, and a few as the time runs out; on a busy machine there are fewer.
  t.true(looks >= 2 && looks <= 4 + Math.ceil((performance.now() - startedMs) / 200), String(looks))
})

test('the polls of one workspace or one user use one connection, however many they are, and do not wait for those of others', async (t) => {
  const looking: string[] = []
  let ends: (() => void)[] = []
  const { db } = reads.db
  const routes = makeEventRoutes({
    cursors: openCursors([randomBytes(32)]),
    commits: { wait: () => Promise.resolve() },
    nowMs: Date.now,
    db: {
      ...db,
      row: async <Row extends object>(statement: string, values: readonly unknown[] = []) => {
        looking.push(String(values[0]))
        await new Promise<void>((end) => ends.push(end))
        return await db.row<Row>(statement, values)
      },
    },
  })
  const route = routes.find(({ path }) => path.endsWith('/tail')) as JsonRoute
  const request = { signal: () => new AbortController().signal }
  const poll = (userId: string, workspace: string): ReturnType<JsonRoute['handle']> =>
    route.handle({
      who: { userId },
      params: { workspace_id: workspace },
      query: { wait: 0, limit: 200 },
      request,
    } as never)
  const one = await reads.makeWorkspace()
  const [second, third, other] = [await reads.makeWorkspace(), await reads.makeWorkspace(), await reads.makeWorkspace()]
  const [ada, bob, eve] = [uuid(), uuid(), uuid()]
  const polls = [poll(ada, one), poll(ada, one), poll(bob, one), poll(ada, second), poll(ada, third), poll(eve, other)]
  await until(() => looking.includes(other))
  t.deepEqual(looking, [one, other])
  while (looking.length < polls.length || ends.length > 0) {
    const now = ends
    ends = []
    for (const end of now) end()
    await new Promise((done) => setImmediate(done))
  }
  t.deepEqual(
    (await Promise.all(polls)).map(({ ok }) => ok),
    polls.map(() => true),
  )
})

test.serial('a poll that waits too long for the other polls of its workspace is refused with 429', async (t) => {
  const held = Promise.withResolvers<null>()
  const routes = makeEventRoutes({
    cursors: openCursors([randomBytes(32)]),
    commits: { wait: () => Promise.resolve() },
    nowMs: Date.now,
    db: { ...reads.db.db, row: async () => await held.promise },
  })
  const route = routes.find(({ path }) => path.endsWith('/tail')) as JsonRoute
  const poll = async (): Promise<unknown> =>
    await route.handle({
      who: { userId: uuid() },
      params: { workspace_id: workspaceId },
      query: { wait: 0, limit: 200 },
      request: { signal: () => new AbortController().signal },
    } as never)
  const workspaceId = uuid()
  mock.timers.enable({ apis: ['setTimeout'] })
  t.teardown(() => mock.timers.reset())
  const first = t.throwsAsync(poll())
  const second = t.throwsAsync(poll(), { instanceOf: Outage })
  mock.timers.tick(10_000)
  t.is((await second)?.status, 429)
  held.resolve(null)
  await first
})
