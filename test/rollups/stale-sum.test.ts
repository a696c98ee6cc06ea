// The snapshot of a sum is taken before the workspace is held, so a fold may commit in between.
import test from 'ava'
import { Outage } from '../../src/base/fault.ts'
import { storeGroup } from '../../src/ingest/commit/store-group.ts'
import { doWork, type WorkDone } from '../../src/rollups/do-work.ts'
import { loadStatements } from '../../src/store/statements.ts'
import { insertWorkspaceRow, makeBatch, makeEvent } from '../_kit/batch.ts'
import { makeDatabase, openTestPool, type TestDatabase } from '../_kit/db.ts'
import { until } from '../_kit/until.ts'
import { countFresh, differences, finishAll, foldAll, limits, readStored, wholeDaysMs } from './_truth.ts'

let base: TestDatabase
test.beforeEach(async () => {
  base = await makeDatabase()
})
test.afterEach.always(async () => await base.stop())

const gate = 4_711
const isWaiting = `select from pg_stat_activity where datname = current_database() and wait_event = 'advisory'`

/** Folds a late event while a sum has its snapshot and waits to hold the workspace. Returns the rows that are wrong in the end. */
async function foldDuringSum(t: { teardown: (end: () => Promise<void>) => void }, askForSums: string | null) {
  const workspaceId = await insertWorkspaceRow(base.query)
  const startTimeUnixNano = BigInt(Date.parse('2026-02-01T10:00:30Z')) * 1_000_000n
  const add = async (): Promise<void> => {
    await storeGroup(base.db, [makeBatch(workspaceId, [makeEvent({ startTimeUnixNano })])])
    await foldAll(base.db, [workspaceId])
  }
  const statements = new Map(loadStatements())
  const hold = statements.get('rollups/hold-workspaces') ?? ''
  statements.set(
    'rollups/hold-workspaces',
    hold.replace(/where (pg_try_.*)/, `where case when pg_advisory_xact_lock(${gate})::text = '' then $1 end`),
  )
  const summing = openTestPool(base.url, { statements })
  t.teardown(summing.stop)
  const folding = new Map([...loadStatements(), ['gate', `select pg_advisory_xact_lock(${gate})`]])
  if (askForSums !== null) folding.set('rollups/ask-for-sums', askForSums)
  const late = openTestPool(base.url, { statements: folding })
  t.teardown(late.stop)

  await add()
  await storeGroup(base.db, [makeBatch(workspaceId, [makeEvent({ startTimeUnixNano })])])
  const [sum] = await late.tx(async (tx) => {
    await tx.run('gate')
    const summed = doWork(summing, workspaceId, limits, wholeDaysMs).catch((error: unknown) => error)
    await until(async () => (await base.query(isWaiting)).length > 0)
    await foldAll(late, [workspaceId])
    return [summed] as const
  })
  const result = await sum
  await finishAll(base.db, workspaceId)
  return { result, wrong: differences(await countFresh(base.db, workspaceId), await readStored(base, workspaceId)) }
}

test.serial('a sum that has not seen a fold fails, and its repetition counts what was folded', async (t) => {
  const { result, wrong } = await foldDuringSum(t, null)
  t.true(result instanceof Outage)
  t.deepEqual(wrong, [])
})

test.serial(
  'the control: if the fold does not write the request again, the hour and the day lack what was folded',
  async (t) => {
    const statement = loadStatements().get('rollups/ask-for-sums') ?? ''
    const { result, wrong } = await foldDuringSum(t, statement.replace(/do update set .*/, 'do nothing'))
    t.is((result as WorkDone).result, 'summed')
    t.deepEqual(wrong, ['1 2026-02-01T10:00:00.000Z', '2 2026-02-01T00:00:00.000Z'])
  },
)
