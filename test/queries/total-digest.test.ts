// The sums of the days of a window are held; those of a chart's buckets are not.
import test from 'ava'
import { addUpRun, listRuns, type PlacedTotal } from '../../src/queries/stats/source/total-digest.ts'
import { openRowMemory } from '../../src/rollups/row-memory.ts'
import { lengthMs, type Tier, tiers } from '../../src/rollups/tiers.ts'
import { addFactToTotal, makeTotal, mergeTotals, type Total } from '../../src/sketches/bucket.ts'
import { counterAt } from '../../src/sketches/counters.ts'
import { makeRandom } from '../_kit/random.ts'
import { makeFacts } from '../sketches/_facts.ts'
import { bytesOf } from './_total-bytes.ts'

const facts = 40

function makeRows(tier: Tier, count: number): PlacedTotal[] {
  return Array.from({ length: count }, (_, nth) => {
    const total = makeTotal()
    for (const fact of makeFacts(makeRandom(nth + 1), facts)) addFactToTotal(total, fact)
    return { identity: {}, total, startMs: nth * lengthMs[tier], tier }
  })
}

const eventsOf = (totals: readonly Total[]): number =>
  totals.reduce((sum, { counters }) => sum + (counters[counterAt.events] ?? 0), 0)

test('a run of days is added up once, and again after one of them has changed', (t) => {
  const memory = openRowMemory({ maxBytes: 4_194_304, onRead: () => undefined })
  const rows = makeRows(tiers.day, 9)
  const addUp = (of: readonly PlacedTotal[]): readonly Total[] =>
    listRuns(of, () => null).flatMap((run) => addUpRun(memory, 'a workspace', run))
  const [sum, ...others] = addUp(rows)
  t.deepEqual(others, [])
  t.is(addUp(rows)[0], sum)
  t.is(eventsOf(addUp(rows)), 9 * facts)
  const before = bytesOf(sum ?? t.fail())
  const into = makeTotal()
  for (let nth = 0; nth < 2; nth += 1) for (const total of addUp(rows)) mergeTotals(into, total)
  t.is(eventsOf([into]), 18 * facts)
  t.is(bytesOf(addUp(rows)[0] ?? t.fail()), before, 'what is held is not changed')
  const changed = rows.with(4, { ...(rows[4] ?? t.fail()), identity: {}, total: makeTotal() })
  t.is(eventsOf(addUp(changed)), 8 * facts)
})

test('hours are added up by the reader', (t) => {
  const memory = openRowMemory({ maxBytes: 4_194_304, onRead: () => undefined })
  const rows = makeRows(tiers.hour, 24)
  const totals = listRuns(rows, () => null).flatMap((run) => addUpRun(memory, 'a workspace', run))
  t.is(eventsOf(totals), 24 * facts)
  t.is(memory.bytes(), 0)
})
