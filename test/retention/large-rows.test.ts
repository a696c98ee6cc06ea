// Batches whose rows are too large for the statement timeout.
import { openRetention } from '../../src/retention/open-retention.ts'
import { around } from '../_kit/around.ts'
import { insertWorkspaceRow } from '../_kit/batch.ts'
import { cancelLarge } from '../_kit/cancel-large.ts'
import { makeDatabase, type TestDatabase } from '../_kit/db.ts'
import { makeOld, readKept, storeOld } from './_old.ts'

let base: TestDatabase
const test = around(
  async () => {
    base = await makeDatabase()
    // Keeps everything: then no chunk of a hypertable may be dropped, so that rows are removed there too.
    await insertWorkspaceRow(base.query, 'self_hosted')
  },
  async () => await base.stop(),
)

/** Runs one pass on a database that cancels this statement for more rows than that. */
async function runPass(statement: string, maxRows: number) {
  const sizes: number[] = []
  const errors: unknown[] = []
  let passes = 0
  const retention = openRetention({
    db: cancelLarge(base.actor, statement, maxRows, (rows) => sizes.push(rows)),
    keepDaysOf: (plan) => (plan === 'free' ? 30 : null),
    onRemoved: () => undefined,
    onPassed: () => passes++,
    onError: (error) => errors.push(error),
    batchRows: 16,
  })
  await retention.pass()
  await retention.stop()
  return { sizes, errors, passes }
}

test.serial('a batch that is canceled is repeated with half as many rows, until all are removed', async (t) => {
  const workspace = await insertWorkspaceRow(base.query, 'free')
  await storeOld(base, workspace, makeOld(40, 6))
  const { sizes, errors, passes } = await runPass('retention/find-batch-end', 4)
  t.deepEqual(sizes.slice(0, 4), [16, 8, 4, 4])
  t.deepEqual(errors, [])
  t.true(passes > 0)
  t.like(await readKept(base, workspace), { events: 0, payloads: 0, traces: 0 })
})

test.serial('a removal that fails even for one row is reported, and the others of the workspace go on', async (t) => {
  const workspace = await insertWorkspaceRow(base.query, 'free')
  await storeOld(base, workspace, makeOld(40, 6))
  const { sizes, errors, passes } = await runPass('retention/find-batch-end', 0)
  t.is(sizes.at(-1), 1)
  t.is(errors.length, sizes.filter((rows) => rows === 1).length)
  t.is(passes, 0)
  t.like(await readKept(base, workspace), { events: 6, traces: 0 })
})
