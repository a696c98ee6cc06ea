// The snapshot of a sum or a fold is taken before the workspace is held, so the other one may commit in between.
import { Outage } from '../../src/base/fault.ts'
import { storeGroup } from '../../src/ingest/commit/store-group.ts'
import { doWork, type WorkDone } from '../../src/rollups/do-work.ts'
import { type Folded, foldDeltas } from '../../src/rollups/fold-deltas.ts'
import type { Database } from '../../src/store/database.ts'
import { loadStatements } from '../../src/store/statements.ts'
import { around } from '../_kit/around.ts'
import { insertWorkspaceRow, makeBatch, makeEvent } from '../_kit/batch.ts'
import { makeDatabase, openTestPool, type TestDatabase } from '../_kit/db.ts'
import { until } from '../_kit/until.ts'
import { countFresh, countRead, differences, finishAll, foldAll, limits, readStored, wholeDaysMs } from './_truth.ts'

let base: TestDatabase
const test = around(
  async () => {
    base = await makeDatabase()
  },
  async () => await base.stop(),
)

const gate = 4_711
const isWaiting = `select from pg_stat_activity where datname = current_database() and wait_event = 'advisory'`

type Test = { teardown: (end: () => Promise<void>) => void }

function openChanged(t: Test, changed: Readonly<Record<string, string>>): Database {
  const pool = openTestPool(base.url, { statements: new Map([...loadStatements(), ...Object.entries(changed)]) })
  t.teardown(pool.stop)
  return pool
}

/**
 * Starts the first transaction, holds it between its snapshot and its hold of the workspace, and does the second one meanwhile. Returns
 * what each of them returned, or the error of the first one.
 */
async function overtake<First, Second>(
  t: Test,
  first: (db: Database) => Promise<First>,
  second: () => Promise<Second>,
  changed: Readonly<Record<string, string>> = {},
) {
  const hold = (loadStatements().get('rollups/hold-workspaces') ?? '').replace(
    /where (pg_try_.*)/,
    `where case when pg_advisory_xact_lock(${gate})::text = '' then $1 end`,
  )
  const gated = openChanged(t, { ...changed, 'rollups/hold-workspaces': hold })
  const keeper = openChanged(t, { gate: `select pg_advisory_xact_lock(${gate})` })
  const [pending, done] = await keeper.tx(async (tx) => {
    await tx.run('gate')
    const started = first(gated).catch((error: unknown) => error)
    await until(async () => (await base.query(isWaiting)).length > 0)
    return [[started] as const, await second()]
  })
  return [await pending[0], done] as const
}

/** Stores an event of an hour that is over. */
async function add(workspaceId: string): Promise<void> {
  const startTimeUnixNano = BigInt(Date.parse('2026-02-01T10:00:30Z')) * 1_000_000n
  await storeGroup(base.db, [makeBatch(workspaceId, [makeEvent({ startTimeUnixNano })])])
}

/** A workspace with one event that is folded, and a late one that is not. */
async function makeLate(): Promise<string> {
  const workspaceId = await insertWorkspaceRow(base.query)
  await add(workspaceId)
  await foldAll(base.db, [workspaceId])
  await add(workspaceId)
  return workspaceId
}

/** Returns the rows that are wrong once all work is done. */
async function findWrong(workspaceId: string): Promise<string[]> {
  await finishAll(base.db, workspaceId)
  return differences(await countFresh(base.db, workspaceId), await readStored(base, workspaceId))
}

const asking = loadStatements().get('rollups/ask-for-sums') ?? ''
const insertsOnly = asking.replace('where ctid = any', 'where false and ctid = any')

/** Folds the late event while a sum waits. */
async function foldDuringSum(t: Test, statement: string) {
  const workspaceId = await makeLate()
  const folding = openChanged(t, { 'rollups/ask-for-sums': statement })
  const sum = (db: Database): Promise<WorkDone> => doWork(db, workspaceId, limits, wholeDaysMs)
  const [result] = await overtake(t, sum, () => foldAll(folding, [workspaceId]))
  return { result, wrong: await findWrong(workspaceId) }
}

test.serial('a sum that has not seen a fold fails, and its repetition counts what was folded', async (t) => {
  const { result, wrong } = await foldDuringSum(t, asking)
  t.true(result instanceof Outage)
  t.deepEqual(wrong, [])
})

test.serial(
  'the control: if the fold does not write the request again, the hour and the day lack what was folded',
  async (t) => {
    const { result, wrong } = await foldDuringSum(t, insertsOnly.replace(/do update set .*/, 'do nothing'))
    t.is((result as WorkDone).result, 'summed')
    t.deepEqual(wrong, ['1 2026-02-01T10:00:00.000Z', '2 2026-02-01T00:00:00.000Z'])
  },
)

/** Sums up the hour while the fold of the late event waits. The sum of the day is then due before the next one of the hour. */
async function sumDuringFold(t: Test, statement: string) {
  const workspaceId = await makeLate()
  const [result, { result: hour }] = await overtake(
    t,
    (db) => foldDeltas(db, [workspaceId], limits),
    () => doWork(base.db, workspaceId, limits, wholeDaysMs),
    { 'rollups/ask-for-sums': statement },
  )
  const read = await countRead(base.db, workspaceId)
  await base.query(`update rollup_work set due_at = due_at - interval '3 minutes' where kind = 2`)
  return { result, others: { hour, read, wrong: await findWrong(workspaceId) } }
}

test.serial('a fold that has not seen a sum fails, and its repetition adds to the row of the hour', async (t) => {
  const { result, others } = await sumDuringFold(t, asking)
  t.true(result instanceof Outage)
  t.deepEqual(others, { hour: 'summed', read: 2, wrong: [] })
})

test.serial('the control: if the fold only inserts its requests, the day lacks what was folded', async (t) => {
  const { result, others } = await sumDuringFold(t, insertsOnly)
  t.is((result as Folded).deltas, 1)
  t.deepEqual(others, { hour: 'summed', read: 1, wrong: ['2 2026-02-01T00:00:00.000Z'] })
})
