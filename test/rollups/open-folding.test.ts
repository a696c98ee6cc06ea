import { storeGroup } from '../../src/ingest/commit/store-group.ts'
import type { CorruptRollup } from '../../src/rollups/corrupt-rollup.ts'
import { type FoldingOptions, openFolding } from '../../src/rollups/open-folding.ts'
import { around } from '../_kit/around.ts'
import { insertWorkspaceRow, makeBatch, makeEvent } from '../_kit/batch.ts'
import { makeDatabase, type TestDatabase } from '../_kit/db.ts'
import { until } from '../_kit/until.ts'
import { countFresh, differences, readStored } from './_truth.ts'

let base: TestDatabase
const test = around(
  async () => {
    base = await makeDatabase()
  },
  async () => {
    // If an assertion failed they still run: without a database they would never end.
    await Promise.all(stops.splice(0).map((stop) => stop()))
    await base.stop()
  },
)

/** Stops of the loops of this test. */
const stops: (() => Promise<void>)[] = []

const at = (text: string): bigint => BigInt(Date.parse(text)) * 1_000_000n
const makeOne = (start: string) => makeEvent({ startTimeUnixNano: at(start) })

const isEmpty = async (table: string, where = 'true'): Promise<boolean> =>
  (await base.query(`select from ${table} where ${where} limit 1`)).length === 0

/** The events that the loop reported while it ran. */
function openLoop(options: Partial<FoldingOptions> = {}) {
  const damage: CorruptRollup[] = []
  const errors: unknown[] = []
  const lags: number[] = []
  const folding = openFolding({
    db: base.db,
    onWaiting: ({ lagMs }) => lags.push(lagMs),
    onFolded: () => undefined,
    onDone: () => undefined,
    onRound: () => undefined,
    onDamage: (one) => damage.push(one),
    onError: (error) => errors.push(error),
    foldAfterMs: 0,
    pauseMs: 10,
    ...options,
  })
  stops.push(folding.stop)
  return { damage, errors, lags, stop: folding.stop }
}

/** Makes requested hours and days due. */
const makeDue = async (): Promise<unknown> => await base.query('update rollup_work set due_at = now()')

test.serial(
  'the loop folds every workspace, sums up hours and days once they are due, and tells how long it was behind',
  async (t) => {
    const workspaces = await Promise.all(Array.from({ length: 40 }, async () => await insertWorkspaceRow(base.query)))
    for (const id of workspaces) await storeGroup(base.db, [makeBatch(id, [makeOne('2026-01-05T05:06:07Z')])])
    await base.query(`update rollup_deltas set at = now() - interval '1 hour' where workspace_id = $1`, [workspaces[7]])
    const loop = openLoop()
    await until(async () => await isEmpty('rollup_deltas'))
    t.true((loop.lags[0] ?? 0) >= 3_600_000)
    await until(async () => loop.lags.at(-1) === 0)
    await makeDue()
    await until(async () => await isEmpty('rollup_work'))
    await loop.stop()
    for (const id of workspaces) t.deepEqual(differences(await countFresh(base.db, id), await readStored(base, id)), [])
    t.deepEqual(loop.errors, [])
  },
)

test.serial('deltas are folded when they are old or many', async (t) => {
  const [quiet, busy] = [await insertWorkspaceRow(base.query), await insertWorkspaceRow(base.query)]
  const store = async (id: string): Promise<unknown> =>
    await storeGroup(base.db, [makeBatch(id, [makeOne('2026-01-05T05:06:07Z')])])
  await store(quiet)
  for (let nth = 0; nth < 32; nth += 1) await store(busy)
  const loop = openLoop({ foldAfterMs: 3_600_000 })
  await until(async () => await isEmpty('rollup_deltas', `workspace_id = '${busy}'`))
  t.false(await isEmpty('rollup_deltas', `workspace_id = '${quiet}'`))
  await base.query(`update rollup_deltas set at = now() - interval '2 hours'`)
  await until(async () => await isEmpty('rollup_deltas'))
  await loop.stop()
  t.deepEqual(loop.errors, [])
})

test.serial('a round goes on folding a workspace with more deltas than one transaction takes', async (t) => {
  const workspace = await insertWorkspaceRow(base.query)
  await storeGroup(base.db, [makeBatch(workspace, [makeOne('2026-01-05T05:06:07Z')])])
  await base.query(`insert into rollup_deltas (workspace_id, from_time, to_time, stale_minutes, body, sets)
    select workspace_id, from_time, to_time, stale_minutes, body, sets from rollup_deltas, generate_series(2, 640)`)
  const atOnce: number[] = []
  let rounds = 0
  let roundsUntilDone = 0
  const loop = openLoop({
    onFolded: ({ deltas }) => {
      atOnce.push(deltas)
      roundsUntilDone = rounds
    },
    onRound: () => (rounds += 1),
  })
  await until(async () => await isEmpty('rollup_deltas'))
  await loop.stop()
  t.deepEqual(
    atOnce.filter((deltas) => deltas > 0),
    Array.from({ length: 10 }, () => 64),
  )
  t.true(roundsUntilDone < 9, `${roundsUntilDone} rounds`)
  t.deepEqual(loop.errors, [])
})

test.serial(
  'damaged deltas and rows are set aside and told, keep nothing waiting, and their time is counted anew',
  async (t) => {
    const workspace = await insertWorkspaceRow(base.query)
    const store = async (start: string): Promise<unknown> =>
      await storeGroup(base.db, [makeBatch(workspace, [makeOne(start), makeOne(start)])])
    await store('2026-01-05T05:06:07Z')
    const first = openLoop()
    await until(async () => await isEmpty('rollup_deltas'))
    await makeDue()
    await until(async () => await isEmpty('rollup_work'))
    await first.stop()
    // A truncated delta between two valid ones, and overwritten rows of every tier.
    for (const start of ['2026-01-05T05:06:08Z', '2026-01-05T05:07:00Z', '2026-01-05T05:08:00Z']) await store(start)
    await base.query(`update rollup_deltas set body = substring(body for 40)
    where id = (select id from rollup_deltas order by id offset 1 limit 1)`)
    await base.query(`update rollups set cells = '\\x0101ff'`)
    const loop = openLoop()
    await until(async () => (await isEmpty('rollup_deltas')) && (await isEmpty('rollup_work', 'kind = 0')))
    await makeDue()
    await until(async () => await isEmpty('rollup_work'))
    await loop.stop()
    t.deepEqual(differences(await countFresh(base.db, workspace), await readStored(base, workspace)), [])
    t.deepEqual(loop.damage.map(({ source }) => source).sort(), ['day', 'delta', 'hour', 'minute'])
    t.deepEqual(await base.query('select source, count(*)::int as n from rollup_damage group by 1 order by 1'), [
      { source: 'day', n: 1 },
      { source: 'delta', n: 1 },
      { source: 'hour', n: 1 },
      { source: 'minute', n: 1 },
    ])
    t.deepEqual(loop.errors, [])
  },
)

test.serial('a workspace that cannot be folded does not block others', async (t) => {
  const [bad, good] = [await insertWorkspaceRow(base.query), await insertWorkspaceRow(base.query)]
  for (const id of [bad, good]) await storeGroup(base.db, [makeBatch(id, [makeOne('2026-01-05T05:06:07Z')])])
  await base.query(`create function refuse() returns trigger language plpgsql as $$
    begin if new.workspace_id = '${bad}' then raise exception 'no'; end if; return new; end $$`)
  await base.query('create trigger refuse before insert on rollups for each row execute function refuse()')
  const loop = openLoop()
  await until(async () => await isEmpty('rollup_deltas', `workspace_id = '${good}'`))
  await until(async () => loop.errors.length > 0)
  t.false(await isEmpty('rollup_deltas', `workspace_id = '${bad}'`))
  await base.query('drop trigger refuse on rollups')
  await until(async () => await isEmpty('rollup_deltas'))
  await makeDue()
  await until(async () => await isEmpty('rollup_work'))
  await loop.stop()
  t.deepEqual(differences(await countFresh(base.db, bad), await readStored(base, bad)), [])
})

test.serial('a round that fails at its end does not count as completed', async (t) => {
  let rounds = 0
  await base.query('alter table rollup_work rename to rollup_work_away')
  const loop = openLoop({ onRound: () => (rounds += 1) })
  await until(() => loop.errors.length > 2)
  t.true(loop.lags.length > 1, 'its beginning succeeds')
  t.is(rounds, 0)
  await base.query('alter table rollup_work_away rename to rollup_work')
  await until(() => rounds > 0)
})

test.serial('a deleted workspace gets no rows any longer', async (t) => {
  const workspace = await insertWorkspaceRow(base.query)
  await storeGroup(base.db, [makeBatch(workspace, [makeOne('2026-01-05T05:06:07Z')])])
  await base.query('update workspaces set deleted_at = now() where id = $1', [workspace])
  const other = await insertWorkspaceRow(base.query)
  await storeGroup(base.db, [makeBatch(other, [makeOne('2026-01-05T05:06:07Z')])])
  const loop = openLoop()
  await until(async () => await isEmpty('rollup_deltas', `workspace_id = '${other}'`))
  // Its deltas wait for the purge only, and are no lag.
  await until(async () => loop.lags.at(-1) === 0)
  await loop.stop()
  t.true(await isEmpty('rollups', `workspace_id = '${workspace}'`))
  t.false(await isEmpty('rollup_deltas', `workspace_id = '${workspace}'`))
})

test.serial('two loops at once fold everything once', async (t) => {
  const workspaces = await Promise.all(Array.from({ length: 6 }, async () => await insertWorkspaceRow(base.query)))
  const loops = [openLoop(), openLoop()]
  for (let round = 0; round < 15; round += 1) {
    const group = workspaces.map((id) =>
      makeBatch(id, [makeOne('2026-01-05T05:06:07Z'), makeOne('2026-01-05T06:06:07Z')]),
    )
    await storeGroup(base.db, group)
  }
  await until(async () => await isEmpty('rollup_deltas'))
  await makeDue()
  await until(async () => await isEmpty('rollup_work'))
  for (const loop of loops) await loop.stop()
  for (const id of workspaces) t.deepEqual(differences(await countFresh(base.db, id), await readStored(base, id)), [])
  t.deepEqual(
    loops.flatMap(({ errors }) => errors),
    [],
  )
})

test.serial('a workspace with a thousand windows to recount does not delay others', async (t) => {
  const [much, little] = [await insertWorkspaceRow(base.query), await insertWorkspaceRow(base.query)]
  for (const id of [much, little]) await storeGroup(base.db, [makeBatch(id, [makeOne('2026-01-05T05:06:07Z')])])
  await base.query(
    `insert into rollup_work select $1, 0, start_time, start_time + interval '1 minute', now() - interval '1 hour'
     from generate_series(timestamptz '2026-01-01', '2026-01-01 20:00', '1 minute') start_time`,
    [much],
  )
  await base.query(
    `insert into rollup_work select $1, 0, start_time, start_time + interval '1 minute', now()
     from (values (timestamptz '2026-01-05 05:06')) as one (start_time)`,
    [little],
  )
  // A trigger counts the windows of `much` at the moment when that of `little` is removed: a later query would be too late, since the loop
  // continues.
  await base.query('create table windows_left (windows bigint)')
  await base.query(`create function note_left() returns trigger language plpgsql as $$
    begin insert into windows_left select count(*) from rollup_work where workspace_id = '${much}' and kind = 0; return null; end $$`)
  await base.query(`create trigger note_left after delete on rollup_work for each row
    when (old.workspace_id = '${little}' and old.kind = 0) execute function note_left()`)
  const loop = openLoop()
  await until(async () => await isEmpty('rollup_work', `workspace_id = '${little}' and kind = 0`))
  await loop.stop()
  t.false(await isEmpty('windows_left'))
  t.true(await isEmpty('windows_left', 'windows = 0'))
  t.deepEqual(loop.errors, [])
})
