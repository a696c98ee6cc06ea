import test from 'ava'
import { Outage } from '../../src/base/fault.ts'
import { type Batch, type BatchOutcome, batchBytes } from '../../src/ingest/batch.ts'
import { openGroupCommit } from '../../src/ingest/group-commit.ts'
import type { Database } from '../../src/store/database.ts'
import { insertWorkspaceRow, makeBatch, makeEvent } from '../_kit/batch.ts'
import { makeDatabase } from '../_kit/db.ts'
import { makeVirtualClock } from '../_kit/virtual-clock.ts'

test('a batch larger than the bound is stored alone, others are refused meanwhile, and a stop stores what waits', async (t) => {
  const base = await makeDatabase()
  const workspace = await insertWorkspaceRow(base.query)
  const options = {
    db: base.db,
    flushRows: 1_000,
    flushMs: 60_000,
    maxCommits: 2,
    maxWaitMs: 60_000,
    onFlush: () => undefined,
  }
  const store = openGroupCommit({ ...options, maxBytes: 10 })
  const first = store.store(makeBatch(workspace, [makeEvent(), makeEvent()]))
  await t.throwsAsync(store.store(makeBatch(workspace, [makeEvent()])), { instanceOf: Outage })
  await store.stop()
  t.like(await first, { stored: 2 })
  t.is(store.queuedBytes(), 0)
  await t.throwsAsync(store.store(makeBatch(workspace, [makeEvent()])), { instanceOf: Outage })
  await base.stop()
})

test('a batch whose commit does not begin in time is refused, and its bytes are released', async (t) => {
  let finish = (): void => undefined
  const hanging = new Promise<void>((done) => (finish = done))
  const db = {
    tx: async () => {
      await hanging
      return [{ stored: 1 }]
    },
  } as unknown as Database
  const clock = makeVirtualClock()
  const options = { db, flushRows: 1, flushMs: 1, maxCommits: 1, maxBytes: 1_000_000, maxWaitMs: 30, clock }
  const store = openGroupCommit({ ...options, onFlush: () => undefined })
  const one = (): Batch => makeBatch('01890000-0000-7000-8000-000000000001', [makeEvent()])
  const first = store.store(one())
  const bytes = store.queuedBytes()
  const late = t.throwsAsync(store.store(one()), { instanceOf: Outage })
  await clock.advance(29)
  t.true(store.queuedBytes() > bytes)
  await clock.advance(1)
  await late
  t.is(store.queuedBytes(), bytes)
  finish()
  t.like(await first, { stored: 1 })
  t.like(await store.store(one()), { stored: 1 }, 'the queue goes on')
  await store.stop()
})

test('beside a group that commits, another begins when it is full, or when that one is stuck', async (t) => {
  const clock = makeVirtualClock()
  const finish: (() => void)[] = []
  const db = {
    tx: async () => {
      await new Promise<void>((done) => finish.push(done))
      return [{ stored: 1 }, { stored: 1 }]
    },
  } as unknown as Database
  const options = { db, flushRows: 2, flushMs: 5, maxCommits: 3, maxBytes: 1_000_000, maxWaitMs: 60_000, clock }
  const store = openGroupCommit({ ...options, onFlush: () => undefined })
  const one = (): Batch => makeBatch('01890000-0000-7000-8000-000000000001', [makeEvent()])
  const first = store.store(one())
  await clock.advance(4)
  t.is(finish.length, 0)
  await clock.advance(1)
  t.is(finish.length, 1)
  const full = [store.store(one()), store.store(one())]
  await clock.settle()
  t.is(finish.length, 2, 'a full group waits for nothing')
  for (const end of finish) end()
  await Promise.all([first, ...full])
  const stuck = store.store(one())
  await clock.advance(5)
  t.is(finish.length, 3)
  const behind = store.store(one())
  await clock.advance(99)
  t.is(finish.length, 3, 'twenty times as long')
  await clock.advance(1)
  t.is(finish.length, 4)
  for (const end of finish) end()
  await Promise.all([stuck, behind])
  await store.stop()
})

test('a batch beside a stuck group is stored on the free connection, and not refused, however long groups wait for others', async (t) => {
  const finish: (() => void)[] = []
  const db = {
    tx: async () => {
      await new Promise<void>((done) => finish.push(done))
      return [{ stored: 1 }]
    },
  } as unknown as Database
  const clock = makeVirtualClock()
  const options = { db, flushRows: 2, flushMs: 400, maxCommits: 3, maxBytes: 1_000_000, maxWaitMs: 4_000, clock }
  const store = openGroupCommit({ ...options, onFlush: () => undefined })
  const one = (): Batch => makeBatch('01890000-0000-7000-8000-000000000001', [makeEvent()])
  const stuck = store.store(one())
  await clock.advance(400)
  t.is(finish.length, 1)
  const behind = store.store(one())
  await clock.advance(2_000)
  t.is(finish.length, 2, 'half of the time that it may wait')
  for (const end of finish) end()
  await Promise.all([stuck, behind])
  await store.stop()
})

const [flooding, other] = ['01890000-0000-7000-8000-000000000001', '01890000-0000-7000-8000-000000000002']

/** Opens a store whose commits end when the test says so. A sender is small with two rows, and large with more. */
function openHeldStore(maxBytes = 1_000_000) {
  const clock = makeVirtualClock()
  const running: (() => void)[] = []
  const rows: number[] = []
  const db = {
    tx: async () => {
      await new Promise<void>((done) => running.push(done))
      return Array.from({ length: 100 }, () => ({ stored: 1 }))
    },
  } as unknown as Database
  const options = { db, flushRows: 64, flushMs: 10, maxCommits: 3, maxBytes, maxWaitMs: 60_000, clock }
  const store = openGroupCommit({ ...options, onFlush: (flush) => rows.push(flush.rows) })
  const send = (workspaceId: string, events = 1): Promise<unknown> =>
    store.store(
      makeBatch(
        workspaceId,
        Array.from({ length: events }, () => makeEvent()),
      ),
    )
  return { clock, running, rows, store, send }
}

test('beside a flood, another workspace has its own commit at once; the flood itself waits for one of its own', async (t) => {
  const { clock, running, rows, store, send } = openHeldStore()
  const flood = Array.from({ length: 60 }, () => send(flooding, 4))
  await clock.settle()
  t.is(running.length, 2, 'as many commits as one workspace may have')
  const more = send(flooding, 4)
  await clock.advance(10_000)
  t.is(running.length, 2, 'control: the flooding workspace has no third one')
  const single = send(other)
  await clock.advance(10)
  t.is(running.length, 3)
  const next = send(other)
  running[0]?.()
  await clock.advance(10)
  t.is(running.length, 4, 'the next group of the flood')
  running[2]?.()
  t.like(await single, { stored: 1 })
  await clock.settle()
  t.is(running.length, 5, 'what came while that was committed begins when it has ended')
  for (let at = 0; at < running.length; at++) {
    running[at]?.()
    await clock.settle()
  }
  await Promise.all([...flood, more, next])
  t.deepEqual(
    rows.filter((one) => one % 4 !== 0),
    [1, 1],
    'no group has rows of both',
  )
  t.is(
    rows.reduce((sum, one) => sum + one, 0),
    60 * 4 + 4 + 2,
  )
  await store.stop()
})

test('if memory is short, the newest batch of the workspace that holds most is refused, even if another came last', async (t) => {
  const one = batchBytes(makeBatch(other, [makeEvent()]))
  const { clock, running, store, send } = openHeldStore(one * 12)
  const committing = [send(flooding, 2), send(flooding, 2), send(flooding, 2), send(flooding, 2)]
  await clock.advance(10)
  t.is(running.length, 1)
  const first = send(flooding)
  const newest = send(flooding, 2)
  const room = one * 12 - store.queuedBytes()
  t.true(room < one * 2, 'the queue is full')
  await t.throwsAsync(send(flooding, 2), { instanceOf: Outage })
  const small = send(other, 2)
  await t.throwsAsync(newest, { instanceOf: Outage })
  t.true(store.queuedBytes() <= one * 12)
  const stopped = store.stop()
  for (let at = 0; at < running.length; at++) {
    running[at]?.()
    await clock.settle()
  }
  await Promise.all([...committing, first, small, stopped])
  t.is(store.queuedBytes(), 0)
})

test('spans of many workspaces that are committed side by side are each stored once, with their own outcomes', async (t) => {
  const base = await makeDatabase()
  const workspaces = await Promise.all([1, 2, 3].map(async () => await insertWorkspaceRow(base.query)))
  const groups: number[] = []
  const store = openGroupCommit({
    db: base.db,
    flushRows: 16,
    flushMs: 1,
    maxCommits: 3,
    maxBytes: 10_000_000,
    maxWaitMs: 60_000,
    onFlush: ({ rows }) => groups.push(rows),
  })
  const sizes = [...Array.from({ length: 24 }, () => 5), ...Array.from({ length: 6 }, () => 1), 40]
  const requests = workspaces.flatMap((workspaceId) =>
    sizes.map((size) => ({ workspaceId, events: Array.from({ length: size }, () => makeEvent()) })),
  )
  const send = async (): Promise<BatchOutcome[]> =>
    await Promise.all(requests.map(({ workspaceId, events }) => store.store(makeBatch(workspaceId, events))))
  t.deepEqual(
    (await send()).map(({ stored, duplicate }) => [stored, duplicate]),
    requests.map(({ events }) => [events.length, 0]),
  )
  t.true(groups.length > 3)
  t.deepEqual(
    (await send()).map(({ stored, duplicate }) => [stored, duplicate]),
    requests.map(({ events }) => [0, events.length]),
  )
  await store.stop()
  const [counted] = await base.query('select count(*)::int as rows from events', [])
  t.deepEqual(counted, { rows: requests.reduce((sum, { events }) => sum + events.length, 0) })
  await base.stop()
})
