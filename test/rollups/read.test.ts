import test from 'ava'
import { storeGroup } from '../../src/ingest/commit/store-group.ts'
import { doWork } from '../../src/rollups/do-work.ts'
import { type Part, readRollups } from '../../src/rollups/read.ts'
import { eachFactOf, readFacts } from '../../src/rollups/read-facts.ts'
import { addFact, makeBucket, makeSketchedBucket, mergeBucket } from '../../src/sketches/bucket.ts'
import { encodeCells, mergeCells } from '../../src/sketches/cells-codec.ts'
import { makeFact } from '../../src/sketches/fact.ts'
import { encodeTotal, mergeTotal } from '../../src/sketches/total-codec.ts'
import { insertWorkspaceRow, makeBatch, makeEvent } from '../_kit/batch.ts'
import { makeDatabase, type TestDatabase } from '../_kit/db.ts'
import { makeRandom } from '../_kit/random.ts'
import { settleUnhurried } from '../_kit/settle.ts'
import { seed } from '../_kit/soak.ts'
import { keepParts } from './_keep-parts.ts'
import { makeTraces } from './_storm.ts'
import { finishAll, foldAll, limits, wholeDaysMs } from './_truth.ts'

let base: TestDatabase
test.before(async () => {
  base = await makeDatabase()
})
test.after.always(() => base.stop())

type Window = { readonly from: Date; readonly to: Date }

async function readParts(
  workspaceId: string,
  window: Window,
  cutsMs: readonly number[] = [],
  cells = true,
): Promise<Part[]> {
  return await keepParts(base.db, workspaceId, window, { cells, cutsMs })
}

function addUp(parts: readonly Part[]): string[] {
  const sum = makeSketchedBucket()
  for (const part of parts) {
    if ('bucket' in part) mergeBucket(sum, part.bucket)
    else {
      mergeTotal(sum.total, part.total)
      mergeCells(sum.cells, part.cells ?? Buffer.alloc(0))
    }
  }
  return [encodeTotal(sum).toString('hex'), encodeCells(sum).toString('hex')]
}

async function countFacts(workspaceId: string, window: Window): Promise<string[]> {
  const sum = makeSketchedBucket()
  const fact = makeFact()
  for (const row of await readFacts(base.db, workspaceId, window, null))
    eachFactOf(fact, row, (one) => addFact(sum, one, 1))
  return [encodeTotal(sum).toString('hex'), encodeCells(sum).toString('hex')]
}

test('any window of any state of folding is what its events say, and no part reaches across a cut', async (t) => {
  const workspace = await insertWorkspaceRow(base.query)
  t.log(`seed ${seed}`)
  const random = makeRandom(seed)
  const events = makeTraces(random, 60)
  const start = Date.parse('2026-03-31T23:55:00Z')
  const check = async (): Promise<void> => {
    for (let nth = 0; nth < 8; nth += 1) {
      const unitMs = random.pick([1, 1_000, 60_000, 3_600_000])
      const place = (): number => Math.floor((start + random.int(900_000)) / unitMs) * unitMs
      const from = place() - random.pick([0, 0, 86_400_000])
      const to = Math.max(from + 1, place() + random.pick([0, 0, 86_400_000]))
      const cutsMs = random.pick([[], [start + 240_000, start + 300_000], [start + 123_456]])
      const window = { from: new Date(from), to: new Date(to) }
      const parts = await readParts(workspace, window, cutsMs)
      t.deepEqual(
        addUp(parts),
        await countFacts(workspace, window),
        `${window.from.toISOString()} ${window.to.toISOString()}`,
      )
      for (const part of parts) {
        const endMs = part.startMs + part.lengthMs
        t.true(part.startMs >= from && endMs <= to && cutsMs.every((cut) => cut <= part.startMs || cut >= endMs))
      }
    }
  }
  for (let from = 0; from < events.length; from += 40) {
    await storeGroup(base.db, [makeBatch(workspace, events.slice(from, from + 40), { costUsd: random.int(900) / 1e6 })])
    if (random.chance(0.4)) await foldAll(base.db, [workspace])
    // An hour or a day gets its row in between, so that later events are late.
    if (random.chance(0.3)) await doWork(base.db, workspace, limits, wholeDaysMs)
    if (random.chance(0.2)) await check()
  }
  await check()
  while ((await settleUnhurried(base.db, 0)).traces > 0);
  await finishAll(base.db, workspace)
  await check()
})

test('an unaligned window is read from days, and from hours and minutes at its ends; events only within the minutes it cuts', async (t) => {
  const workspace = await insertWorkspaceRow(base.query)
  const startMs = Date.parse('2026-05-01T00:00:00Z')
  // One event an hour, and one a minute in the two hours that the window cuts.
  const starts = Array.from({ length: 8 * 24 }, (_, hour) => startMs + hour * 3_600_000 + 1_000)
  const cut = [startMs + 9 * 3_600_000, startMs + (7 * 24 + 9) * 3_600_000]
  for (const hourMs of cut) for (let minute = 1; minute < 60; minute += 1) starts.push(hourMs + minute * 60_000 + 1_000)
  const events = starts.map((ms) => makeEvent({ startTimeUnixNano: BigInt(ms) * 1_000_000n }))
  await storeGroup(base.db, [makeBatch(workspace, events)])
  await finishAll(base.db, workspace)
  const window = {
    from: new Date(startMs + 9.5 * 3_600_000 + 500),
    to: new Date(startMs + (7 * 24 + 9.5) * 3_600_000 + 500),
  }
  const parts = await readParts(workspace, window)
  const lengths = Map.groupBy(parts, (part) => part.lengthMs)
  t.deepEqual(
    [...lengths].map(([lengthMs, some]) => [lengthMs, some.length]),
    [
      [86_400_000, 6],
      [3_600_000, 14 + 9],
      [60_000, 29 + 30],
      [59_500, 1],
      [500, 1],
    ],
  )
  t.deepEqual(addUp(parts), await countFacts(workspace, window))
  // A chart by hours gets no longer rows; without cells these are not read.
  const cutsMs = Array.from({ length: 8 * 24 }, (_, hour) => startMs + hour * 3_600_000)
  const hours = await readParts(workspace, window, cutsMs, false)
  t.is(Math.max(...hours.map((part) => part.lengthMs)), 3_600_000)
  t.true(hours.every((part) => 'bucket' in part || part.cells === null))
})

test('paging ends, whatever the distribution of rows', async (t) => {
  const workspace = await insertWorkspaceRow(base.query)
  const startMs = Date.parse('2026-06-01T00:00:00Z')
  // Every second hour is full of minutes and summed, the others are not.
  const starts = Array.from(
    { length: 12 * 60 },
    (_, at) => startMs + Math.floor(at / 60) * 7_200_000 + (at % 60) * 60_000,
  )
  const store = async (shiftMs: number): Promise<void> => {
    const events = starts.map((ms) => makeEvent({ startTimeUnixNano: BigInt(ms + shiftMs) * 1_000_000n }))
    await storeGroup(base.db, [makeBatch(workspace, events)])
    await foldAll(base.db, [workspace])
  }
  await store(0)
  for (let hours = 0; hours < 12; hours += 1) await doWork(base.db, workspace, limits, wholeDaysMs)
  await store(3_600_000)
  const window = { from: new Date(startMs), to: new Date(startMs + 86_400_000) }
  for (const cells of [true, false]) {
    const parts = await readParts(workspace, window, [startMs + 3_600_000], cells)
    const events = parts.map((part) => {
      const sum = makeBucket()
      if (!('bucket' in part)) mergeTotal(sum.total, part.total)
      return sum.total.counters[0] ?? 0
    })
    t.is(
      events.reduce((sum, one) => sum + one, 0),
      24 * 60,
    )
    t.is(new Set(parts.map((part) => part.startMs)).size, parts.length)
  }
})

test('the current minute is read whole, and one with too many events is rounded', async (t) => {
  const workspace = await insertWorkspaceRow(base.query)
  const startMs = Date.parse('2026-07-01T10:00:00Z')
  const store = async (seconds: readonly number[]): Promise<unknown> =>
    await storeGroup(base.db, [
      makeBatch(
        workspace,
        seconds.map((second) => makeEvent({ startTimeUnixNano: BigInt(startMs + second * 1_000) * 1_000_000n })),
      ),
    ])
  await store([0, 10, 20, 30, 40, 50, 61, 62, 63])
  await foldAll(base.db, [workspace])
  await store([64])
  const read = async (fromS: number, toS: number, maxEdgeEvents: number): Promise<unknown> => {
    const told: [number, number, number][] = []
    const window = { from: new Date(startMs + fromS * 1_000), to: new Date(startMs + toS * 1_000) }
    await readRollups(base.db, workspace, window, { cells: false, cutsMs: [], maxEdgeEvents }, (part) => {
      const sum = makeBucket()
      if ('bucket' in part) mergeBucket(sum, part.bucket)
      else mergeTotal(sum.total, part.total)
      told.push([(part.startMs - startMs) / 1_000, part.lengthMs / 1_000, sum.total.counters[0] ?? 0])
    })
    return told.sort((a, b) => a[0] - b[0] || b[2] - a[2])
  }
  const first = [0, 60, 6]
  // Reads a row and unfolded deltas, and no event.
  t.deepEqual(await read(0, 65, 0), [first, [60, 5, 3], [60, 5, 1]])
  t.deepEqual(await read(0, 64, 3), [first, [60, 4, 3]])
  t.deepEqual(await read(0, 64, 2), [first], 'less than half of the minute')
  t.deepEqual(await read(15, 65, 3), [
    [15, 45, 6],
    [60, 5, 3],
    [60, 5, 1],
  ])
  // The smallest allowed number of events is counted, whatever a row would give.
  t.deepEqual(await read(15, 65, 4), [
    [15, 45, 4],
    [60, 5, 4],
  ])
})
