// From the answers of the interface to the series of charts.
import test from 'ava'
import {
  type Breakdown,
  countFresh,
  countUnpriced,
  figures,
  type Point,
  readFigures,
  readGroups,
  readStarts,
  sumSeries,
  type Timeseries,
} from '../../src/stats/figures.ts'

const makePoint = (time: string, fields: Partial<Point> = {}): Point => ({
  time,
  events: 0,
  llm_calls: 0,
  tool_calls: 0,
  served_calls: 0,
  errors: 0,
  input_tokens: 0,
  output_tokens: 0,
  cached_tokens: 0,
  cost_usd: 0,
  p50_duration_ms: 0,
  p95_duration_ms: 0,
  traces: 0,
  cache_write_tokens: 0,
  ...fields,
})

const times = ['2026-11-20T13:00:00.000Z', '2026-11-20T14:00:00.000Z']
const makeTimeseries = (...groups: readonly (readonly [string, readonly number[]])[]): Timeseries => ({
  from_time: times[0] ?? '',
  to_time: times[1] ?? '',
  interval_s: 3_600,
  series: groups.map(([key, costs]) => ({
    key,
    label: `the ${key}`,
    points: costs.map((cost, at) => makePoint(times[at] ?? '', { cost_usd: cost })),
  })),
})

test('groups keep their order, labels and colours', (t) => {
  const answer = makeTimeseries(['gpt', [1, 2]], ['claude', [3, 4]], ['other', [5, 6]])
  const series = readGroups(answer, (point) => point.cost_usd, 'w/model')
  t.deepEqual(
    series.map(({ label, values }) => [label, values]),
    [
      ['the gpt', [1, 2]],
      ['the claude', [3, 4]],
      ['the other', [5, 6]],
    ],
  )
  t.is(series[2]?.slot, 0)
  t.not(series[0]?.slot, series[1]?.slot)
  t.deepEqual(sumSeries(series, 2), [9, 12])
  t.deepEqual(
    readStarts(answer),
    times.map((time) => Date.parse(time)),
  )
  t.deepEqual(readStarts(makeTimeseries()), [])
})

test('a bucket without events has no duration', (t) => {
  const point = makePoint(times[1] ?? '', { events: 3, p50_duration_ms: 100, p95_duration_ms: 900 })
  const answer: Timeseries = {
    ...makeTimeseries(),
    series: [{ key: 'all', label: 'all', points: [makePoint(times[0] ?? ''), point] }],
  }
  t.deepEqual(
    readFigures(answer, figures.durations).map(({ values }) => values),
    [
      [null, 100],
      [null, 900],
    ],
  )
  t.deepEqual(
    readFigures(makeTimeseries(), figures.calls).map(({ values }) => values),
    [[], [], []],
  )
})

test('the parts of the tokens add up to input and output', (t) => {
  const point = makePoint(times[0] ?? '', {
    input_tokens: 100,
    cached_tokens: 60,
    cache_write_tokens: 10,
    output_tokens: 7,
  })
  t.is(countFresh(point), 30)
  const sum = figures.tokens.reduce((total, { read }) => total + (read(point) ?? 0), 0)
  t.is(sum, point.input_tokens + point.output_tokens)
  t.is(countFresh({ input_tokens: 5, cached_tokens: 9, cache_write_tokens: 0 }), 0)
})

test('calls without a price are counted over all groups', (t) => {
  const row = (unpriced: number): Breakdown['items'][number] => ({
    key: 'k',
    label: 'k',
    ...makePoint(''),
    distinct_inputs: 0,
    unpriced_calls: unpriced,
  })
  t.is(countUnpriced({ items: [row(2), row(0)], other: row(3) }), 5)
  t.is(countUnpriced({ items: [row(2)], other: null }), 2)
  t.is(countUnpriced({ items: [], other: null }), 0)
})
