// The pure functions of charts: ticks in time zones, colours of keys, sums, shapes, units.
import test from 'ava'
import { assignSlots, dashOf, nameSlot } from '../../src/charts/colours.ts'
import { drawSparkline, place, slice } from '../../src/charts/paths.ts'
import { describeSeries, findPeak, stack, sumOf } from '../../src/charts/series.ts'
import { makeTicks } from '../../src/charts/ticks.ts'
import { formatAxis, formatShort, formatWhole } from '../../src/charts/units.ts'
import { readLocal } from '../../src/format/index.ts'

const hourMs = 3_600_000
const dayMs = 24 * hourMs
const at = (iso: string): number => Date.parse(iso)
const labels = (from: string, to: string, zone: string, most = 8): string[] =>
  makeTicks(at(from), at(to), zone, most).map(({ label }) => label)

test('ticks stand on round times of the zone', (t) => {
  const day = ['2026-11-20T00:00:00Z', '2026-11-21T00:00:00Z'] as const
  t.deepEqual(labels(...day, 'UTC', 5), ['Nov 20', '06:00', '12:00', '18:00'])
  t.deepEqual(labels(...day, 'Asia/Shanghai', 5), ['12:00', '18:00', 'Nov 21', '06:00'])
  t.deepEqual(labels(...day, 'Asia/Kolkata', 5), ['06:00', '12:00', '18:00', 'Nov 21'])
  t.deepEqual(labels('2026-11-20T14:00:00Z', '2026-11-20T14:15:00Z', 'UTC', 5), ['14:00', '14:05', '14:10'])
  t.deepEqual(labels('2026-11-20T14:00:07Z', '2026-11-20T14:00:47Z', 'UTC', 5), [
    '14:00:10',
    '14:00:20',
    '14:00:30',
    '14:00:40',
  ])
  t.deepEqual(labels('2026-11-16T00:00:00Z', '2026-11-20T00:00:00Z', 'UTC', 5), [
    'Nov 16',
    'Nov 17',
    'Nov 18',
    'Nov 19',
  ])
  t.deepEqual(labels('2026-10-15T00:00:00Z', '2027-02-10T00:00:00Z', 'UTC', 5), ['Nov', 'Dec', 'Jan 2027', 'Feb'])
})

test('over the nights with a change of clocks, ticks stay on the wall clock', (t) => {
  const zone = 'America/New_York'
  for (const [from, to] of [
    ['2026-10-31T04:00:00Z', '2026-11-03T05:00:00Z'],
    ['2026-03-07T05:00:00Z', '2026-03-10T04:00:00Z'],
  ] as const) {
    const ticks = makeTicks(at(from), at(to), zone, 14)
    t.true(ticks.length >= 9)
    for (const { ms } of ticks) t.is(readLocal(ms, zone).hour % 6, 0)
  }
  t.deepEqual(labels('2026-10-31T04:00:00Z', '2026-11-03T05:00:00Z', zone, 5), ['Oct 31', 'Nov 1', 'Nov 2'])
  t.deepEqual(labels('2026-03-08T05:00:00Z', '2026-03-08T09:00:00Z', zone, 5), ['Mar 8', '01:00', '03:00', '04:00'])
  t.deepEqual(labels('2026-11-01T05:00:00Z', '2026-11-01T07:00:00Z', zone, 5), ['01:00', '01:30', '01:00', '01:30'])
})

test('charts of one axis share its ticks, and an axis that is not shown any more is forgotten', (t) => {
  const make = (start: number, zone = 'UTC') => makeTicks(start, start + hourMs, zone, 8)
  const first = make(0)
  t.is(make(0), first)
  t.notDeepEqual(make(0, 'Asia/Kolkata'), first)
  for (let nth = 1; nth <= 20; nth += 1) make(nth * hourMs)
  t.not(make(0), first)
  t.deepEqual(make(0), first)
})

test('ticks are few, in order and inside the window, whatever its length', (t) => {
  const start = at('2026-03-01T03:17:09.123Z')
  for (const zone of ['UTC', 'Asia/Kolkata', 'America/New_York', 'Australia/Lord_Howe']) {
    for (let lengthMs = 5_000; lengthMs < 400 * dayMs; lengthMs *= 1.7) {
      const ticks = makeTicks(start, start + lengthMs, zone, 8).map(({ ms }) => ms)
      t.true(ticks.length <= 9, `${zone} ${lengthMs}: ${ticks.length}`)
      t.deepEqual(
        ticks,
        [...new Set(ticks)].sort((a, b) => a - b),
      )
      t.true(ticks.every((ms) => ms >= start && ms < start + lengthMs))
    }
  }
})

test('a key keeps its colour from chart to chart, and a chart has no colour twice', (t) => {
  const models = ['gpt-4.1', 'claude-sonnet', 'gemini-pro', 'llama', 'mistral', 'qwen', 'phi', 'other']
  const slots = assignSlots(models, 'w1/model')
  t.deepEqual(
    slots.slice(0, 5).toSorted((a, b) => a - b),
    [1, 3, 4, 5, 6],
    'red is for failures',
  )
  t.deepEqual(slots.slice(5), [0, 0, 0], 'the sixth and the rest are grey')
  t.deepEqual(assignSlots(models.slice(4, 5), 'w1/model'), [slots[4]])
  t.deepEqual(assignSlots(models.slice(0, 5).reverse(), 'w1/model'), slots.slice(0, 5).reverse())
  t.deepEqual(
    assignSlots(['gpt-4.1'], 'fresh'),
    assignSlots(['gpt-4.1'], 'fresher'),
    'the first colour comes from the key',
  )
  t.is(nameSlot(3), '--series-3')
  t.is(nameSlot(0), '--series-other')
  t.is(dashOf(2), null)
  t.deepEqual(
    [dashOf(3), dashOf(4), dashOf(5)].filter((dash) => dash === null),
    [],
  )
})

test('stacked values are running sums, and a missing value adds nothing', (t) => {
  t.deepEqual(
    stack([
      [1, null, 3],
      [10, 20, 30],
    ]),
    [
      [1, 0, 3],
      [11, 20, 33],
    ],
  )
  t.deepEqual(stack([]), [])
  t.is(sumOf([1, null, 2], 'usd'), 3)
  t.is(sumOf([1, 2], 'ms'), null)
  t.is(findPeak([null, -3, -1, null]), 2)
  t.is(findPeak([null]), null)
})

test('one sentence describes what the chart shows', (t) => {
  const x = [at('2026-11-20T13:00:00Z'), at('2026-11-20T14:00:00Z')]
  const common = { x, zone: 'Asia/Shanghai', nowMs: at('2026-11-23T00:00:00Z') }
  t.is(
    describeSeries({ ...common, what: 'Cost', unit: 'usd', values: [0.5, 1.2] }),
    'Cost: $1.70 in total, highest $1.20 at Nov 20 22:00.',
  )
  const days = [Date.UTC(2026, 10, 20), Date.UTC(2026, 10, 21)]
  t.is(
    describeSeries({ ...common, x: days, what: 'Spans', unit: 'count', values: [7, 9] }),
    'Spans: 16 in total, highest 9 on Nov 21.',
  )
  t.is(
    describeSeries({ ...common, what: 'p95', unit: 'ms', values: [900, null] }),
    'p95: highest 900 ms at Nov 20 21:00.',
  )
  t.is(
    describeSeries({ ...common, what: 'Cost', unit: 'usd', values: [0.5, 1.2], unpriced: [0, 2] }),
    'Cost: ≥ $1.70 in total, highest ≥ $1.20 at Nov 20 22:00, 2 calls have no price.',
  )
  t.is(
    describeSeries({ ...common, what: 'Cost', unit: 'usd', values: [0, 0], unpriced: [0, 1] }),
    'Cost: — in total, 1 call has no price.',
  )
  t.is(describeSeries({ ...common, what: 'Calls', unit: 'count', values: [0, 0] }), 'Calls: nothing in this window.')
})

test('sparklines start from zero and break where values are missing', (t) => {
  const size = { width: 102, height: 22 }
  t.is(drawSparkline([0, 5, 10], size), 'M1 21L51 11L101 1')
  t.is(drawSparkline([0, 0], size), 'M1 21L101 21')
  t.is(drawSparkline([10, null, 10], size), 'M1 1L1 1M101 1L101 1')
  t.is(drawSparkline([-10, 10], size), 'M1 21L101 1')
  t.is(drawSparkline([null], size), '')
  t.is(drawSparkline([], size), '')
})

test('slices fill the bar, and a slice above zero is always visible', (t) => {
  const parts = [
    { key: 'stored', value: 1_000_000 },
    { key: 'rejected', value: 1 },
    { key: 'dropped', value: 0 },
  ]
  const [stored, rejected, dropped] = slice(parts)
  t.true((rejected?.percent ?? 0) > 0.4)
  t.is(dropped?.percent, 0)
  t.true(Math.abs((stored?.percent ?? 0) + (rejected?.percent ?? 0) - 100) < 1e-9)
  t.is(rejected?.startPercent, stored?.percent)
  t.deepEqual(
    slice([{ key: 'a', value: 0 }]).map(({ percent }) => percent),
    [0],
  )
  t.deepEqual([place(5, 0, 10), place(-5, 0, 10), place(50, 0, 10), place(1, 1, 1)], [50, 0, 100, 0])
})

test('axes have few digits, the table has all', (t) => {
  t.is(formatAxis('usd', 0.5), '$0.5')
  t.is(formatAxis('usd', 2), '$2')
  t.is(formatAxis('usd', 20_000), '$20,000')
  t.is(formatAxis('usd', 0), '0')
  t.is(formatAxis('tokens', 15_000), '15k')
  t.is(formatAxis('count', 0.5), '')
  t.is(formatAxis('ms', 2_000), '2 s')
  t.is(formatAxis('ms', 500), '500 ms')
  t.is(formatAxis('fraction', 0.5), '50 %')
  t.is(formatWhole('usd', 0.042_312_5), '$0.0423125')
  t.is(formatWhole('ms', 842.123), '842.123')
  t.is(formatWhole('tokens', null), '—')
  t.deepEqual([formatShort('usd', 0, 1), formatWhole('usd', 0, 1)], ['—', '—'])
  t.deepEqual([formatShort('usd', 0.042_312_5, 1), formatWhole('usd', 0.042_312_5, 1)], ['≥ $0.0423', '≥ $0.0423125'])
  t.is(formatShort('usd', 0.042_312_5), '$0.0423')
})
