// Two commits of the same two workspaces, one of which has a quota. The count of its month is locked before anything else, or, if the quota
// is used up, at the end.
import test, { type ExecutionContext } from 'ava'
import { makeRepeatedBatch } from '../../src/decode/batch-writer.ts'
import type { Batch } from '../../src/ingest/batch.ts'
import { wholeBatch } from '../../src/ingest/commit/batch-slice.ts'
import { commitGroup } from '../../src/ingest/commit/commit-group.ts'
import { openLikelyDuplicates } from '../../src/ingest/commit/likely-duplicates.ts'
import type { Database } from '../../src/store/database.ts'
import { readSqlstate } from '../../src/store/sqlstate.ts'
import { loadStatements } from '../../src/store/statements.ts'
import { type BatchOptions, insertWorkspaceRow, makeBatch, makeEvent } from '../_kit/batch.ts'
import { makeDatabase, openTestPool, type TestDatabase } from '../_kit/db.ts'
import { queueBehind } from '../_kit/lock-waits.ts'
import { inOneMonth } from '../_kit/one-month.ts'
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
  test.serial(
    `a commit beside one with a request ${what} is ended by no deadlock`,
    inOneMonth(async (t) => {
      t.deepEqual(await meet(t, (workspace) => make(workspace, 1_000)), [])
    }),
  )

  test.serial(
    `the control: without its quota a request ${what} is counted in a deadlock`,
    inOneMonth(async (t) => {
      t.deepEqual(await meet(t, (workspace) => make(workspace, null)), ['40P01'])
    }),
  )
}

/**
 * The first commit, whose batch got no grant, waits at the end to count the first workspace. The second one got none of the owner's
 * answers, and waits for the agent of the first workspace. Returns the SQLSTATEs of what failed.
 */
async function meetUsedUp(t: ExecutionContext, lock: (statement: string) => string): Promise<(string | null)[]> {
  const base = await makeDatabase()
  t.teardown(base.stop)
  const statements = new Map(loadStatements())
  statements.set('ingest/lock-usage-month', lock(statements.get('ingest/lock-usage-month') ?? ''))
  const db = openTestPool(base.url, { statements })
  t.teardown(db.stop)
  const [free = '', capped = ''] = [await insertWorkspaceRow(base.query), await insertWorkspaceRow(base.query)].sort()
  const failures: (string | null)[] = []
  const commit = async (granted: number | null): Promise<void> => {
    const options = { mayRepeat: false, likelyDuplicates: openLikelyDuplicates() }
    const batches = [
      makeBatch(free, [makeEvent({ agentOwn: 'a' })]),
      makeBatch(capped, [makeEvent({ agentOwn: 'b' })], { eventQuota: 1, granted }),
    ]
    await commitGroup(db, batches.map(wholeBatch), options).catch((error: unknown) => {
      failures.push(readSqlstate((error as Error).cause ?? error))
    })
  }
  await commit(1)
  const month = { text: 'select from usage_months where workspace_id = $1 for update', values: [free] }
  await queueBehind(base, month, [() => commit(0), () => commit(null)])
  const [counts] = await base.query(
    'select accepted::int, dropped_quota::int from usage_months where workspace_id = $1',
    [capped],
  )
  t.deepEqual(counts, { accepted: 1, dropped_quota: 2 - failures.length })
  return failures
}

test.serial(
  'commits for a workspace whose quota is used up are ended by no deadlock, whatever was granted',
  inOneMonth(async (t) => {
    t.deepEqual(await meetUsedUp(t, (statement) => statement), [])
  }),
)

test.serial(
  'the control: if a month that is used up is locked first, too, one of them is ended by a deadlock',
  inOneMonth(async (t) => {
    t.deepEqual(await meetUsedUp(t, (statement) => statement.replace('accepted < $2', '$2::bigint > 0')), ['40P01'])
  }),
)

/**
 * Two commits want the last room of a quota. The first one is stopped once it has read what is left, until the second one waits or has
 * ended. Returns how many spans were stored.
 */
async function raceForLast(t: ExecutionContext, lock: (statement: string) => string): Promise<number> {
  const base = await makeDatabase()
  t.teardown(base.stop)
  const statements = new Map(loadStatements())
  statements.set('ingest/lock-usage-month', lock(statements.get('ingest/lock-usage-month') ?? ''))
  const plain = openTestPool(base.url, { statements })
  t.teardown(plain.stop)
  const workspace = await insertWorkspaceRow(base.query)
  const commit = async (db: Database, spans: number): Promise<void> => {
    const options = { mayRepeat: false, likelyDuplicates: openLikelyDuplicates() }
    const events = Array.from({ length: spans }, () => makeEvent({ agentOwn: 'a' }))
    await commitGroup(db, [wholeBatch(makeBatch(workspace, events, { eventQuota: 3 }))], options)
  }
  await commit(plain, 2)
  const ended = { isSecond: false }
  let second: Promise<void> | undefined
  const stopped = intercept(plain, async (statement) => {
    if (statement !== 'ingest/find-agents') return undefined
    await until(async () => (await base.query(listIdle)).length > 0)
    second = commit(plain, 1).then(() => {
      ended.isSecond = true
    })
    await until(async () => ended.isSecond || (await base.query(listWaiting)).length > 0)
    return undefined
  })
  await commit(stopped, 1)
  await second
  return (await base.query('select from events')).length
}

/** A commit that has done its first lookups and has not sent the next one. */
const listIdle = `select from pg_stat_activity where datname = current_database() and state = 'idle in transaction'`

test.serial(
  'two commits that want the last room of a quota use it once',
  inOneMonth(async (t) => {
    t.is(await raceForLast(t, (statement) => statement), 3)
  }),
)

test.serial(
  'the control: without the lock on the count of the month, both use it',
  inOneMonth(async (t) => {
    t.is(await raceForLast(t, (statement) => statement.replace('for no key update', '')), 4)
  }),
)
