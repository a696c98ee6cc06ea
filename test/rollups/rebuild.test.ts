import { readFileSync } from 'node:fs'
import test from 'ava'
import { storeGroup } from '../../src/ingest/commit/store-group.ts'
import { foldDeltas } from '../../src/rollups/fold-deltas.ts'
import { isClash } from '../../src/rollups/fold-waiting.ts'
import { rebuildAll, rebuildWorkspace } from '../../src/rollups/rebuild.ts'
import type { Database, Runner } from '../../src/store/database.ts'
import { insertWorkspaceRow, makeBatch, makeEvent } from '../_kit/batch.ts'
import { makeDatabase, type TestDatabase } from '../_kit/db.ts'
import { makeRandom } from '../_kit/random.ts'
import { until } from '../_kit/until.ts'
import { intercept } from '../ingest/_intercept.ts'
import { makeTraces } from './_storm.ts'
import { countFresh, differences, finishAll, foldAll, limits, readStored } from './_truth.ts'

let base: TestDatabase
test.before(async () => {
  base = await makeDatabase()
})
test.after.always(async () => await base.stop())

const never = new AbortController().signal
/** Folds all while others change the same rows, after which PostgreSQL refuses a transaction that began before. */
const foldBeside = async (workspace: string): Promise<void> =>
  await until(async () => {
    try {
      await foldAll(base.db, [workspace])
      return true
    } catch (error) {
      if (!isClash(error)) throw error
      return false
    }
  })

const at = (text: string): bigint => BigInt(Date.parse(text)) * 1_000_000n

test.serial('a rebuild makes good whatever the rows say, in bounded transactions, while events come in', async (t) => {
  const workspace = await insertWorkspaceRow(base.query)
  const random = makeRandom(7)
  const events = makeTraces(random, 80)
  const half = events.length >> 1
  await storeGroup(base.db, [makeBatch(workspace, events.slice(0, half))])
  await finishAll(base.db, workspace)
  // Wrong numbers, a missing row, and a row for a time without events.
  await base.query(
    `update rollups set total = (select total from rollups order by start_time limit 1), cells = (select cells from rollups order by start_time limit 1)`,
  )
  await base.query(`delete from rollups where start_time = (select max(start_time) from rollups where tier = 0)`)
  await base.query(
    `insert into rollups select workspace_id, 0, start_time - interval '1 day', total, cells from rollups where tier = 0 limit 1`,
  )
  const batches: Promise<unknown>[] = []
  for (let from = half; from < events.length; from += 20) {
    batches.push(storeGroup(base.db, [makeBatch(workspace, events.slice(from, from + 20))]))
  }
  const [minutes] = await Promise.all([
    rebuildWorkspace(base.db, workspace, { limits: { ...limits, maxEvents: 30 }, signal: never }),
    foldBeside(workspace),
    ...batches,
  ])
  t.true(minutes >= 5)
  await finishAll(base.db, workspace)
  const fresh = await countFresh(base.db, workspace)
  t.true(Object.keys(fresh).length > 8)
  t.deepEqual(differences(fresh, await readStored(base, workspace)), [])
})

test.serial('a rebuild of a window leaves the rest alone', async (t) => {
  const workspace = await insertWorkspaceRow(base.query)
  const events = ['10:00:30', '10:01:30', '10:02:30'].map((time) =>
    makeEvent({ startTimeUnixNano: at(`2026-02-01T${time}Z`) }),
  )
  await storeGroup(base.db, [makeBatch(workspace, events)])
  await foldAll(base.db, [workspace])
  const fresh = await countFresh(base.db, workspace)
  await base.query(`update rollups set total = '\\x00', cells = '\\x00'`)
  const window = { fromMs: Date.parse('2026-02-01T10:01:10Z'), toMs: Date.parse('2026-02-01T10:01:20Z') }
  t.is(await rebuildWorkspace(base.db, workspace, { ...window, limits, signal: never }), 1)
  t.deepEqual(
    differences(fresh, await readStored(base, workspace))
      .filter((name) => name.startsWith('0'))
      .sort(),
    ['0 2026-02-01T10:00:00.000Z', '0 2026-02-01T10:02:00.000Z'],
  )
})

test.serial('all workspaces are rebuilt in turn; one without events has nothing to rebuild', async (t) => {
  const own = await makeDatabase()
  t.teardown(own.stop)
  const ids = [
    await insertWorkspaceRow(own.query),
    await insertWorkspaceRow(own.query),
    await insertWorkspaceRow(own.query),
  ].sort()
  const [one = '', , three = ''] = ids
  // Within one minute, whatever the current time is.
  const startTimeUnixNano = at('2026-02-01T10:00:30Z')
  for (const id of [one, three])
    await storeGroup(own.db, [makeBatch(id, [makeEvent({ startTimeUnixNano }), makeEvent({ startTimeUnixNano })])])
  await foldAll(own.db, ids)
  await own.query('delete from rollups')
  const rebuilt: [string, number][] = []
  await rebuildAll(own.db, { limits, signal: never }, (id, minutes) => rebuilt.push([id, minutes]))
  t.deepEqual(
    rebuilt,
    ids.map((id) => [id, id === one || id === three ? 1 : 0]),
  )
})

const bury = async (workspace: string) =>
  await base.query('update workspaces set deleted_at = now() where id = $1', [workspace])
const readWork = async (workspace: string) =>
  await base.query('select from rollup_work where workspace_id = $1', [workspace])

test.serial('a rebuild of a deleted workspace ends, and writes nothing down', async (t) => {
  const workspace = await insertWorkspaceRow(base.query)
  await storeGroup(base.db, [makeBatch(workspace, [makeEvent()])])
  await bury(workspace)
  t.is(await rebuildWorkspace(base.db, workspace, { limits, signal: never }), 0)
  t.deepEqual(await readWork(workspace), [])
})

test.serial('a rebuild of a workspace that is deleted meanwhile ends', async (t) => {
  const workspace = await insertWorkspaceRow(base.query)
  await storeGroup(base.db, [makeBatch(workspace, [makeEvent()])])
  const db = intercept(base.db, async (statement) => {
    if (statement === 'rollups/hold-workspaces') await bury(workspace)
    return undefined
  })
  t.is(await rebuildWorkspace(db, workspace, { limits, signal: never }), 0)
  t.is((await readWork(workspace)).length, 1, 'the purge removes what was written down before')
})

test.serial('the question whether a workspace is alive, which is asked in polls, locks no row', async (t) => {
  const workspace = await insertWorkspaceRow(base.query)
  const readLocker = async () => await base.query('select xmax::text from workspaces where id = $1', [workspace])
  t.truthy(await base.db.row('rollups/is-alive', [workspace]))
  t.deepEqual(await readLocker(), [{ xmax: '0' }])
  t.truthy(await base.db.row('rollups/hold-workspace', [workspace]))
  t.notDeepEqual(await readLocker(), [{ xmax: '0' }])
  await bury(workspace)
  t.is(await base.db.row('rollups/is-alive', [workspace]), null)
})

test.serial('a database of an older version is counted by itself', async (t) => {
  const own = await makeDatabase()
  t.teardown(own.stop)
  const workspace = await insertWorkspaceRow(own.query)
  await insertWorkspaceRow(own.query)
  const events = makeTraces(makeRandom(3), 20)
  await storeGroup(own.db, [makeBatch(workspace, events)])
  // The state before the migration.
  for (const table of ['rollups', 'rollup_deltas', 'rollup_work', 'rollup_damage'])
    await own.query(`drop table ${table}`)
  await own.query('drop function forget_sets()')
  for (const name of ['0005_rollups', '0022_exact_sets'])
    await own.query(readFileSync(`sql/migrate/${name}.sql`, 'utf8'))
  t.deepEqual(await own.query('select workspace_id, kind, due_at <= now() as due from rollup_work'), [
    { workspace_id: workspace, kind: 0, due: true },
  ])
  // Later events take the usual path.
  await storeGroup(own.db, [makeBatch(workspace, makeTraces(makeRandom(4), 5))])
  await finishAll(own.db, workspace)
  t.deepEqual(differences(await countFresh(own.db, workspace), await readStored(own, workspace)), [])
})

/** Folds two deltas, of which the one with the smaller number is committed after they were read and before they are removed. */
async function foldWithLate(workspace: string, snapshot: boolean): Promise<{ left: number; differ: string[] }> {
  for (const start of ['2026-02-01T10:00:00Z', '2026-02-01T10:00:01Z']) {
    await storeGroup(base.db, [makeBatch(workspace, [makeEvent({ startTimeUnixNano: at(start) })])])
  }
  const [late = {}] = await base.query(
    `delete from rollup_deltas where id = (select min(id) from rollup_deltas where workspace_id = $1)
     returning workspace_id, id, from_time, to_time, stale_minutes, body, sets`,
    [workspace],
  )
  const commitLate = async (): Promise<unknown> =>
    await base.query(
      `insert into rollup_deltas (workspace_id, id, from_time, to_time, stale_minutes, body, sets)
       values ($1, $2, $3, $4, $5, $6, $7)`,
      Object.values(late),
    )
  const db: Database = {
    ...base.db,
    tx: async (work) =>
      await base.db.tx(
        async (tx) => {
          const run: Runner['run'] = async (name, values) => {
            if (name === 'rollups/delete-deltas') await commitLate()
            return await tx.run(name, values)
          }
          return await work({ ...tx, run })
        },
        { snapshot },
      ),
  }
  await foldDeltas(db, [workspace], limits)
  const left = (await base.query('select from rollup_deltas where workspace_id = $1', [workspace])).length
  await finishAll(base.db, workspace)
  return { left, differ: differences(await countFresh(base.db, workspace), await readStored(base, workspace)) }
}

test.serial('a delta that is committed while others are folded waits for the next time', async (t) => {
  t.deepEqual(await foldWithLate(await insertWorkspaceRow(base.query), true), { left: 1, differ: [] })
})

test.serial('without a snapshot it would be removed unread', async (t) => {
  const { left, differ } = await foldWithLate(await insertWorkspaceRow(base.query), false)
  t.is(left, 0)
  t.is(differ.length, 3)
})
