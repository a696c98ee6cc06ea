import test from 'ava'
import { Outage } from '../../src/base/fault.ts'
import type { Batch } from '../../src/ingest/batch.ts'
import { openStore } from '../../src/ingest/open-store.ts'
import type { Database } from '../../src/store/database.ts'
import { insertWorkspace, makeBatch, makeEvent } from '../_kit/batch.ts'
import { makeDatabase } from '../_kit/db.ts'

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
  const options = { db, flushRows: 1, flushMs: 1, maxCommits: 1, maxBytes: 1_000_000, onFlush: () => undefined }
  const store = openStore({ ...options, maxWaitMs: 30 })
  const one = (): Batch => makeBatch('01890000-0000-7000-8000-000000000001', [makeEvent()])
  const first = store.store(one())
  const bytes = store.queuedBytes()
  const late = store.store(one())
  t.true(store.queuedBytes() > bytes)
  await t.throwsAsync(late, { instanceOf: Outage })
  t.is(store.queuedBytes(), bytes)
  finish()
  t.like(await first, { stored: 1 })
  t.like(await store.store(one()), { stored: 1 }, 'the queue goes on')
  await store.stop()
})
