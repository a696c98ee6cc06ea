import test from 'ava'
import { Outage } from '../../src/base/fault.ts'
import type { Batch } from '../../src/ingest/batch.ts'
import { storeGroup } from '../../src/ingest/commit/store-group.ts'
import type { Database } from '../../src/store/database.ts'
import { openWorkspacePurge } from '../../src/workspaces/purge.ts'
import { insertWorkspaceRow, makeBatch, makeEvent } from '../_kit/batch.ts'
import { makeDatabase, type TestDatabase } from '../_kit/db.ts'
import { until } from '../_kit/until.ts'
import { intercept } from './_intercept.ts'

let base: TestDatabase
test.before(async () => {
  base = await makeDatabase()
})
test.after.always(() => base.stop())

const bury = async (workspace: string): Promise<void> =>
  await base.db.tx(async (tx) => {
    await tx.run('workspaces/lock', [workspace])
    await tx.run('workspaces/soft-delete', [workspace])
  })

// Serial: a purge takes any deleted workspace, also that of the other test.
test.serial(
  'a workspace is locked and buried while a commit holds it, and only the purge waits for that commit',
  async (t) => {
    const workspace = await insertWorkspaceRow(base.query)
    const lockToPurge = async (): Promise<object | null> =>
      await base.db.row('workspaces/lock-to-purge', [workspace, 0])
    await base.db.tx(async (commit) => {
      t.is((await commit.rows('ingest/lock-workspaces', [[workspace]])).length, 1)
      // It must return without waiting; otherwise the test times out.
      await bury(workspace)
      t.is(await lockToPurge(), null)
    })
    t.not(await lockToPurge(), null)
    t.is((await base.db.rows('ingest/lock-workspaces', [[workspace]])).length, 0)
  },
)

/** Stores a span of an existing agent; the workspace is deleted between the statement that locks it and the one that finds the agent. */
async function storeWhileDeleted(workspace: string, change: (db: Database) => Database = (db) => db) {
  const batch = (): Batch => makeBatch(workspace, [makeEvent({ agentOwn: 'a' })])
  await storeGroup(base.db, [batch()])
  const isLocked = async (): Promise<boolean> =>
    (await base.query('select from workspaces where id = $1 for update skip locked', [workspace])).length === 0
  const db = intercept(base.db, async (statement) => {
    if (statement !== 'ingest/find-agents') return undefined
    await until(isLocked)
    await bury(workspace)
    return undefined
  })
  return await storeGroup(change(db), [batch()])
}

test.serial(
  'a commit that has locked a workspace stores its spans, even if the workspace is deleted meanwhile',
  async (t) => {
    const workspace = await insertWorkspaceRow(base.query)
    const [outcome] = await storeWhileDeleted(workspace)
    t.like(outcome, { stored: 1, workspaceGone: false })
    t.is((await base.query('select from agents where workspace_id = $1', [workspace])).length, 1)
  },
)

test.serial('the control: if its agents were not found then, the commit would be given up', async (t) => {
  const workspace = await insertWorkspaceRow(base.query)
  const change = (db: Database): Database => ({
    ...db,
    tx: async (work, options) =>
      await db.tx(
        async (tx) =>
          await work({
            ...tx,
            rows: async <Row extends object>(statement: string, values?: readonly unknown[]) =>
              await tx.rows<Row>(statement === 'ingest/lock-agents' ? 'ingest/find-agents' : statement, values),
          }),
        options,
      ),
  })
  await t.throwsAsync(storeWhileDeleted(workspace, change), { instanceOf: Outage, message: /removed each time/ })
})

test.serial('a workspace that is deleted amid writers loses every row, and nothing comes back', async (t) => {
  const workspace = await insertWorkspaceRow(base.query)
  const counts = { stored: 0, gone: 0 }
  const failed = new AbortController()
  t.teardown(() => failed.abort())
  const writers = Array.from({ length: 4 }, async (_, nth) => {
    while (!failed.signal.aborted) {
      const events = Array.from({ length: 50 }, () => makeEvent({ agentOwn: `a${nth}` }))
      const [outcome] = await storeGroup(base.db, [makeBatch(workspace, events)])
      if (outcome?.workspaceGone !== false) return void (counts.gone += 1)
      counts.stored += outcome.stored
    }
  })
  await until(() => counts.stored > 500)
  await bury(workspace)
  const purge = openWorkspacePurge({
    db: base.db,
    settleMs: 0,
    batchRows: 300,
    onError: (error) => t.fail(String(error)),
  })
  await Promise.all(writers)
  const isPurged = async (): Promise<boolean> =>
    (await base.query('select 1 from workspaces where id = $1 and purged_at is not null', [workspace])).length === 1
  while (!(await isPurged())) await purge.pass()
  await purge.stop()
  t.is(counts.gone, 4)
  const tables = await base.query<{ name: string }>(
    `select c.relname as name from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attname = 'workspace_id'
     where c.relkind = 'r' and c.relnamespace = 'public'::regnamespace`,
  )
  t.true(tables.length > 8)
  for (const { name } of tables) {
    t.deepEqual(await base.query(`select 1 from ${name} where workspace_id = $1 limit 1`, [workspace]), [], name)
  }
})
