// Passes of the purge: one that is requested as another one ends, and one with a workspace that cannot be purged.
import { mock } from 'node:test'
import test from 'ava'
import type { Database } from '../../src/store/database.ts'
import { openWorkspacePurge } from '../../src/workspaces/purge.ts'
import { cancelLarge } from '../_kit/cancel-large.ts'
import { inSoak } from '../_kit/soak.ts'
import { until } from '../_kit/until.ts'
import { useDatabase } from '../_kit/use-database.ts'
import { makeWorkspace } from '../_kit/workspace.ts'

const database = useDatabase()

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

/** A database in which no row of these workspaces can be removed. */
const withoutPurgeOf = (db: Database, ...workspaceIds: readonly unknown[]): Database => ({
  ...db,
  tx: async (work, options) =>
    await db.tx(
      async (tx) =>
        await work({
          ...tx,
          row: async <Row extends object>(statement: string, values?: readonly unknown[]) => {
            if (statement === 'workspaces/purge-batch' && workspaceIds.includes(values?.[0]))
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

test.serial('however many fail, and at the same moment deleted, one that was deleted later is purged', async (t) => {
  // More than a page of the list.
  const rows = await database.query<{ id: string }>(
    `insert into workspaces (id, org_id, name, plan, redaction_secret, deleted_at)
     select gen_random_uuid(), w.org_id, 'gone', w.plan, w.redaction_secret, date_trunc('day', now() - interval '2 days')
     from (select * from workspaces limit 1) w, generate_series(1, $1::int) returning id`,
    [inSoak(105, 250)],
  )
  const failing = rows.map(({ id }) => id)
  const last = await insertDeleted(1)
  const failures = new Set<unknown>()
  const purge = openWorkspacePurge({
    db: withoutPurgeOf(database.actor, ...failing),
    settleMs: 0,
    onError: (error) => void failures.add(error),
  })
  await purge.pass()
  await purge.stop()
  t.true(await isPurged(last))
  // Once in the first pass, and once in this one.
  t.is(failures.size, 2 * failing.length)
  const found: number[] = []
  const mended = openWorkspacePurge({
    db: database.actor,
    settleMs: 0,
    onError: fail,
    onPassed: (count) => void found.push(count),
  })
  await mended.pass()
  await mended.stop()
  t.deepEqual(found, [failing.length, 0], 'all are counted')
  t.true((await Promise.all(failing.map(isPurged))).every(Boolean))
})

test.serial(
  'a process whose clock is ahead finishes no workspace into which late writers may still write',
  async (t) => {
    const id = await insertDeleted(0)
    const purge = openWorkspacePurge({ db: database.actor, onError: fail })
    mock.timers.enable({ apis: ['Date'], now: Date.now() + 3_600_000 })
    try {
      await purge.pass()
    } finally {
      mock.timers.reset()
      await purge.stop()
    }
    t.false(await isPurged(id))
  },
)

test.serial('a purge that is requested as another one ends takes place', async (t) => {
  // The number of turns of the microtask queue between the end of a pass and the request for the next one.
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

test.serial('a batch that is canceled is repeated with half as many rows', async (t) => {
  const workspace = await insertDeleted(1)
  const sizes: number[] = []
  const purge = openWorkspacePurge({
    db: cancelLarge(database.actor, 'workspaces/purge-batch', 3, (rows) => sizes.push(rows)),
    settleMs: 0,
    batchRows: 12,
    onError: fail,
  })
  await purge.pass()
  await purge.stop()
  t.deepEqual(sizes.slice(0, 3), [12, 6, 3])
  t.true(await isPurged(workspace))
})
