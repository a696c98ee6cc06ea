// Settling and the purge of a deleted workspace do not wait for each other.
import test from 'ava'
import { storeGroup } from '../../src/ingest/commit/store-group.ts'
import { insertWorkspaceRow, makeBatch, makeLlmEvent } from '../_kit/batch.ts'
import { makeDatabase, type TestDatabase } from '../_kit/db.ts'
import { settleUnhurried } from '../_kit/settle.ts'
import { intercept } from './_intercept.ts'

let base: TestDatabase
test.before(async () => {
  base = await makeDatabase()
})
test.after.always(() => base.stop())

const bury = async (workspace: string): Promise<void> => {
  await base.db.run('workspaces/soft-delete', [workspace])
}

/** Stores a call in each of two workspaces; settling adds its scope to the counts of the workspace. */
async function storeCalls(): Promise<[string, string]> {
  const workspaces = [await insertWorkspaceRow(base.query), await insertWorkspaceRow(base.query)] as [string, string]
  const makeCall = () => makeLlmEvent(5, 5, { scopeName: 'a', responseId: 'r' })
  await storeGroup(
    base.db,
    workspaces.map((workspace) => makeBatch(workspace, [makeCall()])),
  )
  return workspaces
}

const isSettled = async (workspace: string): Promise<boolean> =>
  (await base.query('select from traces where workspace_id = $1 and settled', [workspace])).length === 1

test.serial('traces of a workspace that is being purged are skipped', async (t) => {
  const [gone, live] = await storeCalls()
  await bury(gone)
  await base.db.tx(async (purge) => {
    t.not(await purge.row('workspaces/lock-to-purge', [gone, 0]), null)
    // It must return without waiting; otherwise the test times out.
    t.like(await settleUnhurried(base.db, 0), { traces: 1 })
  })
  t.deepEqual([await isSettled(gone), await isSettled(live)], [false, true])
})

test.serial('a purge passes a workspace by while its traces are being settled, and no longer', async (t) => {
  const [gone, live] = await storeCalls()
  const lockToPurge = async (): Promise<object | null> => await base.db.row('workspaces/lock-to-purge', [gone, 0])
  const locked: (object | null)[] = []
  const db = intercept(base.db, async (statement) => {
    if (statement !== 'ingest/add-call-scopes') return undefined
    await bury(gone)
    locked.push(await lockToPurge())
    return undefined
  })
  t.like(await settleUnhurried(db, 0), { traces: 2 })
  t.deepEqual(new Set(locked), new Set([null]))
  t.not(await lockToPurge(), null)
  t.deepEqual([await isSettled(gone), await isSettled(live)], [true, true])
})
