// Passes of the purge: one that is asked for as another one ends, and one with a workspace that cannot be purged.
import test from 'ava'
import type { Database } from '../../src/store/database.ts'
import { openWorkspacePurge } from '../../src/workspaces/purge.ts'
import { makeDatabase } from '../_kit/db.ts'
import { until } from '../_kit/until.ts'
import { makeWorkspace } from '../_kit/workspace.ts'

const database = await makeDatabase()
test.after.always(database.stop)

const fail = (error: unknown): void => {
  throw error
}

async function insertDeleted(hoursAgo: number): Promise<string> {
  const id = await makeWorkspace(database.query)
  await database.query(`update workspaces set deleted_at = now() - $2 * interval '1 hour' where id = $1`, [
    id,
    hoursAgo,
  ])
  return id
}

const isPurged = async (workspaceId: string): Promise<boolean> =>
  (await database.query('select from workspaces where id = $1 and purged_at is not null', [workspaceId])).length > 0

/** A database in which no row of this workspace can be removed. */
const withoutPurgeOf = (db: Database, workspaceId: string): Database => ({
  ...db,
  tx: async (work, options) =>
    await db.tx(
      async (tx) =>
        await work({
          ...tx,
          row: async <Row extends object>(statement: string, values?: readonly unknown[]) => {
            if (statement === 'workspaces/purge-batch' && values?.[0] === workspaceId)
              throw new Error('it took too long')
            return await tx.row<Row>(statement, values)
          },
        }),
      options,
    ),
})

test.serial(
  'a workspace whose purge fails is told of, and those that were deleted later do not wait for it',
  async (t) => {
    const [first, second] = [await insertDeleted(2), await insertDeleted(1)]
    const errors: unknown[] = []
    const failing = openWorkspacePurge({
      db: withoutPurgeOf(database.actor, first),
      settleMs: 0,
      onError: (error) => void errors.push(error),
      onPassed: () => t.fail('the pass did not go through'),
    })
    await failing.pass()
    await failing.stop()
    t.regex(String(errors[0]), /it took too long/)
    t.deepEqual([await isPurged(first), await isPurged(second)], [false, true])
    const purge = openWorkspacePurge({ db: database.actor, onError: fail, settleMs: 0 })
    await purge.pass()
    await purge.stop()
    t.true(await isPurged(first))
  },
)

test.serial('a pass that is asked for just as another one ends takes place', async (t) => {
  // How many turns of the microtask queue after the end of a pass the next one is asked for.
  for (const turns of [0, 1, 2, 3, 4]) {
    let passes = 0
    let later: Promise<void> | undefined
    const askAfter = async (): Promise<void> => {
      for (let turn = 0; turn < turns; turn += 1) await Promise.resolve()
      await purge.pass()
    }
    const purge = openWorkspacePurge({
      db: database.actor,
      tickMs: 3_600_000,
      onError: fail,
      onPassed: () => {
        passes += 1
        later ??= askAfter()
      },
    })
    await until(() => later !== undefined)
    await later
    await purge.stop()
    t.is(passes, 2, `after ${turns}`)
  }
})
