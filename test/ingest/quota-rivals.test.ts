// Two commits of the same two workspaces, one of which has a quota. The count of its month is locked before anything else.
import test, { type ExecutionContext } from 'ava'
import { makeRepeatedBatch } from '../../src/decode/batch-writer.ts'
import type { Batch } from '../../src/ingest/batch.ts'
import { wholeBatch } from '../../src/ingest/commit/batch-slice.ts'
import { commitGroup } from '../../src/ingest/commit/commit-group.ts'
import { openLikelyDuplicates } from '../../src/ingest/commit/likely-duplicates.ts'
import type { Database } from '../../src/store/database.ts'
import { readSqlstate } from '../../src/store/sqlstate.ts'
import { type BatchOptions, insertWorkspaceRow, makeBatch, makeEvent } from '../_kit/batch.ts'
import { makeDatabase, type TestDatabase } from '../_kit/db.ts'
import { until } from '../_kit/until.ts'
import { intercept } from './_intercept.ts'

const withQuota: BatchOptions = { eventQuota: 1_000 }
const rejections = [{ reason: 'start_time_too_old', count: 1, example: 'x' }] as const

/** The last batch of the second commit, for the workspace with a quota: it stores nothing, but is counted. */
const bare: Readonly<Record<string, (workspace: string, eventQuota: number | null) => Batch>> = {
  'all of whose spans are rejected': (workspace, eventQuota) => makeBatch(workspace, [], { eventQuota, rejections }),
  'that is sent again': (workspaceId, eventQuota) => ({
    ...makeRepeatedBatch(3),
    workspaceId,
    rejections: [],
    eventQuota,
    agentCap: null,
    granted: null,
  }),
}

/** Returns the SQLSTATEs of the failed commits. The first commit is stopped when it has locked the month, until the second one waits. */
async function meet(t: ExecutionContext, makeBare: (workspace: string) => Batch): Promise<(string | null)[]> {
  const base = await makeDatabase()
  t.teardown(base.stop)
  const [free = '', capped = ''] = [
    await insertWorkspaceRow(base.query),
    await insertWorkspaceRow(base.query, 'free'),
  ].sort()
  const ofFree = (): Batch => makeBatch(free, [makeEvent({ agentOwn: 'a' })])
  const full = (): Batch[] => [ofFree(), makeBatch(capped, [makeEvent({ agentOwn: 'b' })], withQuota)]
  const failures: (string | null)[] = []
  const commit = async (db: Database, group: readonly Batch[]): Promise<void> => {
    const options = { mayRepeat: false, likelyDuplicates: openLikelyDuplicates() }
    await commitGroup(db, group.map(wholeBatch), options).catch((error: unknown) => {
      failures.push(readSqlstate((error as Error).cause ?? error))
    })
  }
  await commit(base.db, full())
  const isHeld = async (): Promise<boolean> => !(await isFree(base, capped))
  let second: Promise<void> | undefined
  const db = intercept(base.db, async (statement) => {
    if (statement !== 'ingest/find-agents') return undefined
    await until(isHeld)
    second = commit(base.db, [ofFree(), makeBare(capped)])
    await until(async () => (await base.query(listWaiting)).length > 0)
    return undefined
  })
  await commit(db, full())
  await second
  return failures
}

const listWaiting = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
const isFree = async ({ query }: TestDatabase, workspace: string): Promise<boolean> =>
  (await query('select from usage_months where workspace_id = $1 for update skip locked', [workspace])).length > 0

for (const [what, make] of Object.entries(bare)) {
  test.serial(`a commit beside one with a request ${what} is ended by no deadlock`, async (t) => {
    t.deepEqual(await meet(t, (workspace) => make(workspace, 1_000)), [])
  })

  test.serial(`the control: without its quota a request ${what} is counted in a deadlock`, async (t) => {
    t.deepEqual(await meet(t, (workspace) => make(workspace, null)), ['40P01'])
  })
}
