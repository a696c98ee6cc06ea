import test from 'ava'
import { Outage } from '../../src/base/fault.ts'
import type { Batch } from '../../src/ingest/batch.ts'
import { openStore } from '../../src/ingest/open-store.ts'
import type { Database } from '../../src/store/database.ts'
import { insertWorkspace, makeBatch, makeEvent } from '../_kit/batch.ts'
import { makeDatabase } from '../_kit/db.ts'
import { makeVirtualClock } from '../_kit/virtual-clock.ts'

test('a batch larger than the bound is stored alone, others are refused meanwhile, and a stop stores what waits', async (t) => {
  const base = await makeDatabase()
  const workspace = await insertWorkspace(base.query)
  const options = {
    db: base.db,
    flushRows: 1_000,
    flushMs: 60_000,
    maxCommits: 2,
    maxWaitMs: 60_000,
    onFlush: () => undefined,
  }
  const store = openStore({ ...options, maxBytes: 10 })
  const first = store.store(makeBatch(workspace, [makeEvent(), makeEvent()]))
  await t.throwsAsync(store.store(makeBatch(workspace, [makeEvent()])), { instanceOf: Outage })
  await store.stop()
  t.like(await first, { stored: 2 })
  t.is(store.queuedBytes(), 0)
  await t.throwsAsync(store.store(makeBatch(workspace, [makeEvent()])), { instanceOf: Outage })
  await base.stop()
})

test('a batch whose commit does not begin in time is given back, and its bytes with it', async (t) => {
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
  const store = openStore({ ...options, onFlush: () => undefined })
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
  const options = { db, flushRows: 2, flushMs: 5, maxCommits: 2, maxBytes: 1_000_000, maxWaitMs: 60_000, clock }
  const store = openStore({ ...options, onFlush: () => undefined })
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

test('a batch beside a stuck group is stored on the free connection, and not given back, however long groups wait for others', async (t) => {
  const finish: (() => void)[] = []
  const db = {
    tx: async () => {
      await new Promise<void>((done) => finish.push(done))
      return [{ stored: 1 }]
    },
  } as unknown as Database
  const clock = makeVirtualClock()
  const options = { db, flushRows: 2, flushMs: 400, maxCommits: 2, maxBytes: 1_000_000, maxWaitMs: 4_000, clock }
  const store = openStore({ ...options, onFlush: () => undefined })
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
