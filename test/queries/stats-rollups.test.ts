// The stats of windows with many events, which are read from rollups, compared with the same sums by plain code.
import { randomUUID } from 'node:crypto'
import test, { type ExecutionContext } from 'ava'
import { agentIdOf, hexId, storeEvents } from '../_kit/events.ts'
import { makeRandom } from '../_kit/random.ts'
import { openReads, type Reads } from '../_kit/reads.ts'
import { agents, distinct, isClose, makeEvents, models, percentileMs, startMs, summarizeSeeds, sumUp } from './_data.ts'
import { appendSome, foldAnew } from './_fold.ts'

const dayMs = 86_400_000
const fromMs = Date.parse('2026-03-28T00:00:00Z')
const lengthMs = 3 * dayMs
const random = makeRandom(7)
// More traces than a sketch lists; late events have other traces.
const folded = makeEvents(random, 6_000, fromMs, lengthMs, (at) => ({ trace: hexId(1 + (at % 2_500), 32) }))
const late = makeEvents(random, 300, fromMs, lengthMs, (at) => ({
  trace: hexId(5_001 + (at % 100), 32),
  span: hexId(50_000 + at, 16),
}))
type Seed = (typeof folded)[number] & { readonly ms: number }
/** Returns the events with their times, in the order of these. */
const time = (some: typeof folded): Seed[] =>
  some.map((seed) => ({ ...seed, ms: startMs(seed) })).sort((a, b) => a.ms - b.ms)
const seeds = time([...folded, ...late])

const aligned = { from_time: '2026-03-28T00:00:00Z', to_time: '2026-03-31T00:00:00Z' }
const unaligned = { from_time: '2026-03-28T05:59:12.345Z', to_time: '2026-03-30T21:30:00.500Z' }
type Window = typeof aligned

let reads: Reads
let workspace: string
let agentIds: ReadonlyMap<string, string>
test.before(async () => {
  reads = await openReads()
  workspace = await reads.makeWorkspace()
  agentIds = new Map(agents.map((agent) => [agent, agentIdOf(workspace, agent)]))
  await storeEvents(reads.db.query, workspace, folded)
  await foldAnew(reads.db.db, workspace, { fromMs, toMs: fromMs + lengthMs })
  await storeEvents(reads.db.query, workspace, late)
  await appendSome(reads.db.db, workspace, { fromMs, toMs: fromMs + lengthMs }, (trace) => trace > 5_000)
})
test.after.always(async () => await reads.stop())

type Row = Record<string, number | string>
type Series = { interval_s: number; series: { key: string; label: string; points: Row[] }[] }

function within({ from_time, to_time }: Window): Seed[] {
  return between(seeds, Date.parse(from_time), Date.parse(to_time))
}

/** `chosen`: in the order of their times. */
const between = (chosen: readonly Seed[], from: number, to: number): Seed[] =>
  chosen.slice(countBefore(chosen, from), countBefore(chosen, to))

function countBefore(chosen: readonly Seed[], atMs: number): number {
  let [low, high] = [0, chosen.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((chosen[middle]?.ms ?? atMs) < atMs) low = middle + 1
    else high = middle
  }
  return low
}

/** Compares counters and distinct counts exactly, percentiles to 1 %. */
function isNear(told: Row, expected: Record<string, number>): boolean {
  const nearTo = (name: string, share: number): boolean =>
    Math.abs(Number(told[name]) - (expected[name] ?? 0)) <= share * (expected[name] ?? 0) + 1e-9
  return Object.entries(expected).every(([name, value]) => {
    if (name.endsWith('_duration_ms')) return nearTo(name, 0.01)
    return isClose(told[name], value)
  })
}

function near(t: ExecutionContext, told: Row, expected: Record<string, number>, what: string): void {
  const isSo = isNear(told, expected)
  t.true(isSo, isSo ? what : `${what}: ${JSON.stringify([told, expected])}`)
}

const isModelCall = ({ kind }: Seed): boolean => kind === 'llm' || kind === 'embedding'

test.serial(
  'a summary of many events, whole and of each agent, of whole days and of a window that is cut anywhere',
  async (t) => {
    for (const window of [aligned, unaligned]) {
      for (const agent of [null, ...agents]) {
        const chosen = within(window).filter((seed) => agent === null || seed.agent === agent)
        const query = agent === null ? window : { ...window, agent_id: agentIdOf(workspace, agent) }
        const { body } = await reads.get<Row & { models: Row[] }>(workspace, 'stats/summary', query)
        near(t, body, summarizeSeeds(chosen), `${window.from_time} ${agent}`)
        const expected = models
          .map((model) => {
            const calls = chosen.filter((seed) => seed.counted && isModelCall(seed) && seed.model === model)
            const { llm_calls, input_tokens, output_tokens, cached_tokens, cost_usd } = sumUp(calls)
            return { model: model ?? 'unknown', llm_calls, input_tokens, output_tokens, cached_tokens, cost_usd }
          })
          .sort((a, b) => b.cost_usd - a.cost_usd)
        t.true(isClose(body.models, expected), JSON.stringify([body.models, expected]))
      }
    }
    t.true(distinct(seeds.map(({ trace }) => trace)) > 2_500)
  },
)

test.serial(
  'the percentiles of many events are sketched: near those of percentile_cont, and not the same',
  async (t) => {
    const { body } = await reads.get<Row>(workspace, 'stats/summary', aligned)
    const exact = percentileMs(seeds, 0.95)
    t.true(Math.abs(Number(body['p95_duration_ms']) - exact) <= exact * 0.01)
    t.not(body['p95_duration_ms'], exact)
  },
)

const keysOf: Record<string, (seed: Seed) => string | null> = {
  none: () => 'all',
  agent: ({ agent }) => agentIds.get(agent) ?? null,
  model: (seed) => (isModelCall(seed) ? (seed.model ?? 'unknown') : null),
  tool: (seed) => (seed.kind === 'tool' ? (seed.tool ?? 'unknown') : null),
  kind: (seed) => seed.kind,
}

const filters: [string, () => Record<string, string>, (seed: Seed) => boolean][] = [
  ['nothing', () => ({}), () => true],
  ['agent', () => ({ agent_id: agentIdOf(workspace, 'coder') }), ({ agent }) => agent === 'coder'],
  ['kind', () => ({ kind: 'tool' }), ({ kind }) => kind === 'tool'],
  ['model', () => ({ model: 'gpt-4.1-mini' }), ({ model }) => model === 'gpt-4.1-mini'],
  [
    'all three',
    () => ({ agent_id: agentIdOf(workspace, 'critic'), kind: 'llm', model: 'claude-sonnet-4' }),
    ({ agent, kind, model }) => agent === 'critic' && kind === 'llm' && model === 'claude-sonnet-4',
  ],
]

for (const groupBy of ['none', 'agent', 'model', 'tool', 'kind']) {
  test.serial(`a time series by ${groupBy}, narrowed by every filter, equals plain code in every point`, async (t) => {
    const keyOf = keysOf[groupBy] ?? t.fail()
    const cases = filters.flatMap((filter, at) => (at < 2 ? [2, 20] : [2]).map((top) => [top, ...filter] as const))
    for (const [top, name, filter, holds] of cases) {
      const query = { ...unaligned, interval: '6h', group_by: groupBy, top, ...filter() }
      const { body } = await reads.get<Series>(workspace, 'stats/timeseries', query)
      const inside = within(unaligned).filter(holds)
      const groups = Map.groupBy(
        inside.filter((seed) => keyOf(seed) !== null),
        keyOf,
      )
      const measure = groupBy === 'model' ? 'cost_usd' : 'events'
      const largest = [...groups]
        .filter(([key]) => key !== 'other')
        .map(([key, chosen]) => ({ key: key ?? '', size: sumUp(chosen)[measure] }))
        .sort((a, b) => b.size - a.size || (a.key < b.key ? -1 : 1))
        .slice(0, top)
        .map(({ key }) => key)
      if (groupBy === 'none' && largest.length === 0) largest.push('all')
      const rest = inside.filter((seed) => ![null, ...largest].includes(keyOf(seed)))
      const keys = rest.length > 0 ? [...largest, 'other'] : largest
      const what = `${top} by ${groupBy}, narrowed by ${name}`
      t.deepEqual(
        body.series.map(({ key }) => key),
        keys,
        what,
      )
      for (const { key, points } of body.series) {
        t.is(points.length, 12)
        const ofKey = key === 'other' ? rest : (groups.get(key) ?? [])
        for (const point of points) checkPoint(t, point, ofKey, 6 * 3_600_000, what)
      }
    }
  })
}

function checkPoint(t: ExecutionContext, point: Row, chosen: readonly Seed[], lengthOfMs: number, what: string): void {
  const atMs = Date.parse(String(point['time']))
  const own = between(chosen, atMs, atMs + lengthOfMs)
  const { traces, cache_write_tokens } = summarizeSeeds(own)
  near(t, point, { ...sumUp(own), traces, cache_write_tokens }, `${what} at ${point['time']}`)
}

test.serial('a time series of every interval equals plain code', async (t) => {
  const inside = within(unaligned)
  for (const [interval, seconds] of [
    ['5m', 300],
    ['15m', 900],
    ['1h', 3_600],
    ['1d', 86_400],
  ] as const) {
    const { body } = await reads.get<Series>(workspace, 'stats/timeseries', { ...unaligned, interval })
    for (const point of body.series[0]?.points ?? []) checkPoint(t, point, inside, seconds * 1_000, interval)
  }
})

test.serial('days of a zone whose midnight is no whole hour are cut at its midnight', async (t) => {
  for (const groupBy of ['none', 'kind']) {
    const query = { ...aligned, interval: '1d', time_zone: 'Asia/Kathmandu', group_by: groupBy }
    const { body } = await reads.get<Series>(workspace, 'stats/timeseries', query)
    for (const { key, points } of body.series) {
      t.deepEqual(
        points.map(({ time }) => String(time).slice(10)),
        points.map(() => 'T18:15:00.000Z'),
      )
      const chosen = within(aligned).filter(({ kind }) => key === 'all' || kind === key)
      for (const point of points) checkPoint(t, point, chosen, dayMs, groupBy)
    }
  }
})

test.serial('a series of 2,000 points for each of three agents adds up', async (t) => {
  const query = { from_time: '2026-03-28T00:00:00Z', to_time: '2026-03-29T09:20:00Z', interval: '1m' }
  const { body } = await reads.get<Series>(workspace, 'stats/timeseries', { ...query, group_by: 'agent' })
  for (const { label, points } of body.series) {
    t.is(points.length, 2_000)
    const chosen = within(query).filter(({ agent }) => agent === label)
    t.is(
      points.reduce((sum, { events }) => sum + Number(events), 0),
      chosen.length,
    )
    for (const point of points.slice(300, 320)) checkPoint(t, point, chosen, 60_000, label)
  }
})

test.serial('a series that begins late has its place, and zeros before', async (t) => {
  const own = await reads.makeWorkspace()
  const at = (minute: number, agent: string) => ({
    start: new Date(fromMs + minute * 60_000).toISOString(),
    trace: hexId(1, 32),
    span: hexId(minute + 1, 16),
    agent,
  })
  await storeEvents(reads.db.query, own, [at(0, 'early'), at(1_500, 'late'), at(1_501, 'late')])
  const query = {
    from_time: '2026-03-28T00:00:00Z',
    to_time: '2026-03-29T09:20:00Z',
    interval: '1m',
    group_by: 'agent',
  }
  const { body } = await reads.get<Series>(own, 'stats/timeseries', query)
  t.deepEqual(
    body.series.map(({ label, points }) => [label, points.flatMap(({ events }, no) => (events === 0 ? [] : no))]),
    [
      ['late', [1_500, 1_501]],
      ['early', [0]],
    ],
  )
  for (const { points } of body.series) t.is(points.length, 2_000)
})

test.serial('a breakdown by everything in every order equals plain code', async (t) => {
  for (const groupBy of ['agent', 'model', 'tool', 'kind']) {
    const keyOf = keysOf[groupBy] ?? t.fail()
    for (const [name, filter, holds] of filters.slice(0, 2)) {
      const groups = Map.groupBy(
        within(unaligned).filter((seed) => holds(seed) && keyOf(seed) !== null),
        keyOf,
      )
      const sums = new Map([...groups].map(([key, chosen]) => [key ?? '', sumUp(chosen)]))
      for (const orderBy of ['cost_usd', 'events', 'errors', 'p95_duration_ms'] as const) {
        const query = { ...unaligned, group_by: groupBy, order_by: orderBy, limit: 2, ...filter() }
        const { body } = await reads.get<{ items: Row[]; other: Row | null }>(workspace, 'stats/breakdown', query)
        const what = `${groupBy} by ${orderBy}, narrowed by ${name}`
        t.is(body.items.length, Math.min(2, groups.size), what)
        for (const row of body.items) near(t, row, describe(groups.get(String(row['key'])) ?? []), what)
        const keys = new Set(body.items.map(({ key }) => key))
        const rest = [...groups].filter(([key]) => !keys.has(key ?? ''))
        const least = Math.min(...body.items.map((row) => Number(row[orderBy])))
        for (const [key] of rest) {
          const slack = orderBy === 'p95_duration_ms' ? 1.01 : 1 + 1e-12
          t.true((sums.get(key ?? '')?.[orderBy] ?? Number.NaN) <= least * slack + 1e-12, what)
        }
        t.is(body.other === null, rest.length === 0, what)
        if (body.other !== null) {
          const others = rest.flatMap(([, chosen]) => chosen)
          near(t, body.other, describe(others), what)
        }
      }
    }
  }
})

const describe = (chosen: readonly Seed[]): Record<string, number> => ({
  ...sumUp(chosen),
  distinct_inputs: distinct(chosen.map(({ tool, inputHash }) => (inputHash === null ? null : `${tool}/${inputHash}`))),
})

test.serial('without filters and groups only totals are read', async (t) => {
  const other = await reads.makeWorkspace()
  await reads.db.query(
    `insert into rollups (workspace_id, tier, start_time, total, cells, sets)
     select $1, tier, start_time, total, '\\x00', sets from rollups where workspace_id = $2`,
    [other, workspace],
  )
  const { body } = await reads.get<Row>(other, 'stats/summary', aligned)
  near(t, body, summarizeSeeds(folded), 'a summary')
  const charted = await reads.get<Series>(other, 'stats/timeseries', { ...aligned, interval: '1d' })
  for (const point of charted.body.series[0]?.points ?? []) checkPoint(t, point, time(folded), dayMs, 'a chart')
  // The control: a filtered read uses the cells, which are damaged here.
  const narrowed = await reads.get(other, 'stats/summary', { ...aligned, agent_id: randomUUID() })
  t.is(narrowed.status, 500)
})

test.serial('an unknown agent has no events', async (t) => {
  const { body } = await reads.get<Row & { models: Row[] }>(workspace, 'stats/summary', {
    ...aligned,
    agent_id: randomUUID(),
  })
  near(t, body, summarizeSeeds([]), 'nobody')
  t.deepEqual(body.models, [])
})
