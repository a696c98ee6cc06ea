// Rollups of a later release, beside this one in a rolling upgrade or left behind by a downgrade: none of their data is lost.
import { Outage } from '../../src/base/fault.ts'
import { storeGroup } from '../../src/ingest/commit/store-group.ts'
import type { CorruptRollup } from '../../src/rollups/corrupt-rollup.ts'
import { openFolding } from '../../src/rollups/open-folding.ts'
import { askForRebuilds, askForSums } from '../../src/rollups/work.ts'
import { makeBucket } from '../../src/sketches/bucket.ts'
import { NewerFormat } from '../../src/sketches/byte-reader.ts'
import { counterAt } from '../../src/sketches/counters.ts'
import { type Delta, encodeDelta, mergeStoredDelta } from '../../src/sketches/delta.ts'
import { encodeRow, mergeRow, type RowBytes } from '../../src/sketches/row-codec.ts'
import { around } from '../_kit/around.ts'
import { insertWorkspaceRow, makeBatch, makeEvent } from '../_kit/batch.ts'
import { makeDatabase, type TestDatabase } from '../_kit/db.ts'
import { until } from '../_kit/until.ts'
import { countFresh, countRead, differences, finishAll, readStored } from './_truth.ts'

let base: TestDatabase
const test = around(
  async () => {
    base = await makeDatabase()
  },
  async () => await base.stop(),
)

const dayMs = 86_400_000
const fromMs = Date.parse('2026-01-05T00:00:00Z')
const window = { fromMs, toMs: fromMs + dayMs }

async function store(workspaceId: string, events: number): Promise<void> {
  const startTimeUnixNano = BigInt(Date.parse('2026-01-05T05:06:07Z')) * 1_000_000n
  await storeGroup(base.db, [
    makeBatch(
      workspaceId,
      Array.from({ length: events }, () => makeEvent({ startTimeUnixNano })),
    ),
  ])
}

/** A counter that this release does not know; the newer one adds one for each event. */
const newCounter = Object.keys(counterAt).length

/** Changes the rows to what the newer release would have written. */
async function addCounterToRows(): Promise<void> {
  type Stored = RowBytes & { readonly tier: number; readonly start_time: Date }
  for (const { tier, start_time, ...row } of await base.query<Stored>(
    'select tier, start_time, total, cells, sets from rollups',
  )) {
    const bucket = makeBucket()
    mergeRow(bucket, row)
    bucket.total.counters[newCounter] = bucket.total.counters[counterAt.events] ?? 0
    const { total } = encodeRow(bucket)
    await base.query('update rollups set total = $3 where tier = $1 and start_time = $2', [tier, start_time, total])
  }
}

async function addCounterToDeltas(): Promise<void> {
  for (const { id, ...row } of await base.query<{ id: string; body: Buffer; sets: Buffer }>(
    'select id, body, sets from rollup_deltas',
  )) {
    const delta: Delta = new Map()
    mergeStoredDelta(delta, row)
    for (const { total } of delta.values()) total.counters[newCounter] = total.counters[counterAt.events] ?? 0
    await base.query('update rollup_deltas set body = $2 where id = $1', [id, encodeDelta(delta).body])
  }
}

/** Returns, by tier, events and the value of the new counter. */
async function readCounters(): Promise<(readonly number[])[]> {
  const rows = await base.query<RowBytes>('select total, cells, sets from rollups order by tier')
  return rows.map((row) => {
    const bucket = makeBucket()
    mergeRow(bucket, row)
    const { counters } = bucket.total
    return [counters[counterAt.events] ?? 0, counters[newCounter] ?? 0]
  })
}

/** Runs the loop until it has nothing to do or reports why not. */
async function fold(): Promise<{ readonly damage: CorruptRollup[]; readonly errors: unknown[] }> {
  const [damage, errors] = [[] as CorruptRollup[], [] as unknown[]]
  const folding = openFolding({
    db: base.db,
    onWaiting: () => undefined,
    onFolded: () => undefined,
    onDone: () => undefined,
    onRound: () => undefined,
    onDamage: (one) => damage.push(one),
    onError: (error) => errors.push(error),
    foldAfterMs: 0,
    pauseMs: 10,
  })
  const isDone = async (): Promise<boolean> =>
    (await base.query('select from rollup_deltas union all select from rollup_work where due_at <= now() limit 1'))
      .length === 0
  try {
    await until(async () => errors.length > 0 || (await isDone()))
  } finally {
    await folding.stop()
  }
  return { damage, errors }
}

test.serial('a counter that a newer release added survives what this one folds and sums up', async (t) => {
  const workspaceId = await insertWorkspaceRow(base.query)
  await store(workspaceId, 3)
  await finishAll(base.db, workspaceId)
  await addCounterToRows()
  t.deepEqual(await readCounters(), [
    [3, 3],
    [3, 3],
    [3, 3],
  ])
  await store(workspaceId, 2)
  await addCounterToDeltas()
  // Rows that this release stores do not contain the new counter.
  await store(workspaceId, 4)
  t.deepEqual(await fold(), { damage: [], errors: [] })
  t.deepEqual(await readCounters(), [
    [9, 5],
    [9, 5],
    [9, 5],
  ])
  t.is(await countRead(base.db, workspaceId), 9)
})

/** Changes the version in rows and deltas. Returns a function that undoes it. */
async function makeNewer(table: string, column: string): Promise<() => Promise<unknown>> {
  // As every release with sets does; sets of a row that another release writes are dropped.
  const alsoWritten = table === 'rollups' ? ', writes = writes + 1' : ''
  const add = async (by: number): Promise<unknown> =>
    await base.query(
      `update ${table} set ${column} = set_byte(${column}, 0, get_byte(${column}, 0) + ${by})${alsoWritten}`,
    )
  await add(1)
  return async () => await add(-1)
}

for (const [table, column] of [
  ['rollups', 'total'],
  ['rollups', 'cells'],
  ['rollups', 'sets'],
  ['rollup_deltas', 'body'],
  ['rollup_deltas', 'sets'],
] as const)
  test.serial(`what a newer release wrote is neither removed nor answered in part: ${table}, ${column}`, async (t) => {
    const workspaceId = await insertWorkspaceRow(base.query)
    await store(workspaceId, 3)
    await finishAll(base.db, workspaceId)
    await store(workspaceId, 2)
    const takeBack = await makeNewer(table, column)
    const dump = async (): Promise<unknown> => [
      await base.query('select tier, start_time, total, cells, sets from rollups order by 1, 2'),
      await base.query('select id, body, sets from rollup_deltas order by id'),
    ]
    const before = await dump()
    await askForRebuilds(base.db, [{ workspaceId, ...window }], 0)
    await askForSums(base.db, [{ workspaceId, kind: 1, startMs: fromMs + 5 * 3_600_000 }])
    await base.query('update rollup_work set due_at = now()')
    const { damage, errors } = await fold()
    t.true(errors.length > 0 && errors.every((error) => error instanceof NewerFormat), String(errors))
    t.deepEqual(damage, [])
    t.deepEqual(await dump(), before)
    t.deepEqual(await base.query('select from rollup_damage'), [])
    if (column !== 'sets' && column !== 'cells')
      await t.throwsAsync(countRead(base.db, workspaceId), { instanceOf: Outage, message: /newer release/ })

    await takeBack()
    t.deepEqual(await fold(), { damage: [], errors: [] })
    await finishAll(base.db, workspaceId)
    t.deepEqual(differences(await countFresh(base.db, workspaceId), await readStored(base, workspaceId)), [])
    t.is(await countRead(base.db, workspaceId), 5)
  })
