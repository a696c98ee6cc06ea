import test from 'ava'
import { Outage } from '../../src/base/fault.ts'
import { openStore } from '../../src/ingest/open-store.ts'
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
