// Stats from a cache equal those without a cache, whatever is done to the rows between two reads. Only the soak reads charts of six hours.
import { isDeepStrictEqual } from 'node:util'
import test, { type ExecutionContext } from 'ava'
import { breakDown } from '../../src/queries/stats/break-down.ts'
import { type ChartQuery, chart } from '../../src/queries/stats/chart.ts'
import type { StatsStore } from '../../src/queries/stats/source/source.ts'
import type { RowTotal } from '../../src/queries/stats/source/total-digest.ts'
import { summarize } from '../../src/queries/stats/summarize.ts'
import { openRowMemory, type RowMemory } from '../../src/rollups/row-memory.ts'
import { insertWorkspaceRow } from '../_kit/batch.ts'
import { makeDatabase, type TestDatabase } from '../_kit/db.ts'
import { agentIdOf, hexId, storeEvents } from '../_kit/events.ts'
import { makeRandom } from '../_kit/random.ts'
import { inSoak, isSoak } from '../_kit/soak.ts'
import { finishAll, foldAll } from '../rollups/_truth.ts'
import { makeEvents } from './_data.ts'
import { appendSome, foldAnew } from './_fold.ts'
import { bytesOf } from './_total-bytes.ts'

const hourMs = 3_600_000
const dayMs = 24 * hourMs
const span = { fromMs: Date.parse('2026-03-28T00:00:00Z'), toMs: Date.parse('2026-03-29T06:00:00Z') }
const unaligned = { from: new Date(span.fromMs + 3_663_456), to: new Date(span.toMs - 7_261_001) }

let base: TestDatabase
/** The tests use it one after another; the last one deletes its rows. */
let workspaceId: string
test.before(async () => {
  base = await makeDatabase()
  workspaceId = await makeSet()
})
test.after.always(async () => await base.stop())

const enoughBytes = 24 * 1_048_576
type Counted = { held: number; others: number }

function openCounted(maxBytes = enoughBytes): StatsStore & { readonly counted: Counted } {
  const counted = { held: 0, others: 0 }
  const rows = openRowMemory({
    maxBytes,
    onRead: (held, others) => {
      counted.held += held
      counted.others += others
    },
  })
  return { db: base.db, rows, counted }
}

const setEvents = 6_000

/** A day and six hours with enough events for sketches, all in the first minutes of an hour: few rows. */
async function makeSet(): Promise<string> {
  const id = await insertWorkspaceRow(base.query)
  const lengthMs = span.toMs - span.fromMs
  const ids = (at: number) => ({ trace: hexId(1 + (at % 2_500), 32) })
  const events = makeEvents(makeRandom(11), setEvents, span.fromMs, lengthMs, ids).map((event) => {
    const ms = Date.parse(event.start)
    const sinceHourMs = (ms - span.fromMs) % hourMs
    return { ...event, start: new Date(ms - sinceHourMs + (sinceHourMs % 120_000)).toISOString() }
  })
  await storeEvents(base.query, id, events)
  await foldAnew(base.db, id, span)
  return id
}

async function storeLate(first: number, fromMs: number): Promise<void> {
  const ids = (at: number) => ({ trace: hexId(first + (at % 50), 32), span: hexId(first * 1_000 + at, 16) })
  await storeEvents(base.query, workspaceId, makeEvents(makeRandom(first), 200, fromMs, hourMs, ids))
  const stored = { fromMs, toMs: fromMs + hourMs }
  await appendSome(base.db, workspaceId, stored, (trace) => trace >= first && trace < first + 50)
}

async function readAll(store: StatsStore): Promise<unknown[]> {
  const agentId = agentIdOf(workspaceId, 'coder')
  const whole = { from: new Date(span.fromMs), to: new Date(span.toMs) }
  const draw = async (query: Partial<ChartQuery>): Promise<unknown> =>
    await chart(store, {
      workspaceId,
      window: unaligned,
      groupBy: 'none',
      agentId: undefined,
      top: 20,
      interval: '1h',
      timeZone: 'UTC',
      ...query,
    })
  const answers: unknown[] = [
    await summarize(store, workspaceId, whole, undefined),
    await summarize(store, workspaceId, unaligned, undefined),
    await summarize(store, workspaceId, unaligned, agentId),
    await draw({}),
    await draw({ groupBy: 'tool', top: 1 }),
    await draw({ groupBy: 'kind', agentId }),
    await draw({ model: 'gpt-4.1-mini' }),
    await draw({ interval: '15m' }),
    await draw({ interval: '1d', groupBy: 'agent' }),
    // The night in which the clock goes forward, and a zone whose days begin at half past an hour.
    await draw({ interval: '1d', groupBy: 'model', timeZone: 'Europe/Berlin' }),
    await draw({ interval: '1d', groupBy: 'agent', timeZone: 'Asia/Kolkata' }),
  ]
  if (isSoak) {
    answers.push(await draw({ interval: '6h', groupBy: 'tool', top: 2 }))
    answers.push(await draw({ interval: '6h', groupBy: 'kind', timeZone: 'Europe/Berlin' }))
  }
  for (const [window, limit] of [
    [whole, 20],
    [unaligned, 1],
  ] as const) {
    const query = { workspaceId, window, orderBy: 'events', agentId: undefined, limit } as const
    for (const groupBy of ['agent', 'tool'] as const) answers.push(await breakDown(store, { ...query, groupBy }))
  }
  return answers
}

/** After these the second read is compared too. Of the changes that write the same rows, one is enough; the soak compares after all. */
const readTwice = new Set(['as it was', 'spans that came late', 'days without rows', 'with a small cache'])

async function sameAsFresh(t: ExecutionContext, store: StatsStore, what: string): Promise<void> {
  const fresh = await readAll(openCounted())
  for (const often of isSoak || readTwice.has(what) ? ['', ', once more'] : ['']) {
    const held = await readAll(store)
    // A comparison by ava takes twenty times as long.
    if (!isDeepStrictEqual(held, fresh)) t.deepEqual(held, fresh, what + often)
  }
}

/** A cache that ignores the version of a row, and so returns outdated rows. */
function forgetVersions({ db, rows }: StatsStore): StatsStore {
  const only = { server: 1, xmin: 1 }
  const blind: RowMemory = {
    ...rows,
    open(workspaceId, digest) {
      const held = rows.open(workspaceId, digest)
      return {
        ...held,
        find: (tier, startMs) => held.find(tier, startMs, only),
        add: (tier, startMs, row) => held.add(tier, startMs, { ...row, ...only }),
      }
    },
  }
  return { db, rows: blind }
}

const addHour = `update rollups r set total = o.total, cells = o.cells from rollups o
  where r.workspace_id = $1 and r.tier = 1 and r.start_time = $2
    and o.workspace_id = $1 and o.tier = 1 and o.start_time = $2::timestamptz + interval '1 hour'`

test.serial('reads that run while rows are written return consistent sums', async (t) => {
  const store = openCounted()
  const writes = inSoak(2, 6)
  const writing = { isOver: false }
  const sums: number[] = []
  const window = { from: new Date(span.fromMs), to: new Date(span.toMs) }
  const reader = async (): Promise<void> => {
    while (!writing.isOver) sums.push((await summarize(store, workspaceId, window, undefined)).total_events)
  }
  const readers = [reader(), reader()]
  try {
    for (let nth = 0; nth < writes; nth += 1) {
      await storeLate(8_000 + nth * 100, span.fromMs + (5 + nth * 4) * hourMs)
      await foldAll(base.db, [workspaceId])
    }
  } finally {
    writing.isOver = true
    await Promise.all(readers)
  }
  const steps = new Set(Array.from({ length: writes + 1 }, (_, nth) => setEvents + nth * 200))
  t.deepEqual(
    sums.filter((sum) => !steps.has(sum)),
    [],
  )
  await sameAsFresh(t, store, 'at the end')
})

test.serial('adding up cached sums does not change them', async (t) => {
  const { rows } = openCounted()
  const seen: [unknown, string][] = []
  const note = <Made>(made: Made): Made => {
    seen.push([made, fingerprint(made)])
    return made
  }
  const noting: RowMemory = {
    ...rows,
    open(workspace, digest) {
      const held = rows.open(workspace, digest)
      return {
        ...held,
        add(tier, startMs, row) {
          note(row.made)
          held.add(tier, startMs, row)
        },
      }
    },
    keepSum(workspace, key, sum) {
      note(sum.made)
      rows.keepSum(workspace, key, sum)
    },
  }
  const store = { db: base.db, rows: noting }
  const first = await readAll(store)
  await storeLate(7_500, span.fromMs + 26 * hourMs)
  for (let nth = 0; nth < 2; nth += 1) t.false(isDeepStrictEqual(await readAll(store), first))
  t.true(seen.length > 200)
  t.deepEqual(
    seen.filter(([made, then]) => fingerprint(made) !== then),
    [],
  )
})

test.serial(
  'cached sums never make an answer out of date: after late spans, folding, recounting, and replaced rows',
  async (t) => {
    await foldAll(base.db, [workspaceId])
    const store = openCounted()
    const blind = forgetVersions(openCounted())
    await sameAsFresh(t, store, 'as it was')
    const before = await readAll(blind)
    const { held, others } = store.counted
    await readAll(store)
    t.true(store.counted.held > held)
    // Only the rows of buckets that the window cuts, or that hold other data, are read again.
    const again = store.counted.others - others
    t.true(again < (store.counted.held - held) / 10, `${again} of ${store.counted.held - held}`)

    await storeLate(7_000, span.fromMs + 26 * hourMs)
    await sameAsFresh(t, store, 'spans that came late')
    await foldAll(base.db, [workspaceId])
    await sameAsFresh(t, store, 'folded')
    // Too small for what one answer holds.
    await sameAsFresh(t, openCounted(200_000), 'with a small cache')
    const now = await readAll(store)
    t.false(isDeepStrictEqual(now, before))
    t.false(isDeepStrictEqual(await readAll(blind), now), 'without versions it would be an old answer')

    await foldAnew(base.db, workspaceId, { fromMs: span.fromMs + dayMs, toMs: span.fromMs + dayMs + 4 * hourMs })
    await finishAll(base.db, workspaceId)
    await sameAsFresh(t, store, 'counted anew')

    await base.query(addHour, [workspaceId, new Date(span.fromMs + 4 * hourMs)])
    await sameAsFresh(t, store, 'a row with other bytes')
    t.false(isDeepStrictEqual(await readAll(store), now))
    await base.query('delete from rollups where workspace_id = $1 and tier = 2', [workspaceId])
    await sameAsFresh(t, store, 'days without rows')
    await base.query('delete from rollups where workspace_id = $1', [workspaceId])
    await sameAsFresh(t, store, 'no rows at all')
  },
)

/** Returns the bytes of the total of a row, and anything else as JSON. */
function fingerprint(made: unknown): string {
  const row = made as object | RowTotal
  if ('total' in row) return bytesOf(row.total)
  return JSON.stringify(made, (_key, value) => (value instanceof Map ? [...value] : value))
}
