// Random questions between random changes of rows: fronts with caches of their own answer as one without a cache, and as a count of the
// events.
import { isDeepStrictEqual } from 'node:util'
import test from 'ava'
import { breakDown } from '../../src/queries/stats/break-down.ts'
import { chart } from '../../src/queries/stats/chart.ts'
import type { StatsStore } from '../../src/queries/stats/source/source.ts'
import { summarize } from '../../src/queries/stats/summarize.ts'
import type { Window } from '../../src/queries/window.ts'
import { foldDeltas } from '../../src/rollups/fold-deltas.ts'
import { openRowMemory } from '../../src/rollups/row-memory.ts'
import { insertWorkspaceRow } from '../_kit/batch.ts'
import { makeDatabase, type TestDatabase } from '../_kit/db.ts'
import { agentIdOf, hexId, storeEvents } from '../_kit/events.ts'
import { makeRandom, type Random } from '../_kit/random.ts'
import { inSoak, isSoak } from '../_kit/soak.ts'
import { finishAll, limits } from '../rollups/_truth.ts'
import { makeEvents } from './_data.ts'
import { appendSome, foldAnew } from './_fold.ts'

const minuteMs = 60_000
const hourMs = 60 * minuteMs
const dayMs = 24 * hourMs
// The night in which the clock goes forward in New York.
const fromMs = Date.parse('2026-03-07T00:00:00Z')
const toMs = fromMs + 4 * dayMs
const fewBytes = 150_000
const enoughBytes = 24 * 1_048_576
/** How often each change is made, in random order. */
const turns = inSoak(1, 2)
const questionsAStep = inSoak(2, 3)

let base: TestDatabase
test.before(async () => {
  base = await makeDatabase()
})
test.after.always(async () => await base.stop())

const openFront = (maxBytes: number, steadyMs = () => 0): StatsStore => ({
  db: base.db,
  rows: openRowMemory({ maxBytes, onRead: () => undefined, steadyMs }),
})

/** Stores events in the first minutes of some hours. More than 5,000 are on the second day, so that sketches are read. */
async function storeSome(random: Random, workspaceId: string, first: number, count: number): Promise<void> {
  const ids = (at: number) => ({
    trace: hexId(first + random.int(Math.max(1, count / 4)), 32),
    span: hexId(first * 10 + at, 16),
  })
  const events = makeEvents(random, count, 0, 2 * minuteMs, ids).map((event, at) => {
    const hour = at % 8 === 0 ? random.int(96) : random.pick([24, 30, 34, 47])
    const startMs = fromMs + hour * hourMs
    return { ...event, start: event.start.replace(/^1970-01-01T00/, new Date(startMs).toISOString().slice(0, 13)) }
  })
  await storeEvents(base.query, workspaceId, events)
  await appendSome(base.db, workspaceId, { fromMs, toMs }, (trace) => trace >= first && trace < first + count)
}

type Question = (store: StatsStore) => Promise<unknown>

function pickWindow(random: Random): Window {
  const cut = (ms: number): number => ms - (ms % random.pick([1, minuteMs, hourMs, dayMs]))
  return {
    from: new Date(cut(fromMs + random.int(dayMs))),
    to: new Date(cut(fromMs + 2 * dayMs + random.int(2 * dayMs))),
  }
}

function pickQuestion(random: Random, workspaceId: string): Question {
  const window = pickWindow(random)
  const agentId = random.chance(0.3) ? agentIdOf(workspaceId, 'coder') : undefined
  const scope = { workspaceId, window, agentId }
  const groupBy = random.pick(['agent', 'model', 'tool', 'kind'] as const)
  if (random.chance(0.2)) return async (store) => await summarize(store, workspaceId, window, agentId)
  if (random.chance(0.4)) {
    const query = {
      ...scope,
      groupBy,
      orderBy: random.pick(['cost_usd', 'events'] as const),
      limit: random.pick([1, 20]),
    }
    return async (store) => await breakDown(store, query)
  }
  const query = {
    ...scope,
    groupBy: random.pick([groupBy, 'none'] as const),
    kind: random.chance(0.2) ? 'tool' : undefined,
    top: random.pick([1, 20]),
    interval: random.pick(['1h', '6h', '1d'] as const),
    timeZone: random.pick(['UTC', 'Asia/Kolkata', 'America/New_York']),
  }
  return async (store) => await chart(store, query)
}

async function countEvents(workspaceId: string, { from, to }: Window): Promise<number> {
  const text =
    'select count(*)::int as events from events where workspace_id = $1 and start_time >= $2 and start_time < $3'
  return (await base.query<{ events: number }>(text, [workspaceId, from, to]))[0]?.events ?? Number.NaN
}

const sumOf = (rows: readonly { readonly events: number }[]): number =>
  rows.reduce((sum, { events }) => sum + events, 0)

/** The number of events of a window, as each kind of answer has it. */
async function countByAnswers(store: StatsStore, workspaceId: string, window: Window): Promise<number[]> {
  const scope = { workspaceId, window, agentId: undefined, groupBy: 'kind' } as const
  const { items, other } = await breakDown(store, { ...scope, orderBy: 'events', limit: 2 })
  const charted = await chart(store, { ...scope, top: 2, interval: '6h', timeZone: 'UTC' })
  if (!charted.ok) throw new Error('the window has too many buckets')
  return [
    (await summarize(store, workspaceId, window, undefined)).total_events,
    sumOf([...items, ...(other === null ? [] : [other])]),
    sumOf(charted.value.series.flatMap(({ points }) => points)),
  ]
}

for (const seed of isSoak ? [1, 2] : [1]) {
  test.serial(`a cache never shows in an answer, whatever is done to the rows: seed ${seed}`, async (t) => {
    const random = makeRandom(seed)
    const workspaceId = await insertWorkspaceRow(base.query)
    let nowMs = 0
    let stored = 10_000
    const open = (): StatsStore => openFront(random.pick([fewBytes, enoughBytes]), () => nowMs)
    const changes: Record<string, () => Promise<unknown>> = {
      'late spans': async () => {
        await storeSome(random, workspaceId, stored, 60)
        stored += 100
      },
      'some deltas folded': async () => {
        for (let nth = 0; nth < 2; nth += 1) await changes['late spans']?.()
        const { more } = await foldDeltas(base.db, [workspaceId], { ...limits, maxDeltas: 1 })
        t.is(more.size, 1, 'a delta is left')
      },
      'all folded': async () => await finishAll(base.db, workspaceId),
      'counted anew': async () => {
        const startMs = fromMs + random.int(4) * dayMs + random.int(24) * hourMs
        await foldAnew(base.db, workspaceId, { fromMs: startMs, toMs: startMs + 3 * hourMs })
      },
      'rows lost': async () =>
        await base.query('delete from rollups where workspace_id = $1 and tier = $2', [workspaceId, 1 + random.int(2)]),
      'a front started': async () => (fronts[1] = open()),
      'an hour later': async () => (nowMs += hourMs + 1),
    }
    await storeSome(random, workspaceId, 1, 6_000)
    await finishAll(base.db, workspaceId)
    const fronts = [openFront(enoughBytes, () => nowMs), open()]
    const asked: Question[] = []
    const done: string[] = []
    const every = Array.from({ length: turns }, () => Object.entries(changes)).flat()
    for (const [name, change] of random.shuffle(every)) {
      done.push(name)
      await change()
      for (let nth = 0; nth < questionsAStep; nth += 1) {
        const ask = asked.length > 3 && random.chance(0.7) ? random.pick(asked) : pickQuestion(random, workspaceId)
        asked.push(ask)
        const fresh = await ask(openFront(enoughBytes))
        for (const front of fronts) {
          const answer = await ask(front)
          // A comparison by ava takes twenty times as long.
          if (!isDeepStrictEqual(answer, fresh)) t.deepEqual(answer, fresh, done.join(', '))
        }
      }
      const window = pickWindow(random)
      const events = await countEvents(workspaceId, window)
      t.true(events > 5_000)
      for (const front of fronts)
        t.deepEqual(await countByAnswers(front, workspaceId, window), [events, events, events], done.join(', '))
    }
  })
}
