// Rows in a reader's cache are read without their bytes, and are read again with them if the cache turns out not to hold them.
import test from 'ava'
import { storeGroup } from '../../src/ingest/commit/store-group.ts'
import { copyRows, type TierRow, type WantedRows } from '../../src/rollups/copy-rows.ts'
import { readRollups } from '../../src/rollups/read.ts'
import { type HeldSets, readSets, type SetsHolder } from '../../src/rollups/read-sets.ts'
import { openRowMemory, type RowMemory } from '../../src/rollups/row-memory.ts'
import { tiers } from '../../src/rollups/tiers.ts'
import { readEvents } from '../../src/sketches/total-codec.ts'
import { insertWorkspaceRow, makeBatch, makeEvent } from '../_kit/batch.ts'
import { makeDatabase, type TestDatabase } from '../_kit/db.ts'
import { finishAll } from './_truth.ts'

let base: TestDatabase
test.before(async () => {
  base = await makeDatabase()
})
test.after.always(() => base.stop())

const hourMs = 3_600_000
const startMs = Date.parse('2026-05-01T00:00:00Z')
const atHour = (hour: number): number => startMs + hour * hourMs

/** Stores as many events in each hour as its number says; one transaction writes all rows. */
async function makeHours(change = 'total = total'): Promise<string> {
  const workspaceId = await insertWorkspaceRow(base.query)
  const events = [1, 2, 3, 4].flatMap((hour) =>
    Array.from({ length: hour }, (_, nth) => makeEvent({ startTimeUnixNano: BigInt(atHour(hour) + nth) * 1_000_000n })),
  )
  await storeGroup(base.db, [makeBatch(workspaceId, events)])
  await finishAll(base.db, workspaceId)
  await base.query(`update rollups set ${change} where workspace_id = $1`, [workspaceId])
  return workspaceId
}

const open = (onRead: (held: number, others: number) => void = () => undefined): RowMemory =>
  openRowMemory({ maxBytes: 1_048_576, onRead })

/** Returns events by hour. */
async function read(memory: RowMemory, workspaceId: string, from: number, to: number): Promise<[number, number][]> {
  const seen: [number, number][] = []
  const digest = { name: 'events', make: readEvents, bytesOf: () => 8 }
  const take = (ms: number, made: unknown): unknown => seen.push([(ms - startMs) / hourMs, made as number])
  const window = { from: new Date(atHour(from)), to: new Date(atHour(to)) }
  await readRollups(
    base.db,
    workspaceId,
    window,
    { cells: false, cutsMs: [], digests: { memory, each: { digest, take } } },
    () => {
      throw new Error('a part that no digest was made of')
    },
  )
  return seen.sort(([a], [b]) => a - b)
}

const wantHours = (from: number, to: number): WantedRows => ({
  tier: tiers.hour,
  columns: 'total',
  alone: false,
  mayBeKnown: true,
  fromMs: atHour(from),
  toMs: atHour(to),
})

async function copy(workspaceId: string, wanted: WantedRows, known: readonly number[]): Promise<TierRow[]> {
  const rows: TierRow[] = []
  const one = copyRows(
    workspaceId,
    [wanted],
    () => new Set(known),
    (row) => rows.push({ ...row, total: row.total && Buffer.from(row.total) }),
  )
  await base.db.snapshot(async (tx) => await tx.copyOut([one]))
  return rows
}

test('bytes stay where the writer of the row is known, unless they are asked for all the same', async (t) => {
  const workspaceId = await makeHours()
  const [first] = await copy(workspaceId, wantHours(1, 5), [])
  const xmin = first?.xmin ?? 0
  t.true(xmin > 2)
  const started = await base.query<{ s: number }>(`select date_part('epoch', pg_postmaster_start_time()) as s`)
  t.is(first?.server, started[0]?.s)
  const lengthsOf = (rows: readonly TierRow[]): boolean[] => rows.map(({ total }) => total !== null)
  t.deepEqual(lengthsOf(await copy(workspaceId, wantHours(1, 5), [])), [true, true, true, true])
  t.deepEqual(lengthsOf(await copy(workspaceId, wantHours(1, 5), [xmin + 1])), [true, true, true, true])
  t.deepEqual(lengthsOf(await copy(workspaceId, wantHours(1, 5), [xmin, 7])), [false, false, false, false])
  t.deepEqual(lengthsOf(await copy(workspaceId, { ...wantHours(1, 5), mayBeKnown: false }, [xmin])), [
    true,
    true,
    true,
    true,
  ])
  await base.query('update rollups set total = total where workspace_id = $1 and tier = 1 and start_time = $2', [
    workspaceId,
    new Date(atHour(2)),
  ])
  t.deepEqual(lengthsOf(await copy(workspaceId, wantHours(1, 5), [xmin])), [false, true, false, false])
})

test('a row that is not cached is returned with its bytes, even if others of its transaction are cached', async (t) => {
  const workspaceId = await makeHours()
  const told: number[][] = []
  const memory = open((...counts) => told.push(counts))
  t.deepEqual(await read(memory, workspaceId, 2, 3), [[2, 2]])
  t.deepEqual(await read(memory, workspaceId, 1, 5), [1, 2, 3, 4].map((hour) => [hour, hour]) as never)
  t.deepEqual(await read(memory, workspaceId, 1, 5), [1, 2, 3, 4].map((hour) => [hour, hour]) as never)
  t.deepEqual(told, [
    [0, 1],
    [1, 3],
    [4, 0],
  ])
})

test('sets of cached rows are left out, and the result shows where those of another row of their transaction are', async (t) => {
  // Counts as a write of this release, which keeps the sets.
  const workspaceId = await makeHours('writes = writes + 1')
  const memory = open()
  const readHours = async (from: number, to: number, leavesOut: boolean) => {
    const rows: HeldSets[] = []
    let isLeftOut = false
    const holder = {
      memory,
      name: 'test',
      tiers: [tiers.hour],
      leavesOut,
      takeRow: (row: HeldSets) => rows.push({ ...row, sets: row.sets === null ? null : Buffer.from(row.sets) }),
      onLeftOut: () => (isLeftOut = true),
    } satisfies SetsHolder
    const span = { fromMs: atHour(from), toMs: atHour(to) }
    const isKnown = await readSets(base.db, workspaceId, [span], ['traces'], () => t.fail('no row'), holder)
    rows.sort((a, b) => a.startMs - b.startMs)
    return { isKnown, isLeftOut, rows }
  }
  const first = await readHours(1, 3, true)
  t.like(first, { isKnown: true, isLeftOut: false })
  t.deepEqual(
    first.rows.map(({ startMs: ms, sets }) => [ms, sets === null]),
    [
      [atHour(1), false],
      [atHour(2), false],
    ],
  )
  const again = await readHours(1, 3, true)
  t.deepEqual(
    again.rows,
    first.rows.map((row) => ({ ...row, sets: null })),
  )
  t.true(again.rows.every(({ identity }, at) => identity === first.rows[at]?.identity))
  // The hours 3 and 4 were written by the same transaction, and are not held.
  t.like(await readHours(1, 5, true), { isKnown: false, isLeftOut: true })
  const all = await readHours(1, 5, false)
  t.like(all, { isKnown: true, isLeftOut: false })
  t.deepEqual(
    all.rows.map(({ sets }) => sets === null),
    [false, false, false, false],
  )
  // What was made of the first two hours stays good.
  t.deepEqual(
    all.rows.map(({ identity }, at) => identity === first.rows[at]?.identity),
    [true, true, false, false],
  )
  const held = await readHours(1, 5, true)
  t.like(held, { isKnown: true, isLeftOut: false })
  t.true(held.rows.every(({ identity, sets }, at) => sets === null && identity === all.rows[at]?.identity))
})

test('rows that another server has returned are read again', async (t) => {
  const workspaceId = await makeHours()
  const memory = open()
  const elsewhere: RowMemory = {
    ...memory,
    open(workspace, digest) {
      const held = memory.open(workspace, digest)
      return { ...held, add: (tier, ms, row) => held.add(tier, ms, { ...row, server: row.server - 1, made: 77 }) }
    },
  }
  await read(elsewhere, workspaceId, 1, 5)
  t.deepEqual(await read(memory, workspaceId, 1, 5), [1, 2, 3, 4].map((hour) => [hour, hour]) as never)
})

test('a row that is damaged fails each read, and serves again when it is mended', async (t) => {
  const workspaceId = await makeHours()
  const memory = open()
  const set = async (hour: number, bytes: string): Promise<unknown> =>
    await base.query(`update rollups set total = ${bytes} where workspace_id = $1 and tier = 1 and start_time = $2`, [
      workspaceId,
      new Date(atHour(hour)),
    ])
  await read(memory, workspaceId, 1, 5)
  await set(3, `'\\xff' || total`)
  for (let nth = 0; nth < 2; nth += 1) await t.throwsAsync(read(memory, workspaceId, 1, 5), { message: /corrupt/ })
  await set(3, 'substring(total from 2)')
  t.deepEqual(await read(memory, workspaceId, 3, 5), [
    [3, 3],
    [4, 4],
  ])
})
