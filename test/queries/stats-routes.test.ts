import test from 'ava'
import { charting } from '../../src/queries/codes.ts'
import { summarize } from '../../src/queries/stats/summarize.ts'
import { agentIdOf, storeEvents } from '../_kit/events.ts'
import { makeRandom } from '../_kit/random.ts'
import { openReads, type Reads } from '../_kit/reads.ts'
import { agents, distinct, isClose, makeEvents, models, startMs, summarizeSeeds, sumUp } from './_data.ts'

const fromMs = Date.parse('2026-03-28T00:00:00Z')
const lengthMs = 3 * 86_400_000
const window = { from_time: '2026-03-28T06:00:00Z', to_time: '2026-03-30T18:30:00.500Z' }
const seeds = makeEvents(makeRandom(1), 900, fromMs, lengthMs)
const inside = seeds.filter(
  (seed) => startMs(seed) >= Date.parse(window.from_time) && startMs(seed) < Date.parse(window.to_time),
)

let reads: Reads
let workspace: string
test.before(async () => {
  reads = await openReads()
  workspace = await reads.makeWorkspace()
  await storeEvents(reads.db.query, workspace, seeds)
  await storeEvents(reads.db.query, await reads.makeWorkspace(), makeEvents(makeRandom(2), 100, fromMs, lengthMs))
})
test.after.always(async () => await reads.stop())

type Row = Record<string, number | string>
type Series = { interval_s: number; series: { key: string; label: string; points: Row[] }[] }
type Breakdown = { items: Row[]; other: Row | null }

test('a summary equals the sums over the same events by plain code, in all and for each agent', async (t) => {
  for (const agent of [null, ...agents]) {
    const chosen = inside.filter((seed) => agent === null || seed.agent === agent)
    t.true(chosen.length > 100)
    const query = agent === null ? window : { ...window, agent_id: agentIdOf(workspace, agent) }
    const { body } = await reads.get<Row & { models: Row[] }>(workspace, 'stats/summary', query)
    const { models: rows, from_time, to_time, ...totals } = body
    t.true(isClose(totals, summarizeSeeds(chosen)), JSON.stringify([totals, summarizeSeeds(chosen)]))
    t.deepEqual([from_time, to_time], ['2026-03-28T06:00:00.000Z', '2026-03-30T18:30:00.500Z'])

    const expected = models
      .map((model) => {
        const calls = chosen.filter(
          (seed) => seed.counted && ['llm', 'embedding'].includes(seed.kind) && seed.model === model,
        )
        const { llm_calls, input_tokens, output_tokens, cached_tokens, cost_usd } = sumUp(calls)
        return { model: model ?? 'unknown', llm_calls, input_tokens, output_tokens, cached_tokens, cost_usd }
      })
      .sort((a, b) => b.cost_usd - a.cost_usd)
    t.true(isClose(rows, expected), JSON.stringify([rows, expected]))
  }
})

test('the percentiles of a summary are those of percentile_cont', async (t) => {
  const { body } = await reads.get<Row>(workspace, 'stats/summary', window)
  const [plain] = await reads.db.query<{ p50: number; p95: number }>(
    `select percentile_cont(0.5) within group (order by duration_us / 1000.0) as p50,
       percentile_cont(0.95) within group (order by duration_us / 1000.0) as p95
     from events where workspace_id = $1 and start_time >= $2 and start_time < $3`,
    [workspace, window.from_time, window.to_time],
  )
  t.true(isClose([body['p50_duration_ms'], body['p95_duration_ms']], [plain?.p50, plain?.p95]))
})

test('a window includes its start and excludes its end', async (t) => {
  const own = await reads.makeWorkspace()
  const at = (start: string, span: string) => ({ start, trace: '1'.padStart(32, '0'), span: span.padStart(16, '0') })
  await storeEvents(reads.db.query, own, [at('2026-01-01T00:00:00Z', '1'), at('2026-01-02T00:00:00Z', '2')])
  const query = { from_time: '2026-01-01T00:00:00Z', to_time: '2026-01-02T01:00:00+01:00' }
  const { body } = await reads.get<Row>(own, 'stats/summary', query)
  t.is(body['total_events'], 1)
})

test('without a window the last 24 hours are summed, and nothing gives zeros', async (t) => {
  const own = await reads.makeWorkspace()
  const empty = await reads.get<Row & { models: unknown[] }>(own, 'stats/summary')
  t.is(empty.status, 200)
  t.deepEqual(
    [empty.body['total_events'], empty.body['cost_usd'], empty.body['p95_duration_ms'], empty.body.models],
    [0, 0, 0, []],
  )
  const ago = (ms: number, span: string) => ({
    start: new Date(Date.now() - ms).toISOString(),
    trace: '1'.padStart(32, '0'),
    span: span.padStart(16, '0'),
  })
  await storeEvents(reads.db.query, own, [ago(86_500_000, '1'), ago(86_300_000, '2'), ago(-60_000, '3')])
  const { body } = await reads.get<Row>(own, 'stats/summary')
  t.is(body['total_events'], 1)
  const span = Date.parse(String(body['to_time'])) - Date.parse(String(body['from_time']))
  t.is(span, 86_400_000)
})

test('token sums beyond every integer are still numbers', async (t) => {
  const own = await reads.makeWorkspace()
  const huge = Array.from({ length: 2_000 }, (_, at) => ({
    start: '2026-01-01T00:00:00Z',
    trace: '1'.padStart(32, '0'),
    span: String(at + 1).padStart(16, '0'),
    input: Number.MAX_SAFE_INTEGER,
  }))
  await storeEvents(reads.db.query, own, huge.slice(0, 1_000))
  await storeEvents(reads.db.query, own, huge.slice(1_000))
  const day = { from: new Date('2026-01-01T00:00:00Z'), to: new Date('2026-01-02T00:00:00Z') }
  const { input_tokens } = await summarize({ db: reads.db.db, rows: reads.rows }, own, day, undefined)
  t.true(isClose(input_tokens / 2_000, Number.MAX_SAFE_INTEGER))
})

test('each point of a series equals the sums over the events of its bucket, and empty buckets are there', async (t) => {
  for (const [interval, seconds] of [
    ['15m', 900],
    ['1h', 3_600],
    ['6h', 21_600],
  ] as const) {
    const { body } = await reads.get<Series>(workspace, 'stats/timeseries', { ...window, interval })
    t.is(body.interval_s, seconds)
    t.deepEqual(
      body.series.map(({ key }) => key),
      ['all'],
    )
    const points = body.series[0]?.points ?? []
    const firstMs = Math.floor(Date.parse(window.from_time) / (seconds * 1_000)) * seconds * 1_000
    t.is(points.length, Math.ceil((Date.parse(window.to_time) - firstMs) / (seconds * 1_000)))
    for (const [at, { time, traces, cache_write_tokens, ...sums }] of points.entries()) {
      const bucketMs = firstMs + at * seconds * 1_000
      t.is(time, new Date(bucketMs).toISOString())
      const chosen = inside.filter((seed) => startMs(seed) >= bucketMs && startMs(seed) < bucketMs + seconds * 1_000)
      t.true(isClose(sums, sumUp(chosen)), `${interval} ${String(time)}`)
      t.is(traces, distinct(chosen.map(({ trace }) => trace)))
      t.is(cache_write_tokens, summarizeSeeds(chosen).cache_write_tokens)
    }
  }
})

test('days are cut at midnight of the time zone, also on the day that the clock changes', async (t) => {
  const query = { ...window, interval: '1d', time_zone: 'Europe/Berlin' }
  const { body } = await reads.get<Series>(workspace, 'stats/timeseries', query)
  const points = body.series[0]?.points ?? []
  const starts = ['2026-03-27T23:00:00.000Z', '2026-03-28T23:00:00.000Z', '2026-03-29T22:00:00.000Z']
  t.deepEqual(
    points.map(({ time }) => time),
    starts,
  )
  const bounds = [...starts.map((start) => Date.parse(start)), Number.POSITIVE_INFINITY]
  for (const [at, point] of points.entries()) {
    const chosen = inside.filter((seed) => startMs(seed) >= (bounds[at] ?? 0) && startMs(seed) < (bounds[at + 1] ?? 0))
    t.is(point['events'], chosen.length)
  }
  const utc = await reads.get<Series>(workspace, 'stats/timeseries', { ...window, interval: '1d' })
  t.deepEqual(
    utc.body.series[0]?.points.map(({ time }) => time),
    ['2026-03-28T00:00:00.000Z', '2026-03-29T00:00:00.000Z', '2026-03-30T00:00:00.000Z'],
  )
})

test('a grouped series keeps the largest apart and adds up to all events of its kind', async (t) => {
  const size = (points: readonly Row[], name: string) => points.reduce((sum, point) => sum + Number(point[name]), 0)
  for (const [groupBy, measure] of [
    ['agent', 'events'],
    ['kind', 'events'],
    ['tool', 'events'],
    ['model', 'cost_usd'],
  ] as const) {
    const { body } = await reads.get<Series>(workspace, 'stats/timeseries', {
      ...window,
      interval: '6h',
      group_by: groupBy,
      top: 2,
    })
    const { series } = body
    t.is(series.length, 3, groupBy)
    t.is(series.at(-1)?.key, 'other')
    const chosen = inside.filter(({ kind }) =>
      groupBy === 'model' ? ['llm', 'embedding'].includes(kind) : groupBy === 'tool' ? kind === 'tool' : true,
    )
    t.is(
      series.reduce((sum, { points }) => sum + size(points, 'events'), 0),
      chosen.length,
    )
    const all = await reads.get<Series>(workspace, 'stats/timeseries', { ...window, interval: '6h', group_by: groupBy })
    const alone = all.body.series.filter(({ key }) => key !== 'other').map(({ points }) => size(points, measure))
    t.deepEqual(
      alone,
      alone.toSorted((a, b) => b - a),
      'largest first',
    )
    t.deepEqual(
      series.slice(0, 2).map(({ key }) => key),
      all.body.series.slice(0, 2).map(({ key }) => key),
    )
  }
})

test('a series of an agent has its id as key and its name as label', async (t) => {
  const { body } = await reads.get<Series>(workspace, 'stats/timeseries', { ...window, group_by: 'agent' })
  t.deepEqual(
    new Map(body.series.map(({ key, label }) => [key, label])),
    new Map(body.series.map(({ label }) => [agentIdOf(workspace, label), label])),
  )
  t.is(body.series.length, agents.length)
})

test('a series is narrowed to an agent, a kind and a model', async (t) => {
  const query = {
    ...window,
    interval: '1d',
    agent_id: agentIdOf(workspace, 'coder'),
    kind: 'llm',
    model: 'gpt-4.1-mini',
  }
  const { body } = await reads.get<Series>(workspace, 'stats/timeseries', query)
  const chosen = inside.filter(
    ({ agent, kind, model }) => agent === 'coder' && kind === 'llm' && model === 'gpt-4.1-mini',
  )
  t.true(chosen.length > 0)
  t.is(
    body.series[0]?.points.reduce((sum, { events }) => sum + Number(events), 0),
    chosen.length,
  )
})

test('auto takes the shortest interval that makes at most 300 buckets', async (t) => {
  const expected = [
    [3_600, 60],
    [18_000, 60],
    [18_001, 300],
    [90_000, 300],
    [86_400 * 3, 900],
    [86_400 * 12, 3_600],
    [86_400 * 60, 21_600],
    [86_400 * 400, 86_400],
  ]
  for (const [lengthS = 0, intervalS] of expected) {
    const query = {
      from_time: '2026-01-01T00:00:00Z',
      to_time: new Date(Date.parse('2026-01-01T00:00:00Z') + lengthS * 1_000).toISOString(),
    }
    const { body } = await reads.get<Series>(workspace, 'stats/timeseries', query)
    t.is(body.interval_s, intervalS ?? 0, String(lengthS))
  }
})

test('2,000 buckets are answered and one more is refused', async (t) => {
  const query = (minutes: number) => ({
    from_time: '2026-01-01T00:00:00Z',
    to_time: new Date(Date.parse('2026-01-01T00:00:00Z') + minutes * 60_000).toISOString(),
    interval: '1m',
  })
  const most = await reads.get<Series>(workspace, 'stats/timeseries', query(2_000))
  t.is(most.body.series[0]?.points.length, 2_000)
  const more = await reads.get<{ detail: { loc: string[] }[] }>(workspace, 'stats/timeseries', query(2_001))
  t.is(more.status, 422)
  t.deepEqual(more.body.detail[0]?.loc, ['query', 'interval'])
})

test('an unknown time zone is refused', async (t) => {
  for (const zone of ['Mars/Olympus', '', '+01:00', 'Europe/Berlin; drop', "a'b", 'UTC\0', 'x'.repeat(500)]) {
    const { status, body } = await reads.get<{ detail: { loc: string[] }[] }>(workspace, 'stats/timeseries', {
      interval: '1d',
      time_zone: zone,
    })
    t.is(status, 422, zone)
    t.deepEqual(body.detail[0]?.loc, ['query', 'time_zone'])
  }
  // As for a zone that only PostgreSQL does not know.
  const { body } = await reads.get(workspace, 'stats/timeseries', { interval: '1d', time_zone: 'Mars/Olympus' })
  t.like(body, { detail: [charting.time_zone_unknown.item] })
  for (const zone of ['Africa/Cairo', 'America/St_Johns', 'Etc/GMT+5', 'UTC', 'europe/berlin', 'Asia/Kathmandu']) {
    const { status } = await reads.get(workspace, 'stats/timeseries', { ...window, interval: '1d', time_zone: zone })
    t.is(status, 200, zone)
  }
})

test('a breakdown equals the sums over each group by plain code, and other is the sum over the rest', async (t) => {
  const keyOf = {
    agent: (seed: (typeof seeds)[number]) => agentIdOf(workspace, seed.agent),
    model: (seed: (typeof seeds)[number]) => seed.model ?? 'unknown',
    tool: (seed: (typeof seeds)[number]) => seed.tool ?? 'unknown',
    kind: (seed: (typeof seeds)[number]) => seed.kind,
  }
  const describe = (chosen: typeof seeds) => ({
    ...sumUp(chosen),
    distinct_inputs: distinct(
      chosen.map(({ tool, inputHash }) => (inputHash === null ? null : `${tool}/${inputHash}`)),
    ),
  })
  for (const groupBy of ['agent', 'model', 'tool', 'kind'] as const) {
    for (const orderBy of ['cost_usd', 'events', 'errors', 'p95_duration_ms'] as const) {
      const query = { ...window, group_by: groupBy, order_by: orderBy, limit: 2 }
      const { body } = await reads.get<Breakdown>(workspace, 'stats/breakdown', query)
      const scoped = inside.filter(({ kind }) =>
        groupBy === 'model' ? ['llm', 'embedding'].includes(kind) : groupBy === 'tool' ? kind === 'tool' : true,
      )
      const groups = [...Map.groupBy(scoped, keyOf[groupBy])].map(([key, chosen]) => ({
        key,
        chosen,
        row: describe(chosen),
      }))
      groups.sort((a, b) => b.row[orderBy] - a.row[orderBy] || (a.key < b.key ? -1 : 1))
      const what = `${groupBy} by ${orderBy}`
      t.deepEqual(
        body.items.map(({ key }) => key),
        groups.slice(0, 2).map(({ key }) => key),
        what,
      )
      for (const [at, { key, label, ...row }] of body.items.entries()) {
        t.true(isClose(row, groups[at]?.row), what)
        t.is(groupBy === 'agent' ? agentIdOf(workspace, String(label)) : label, key)
      }
      const { key, label, ...rest } = body.other ?? {}
      t.deepEqual([key, label], ['other', 'other'])
      t.true(isClose(rest, describe(groups.slice(2).flatMap(({ chosen }) => chosen))), what)
    }
  }
  const whole = await reads.get<Breakdown>(workspace, 'stats/breakdown', { ...window, group_by: 'kind', limit: 100 })
  t.is(whole.body.other, null)
})

test('times in answers have four digits of the year, also at the ends of the calendar', async (t) => {
  for (const query of [
    { from_time: '0000-01-01T00:00:00Z', to_time: '0000-01-03T00:00:00Z' },
    { to_time: '0000-01-02T12:00:00Z' },
    { to_time: '9999-12-31T23:59:59.999999Z' },
    { from_time: '9999-12-31T00:00:00Z', to_time: '9999-12-31T23:59:59-14:00' },
  ]) {
    for (const [path, more] of [
      ['stats/summary', {}],
      ['stats/timeseries', { interval: '1d', time_zone: 'Pacific/Kiritimati' }],
      ['stats/timeseries', { interval: '1d', time_zone: 'Pacific/Pago_Pago' }],
      ['stats/savings', { interval: '1d' }],
    ] as const) {
      const { status, body } = await reads.get(workspace, path, { ...query, ...more })
      t.is(status, 200, path)
      t.notRegex(JSON.stringify(body), /"[-+]\d{6}-/, path)
    }
  }
  for (const path of ['stats/summary', 'stats/savings', 'events', 'traces'])
    t.is((await reads.get(workspace, path, { to_time: '0000-01-01T00:00:00Z' })).status, 422, path)
})

test('times at the ends of the calendar are answered', async (t) => {
  for (const query of [
    { from_time: '0000-01-01T00:00:00Z', to_time: '0000-03-01T00:00:00Z' },
    { from_time: '9999-06-01T00:00:00Z', to_time: '9999-12-31T23:59:59Z' },
  ]) {
    for (const path of ['stats/summary', 'stats/timeseries', 'stats/breakdown', 'events', 'traces']) {
      const { status } = await reads.get(workspace, path, query)
      t.is(status, 200, path)
    }
  }
})
