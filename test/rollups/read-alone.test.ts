// A row that is alone between two cuts is read as its head; a row that shares its interval with others is read whole.
import test from 'ava'
import { storeGroup } from '../../src/ingest/commit/store-group.ts'
import { makeBucket } from '../../src/sketches/bucket.ts'
import { fillHead, makeHead, mergeTotal } from '../../src/sketches/total-codec.ts'
import { insertWorkspaceRow, makeBatch, makeEvent } from '../_kit/batch.ts'
import { makeDatabase, type TestDatabase } from '../_kit/db.ts'
import { encodeTotalAsBefore } from '../sketches/_first-total.ts'
import { type KeptPart, keepParts } from './_keep-parts.ts'
import { finishAll } from './_truth.ts'

let base: TestDatabase
test.before(async () => {
  base = await makeDatabase()
})
test.after.always(() => base.stop())

const hourMs = 3_600_000
const startMs = Date.parse('2026-05-01T00:00:00Z')

/** Stores as many events in each minute of an hour, at the given second of the minute. */
async function store(workspaceId: string, hour: number, second: number): Promise<void> {
  const startsMs = Array.from({ length: 60 }, (_, minute) => startMs + hour * hourMs + minute * 60_000 + second * 1_000)
  const events = startsMs.map((ms) => makeEvent({ startTimeUnixNano: BigInt(ms) * 1_000_000n }))
  await storeGroup(base.db, [makeBatch(workspaceId, events)])
}

async function read(
  workspaceId: string,
  [fromMs, toMs]: readonly [number, number],
  cutsMs: number[],
  cells = false,
): Promise<KeptPart[]> {
  const window = { from: new Date(fromMs), to: new Date(toMs) }
  return await keepParts(base.db, workspaceId, window, { cells, alone: true, cutsMs })
}

function eventsOf(part: KeptPart): number {
  if ('bucket' in part) return part.bucket.total.counters[0] ?? 0
  const head = makeHead()
  const { total } = makeBucket()
  if (part.isAlone) fillHead(head, part.total)
  else mergeTotal(total, part.total)
  return (head.counters[0] ?? 0) + (total.counters[0] ?? 0)
}

const hoursOf = (parts: readonly KeptPart[]): [number, number, boolean, number][] =>
  parts
    .map((part): [number, number, boolean, number] => [
      (part.startMs - startMs) / hourMs,
      part.lengthMs / hourMs,
      part.isAlone,
      eventsOf(part),
    ])
    .sort((a, b) => a[0] - b[0] || b[1] - a[1])

const everyHour = (hours: number): number[] => Array.from({ length: hours }, (_, hour) => startMs + hour * hourMs)

test('rows of hours come alone where each has a bucket, one that lacks a head as well, but not one that something waits for', async (t) => {
  const workspace = await insertWorkspaceRow(base.query)
  for (const hour of [0, 1, 2, 3, 5]) await store(workspace, hour, 1)
  await finishAll(base.db, workspace)
  const stored = await base.query<{ total: Buffer }>(
    'select total from rollups where workspace_id = $1 and tier = 1 and start_time = $2',
    [workspace, new Date(startMs + hourMs)],
  )
  const bucket = makeBucket()
  mergeTotal(bucket.total, stored[0]?.total ?? Buffer.alloc(0))
  await base.query('update rollups set total = $3 where workspace_id = $1 and tier = 1 and start_time = $2', [
    workspace,
    new Date(startMs + hourMs),
    encodeTotalAsBefore(bucket),
  ])
  const window = [startMs, startMs + 24 * hourMs] as const
  const expected = [
    [0, 1, true, 60],
    [1, 1, true, 60],
    [2, 1, true, 60],
    [3, 1, true, 60],
    [5, 1, true, 60],
  ]
  t.deepEqual(hoursOf(await read(workspace, window, everyHour(24))), expected as never)
  await store(workspace, 2, 2)
  const parts = await read(workspace, window, everyHour(24))
  const late = parts.filter((part) => part.startMs === startMs + 2 * hourMs && part.lengthMs === hourMs)
  t.deepEqual(hoursOf(late), [[2, 1, false, 60]])
  t.is(
    parts.map(eventsOf).reduce((sum, one) => sum + one, 0),
    360,
  )
  const others = parts.filter((part) => part.isAlone).map((part) => (part.startMs - startMs) / hourMs)
  t.deepEqual(others, [0, 3, 5, 1])
})

test('a row comes alone only if its bucket is as long as it is', async (t) => {
  const workspace = await insertWorkspaceRow(base.query)
  for (const hour of [0, 1, 2]) await store(workspace, hour, 1)
  await finishAll(base.db, workspace)
  const day = [startMs, startMs + 24 * hourMs] as const
  t.deepEqual(hoursOf(await read(workspace, day, [startMs])), [[0, 24, true, 180]])
  const halves = await read(workspace, day, [startMs, startMs + 12 * hourMs])
  t.deepEqual(hoursOf(halves), [0, 1, 2].map((hour) => [hour, 1, false, 60]) as never)
  const cut = await read(workspace, [startMs + 90_000, startMs + 3 * hourMs], everyHour(3))
  t.deepEqual(
    hoursOf(cut).filter(([, length]) => length === 1),
    [
      [1, 1, true, 60],
      [2, 1, true, 60],
    ],
  )
  t.is(
    cut.map(eventsOf).reduce((sum, one) => sum + one, 0),
    178,
  )
})

test('with cells, rows are returned whole and are marked as alone', async (t) => {
  const workspace = await insertWorkspaceRow(base.query)
  for (const hour of [0, 1]) await store(workspace, hour, 1)
  await finishAll(base.db, workspace)
  const parts = await read(workspace, [startMs, startMs + 2 * hourMs], everyHour(2), true)
  t.deepEqual(
    parts.map((part) => [part.isAlone, 'bucket' in part || part.cells === null]),
    [
      [true, false],
      [true, false],
    ],
  )
})
