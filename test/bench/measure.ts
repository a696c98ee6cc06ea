// The bench of counting: adding events, writing and merging rollups. No database, no other process; CPU time of this thread in
// milliseconds, so that other load on the machine does not count.

import { kinds } from '../../src/event/event.ts'
import { addFact, type Bucket, makeBucket, makeTotal } from '../../src/sketches/bucket.ts'
import { openReader } from '../../src/sketches/byte-reader.ts'
import { makeCellSums } from '../../src/sketches/cell.ts'
import { encodeCells, readCells } from '../../src/sketches/cells-codec.ts'
import { addToDelta, type Delta, encodeDelta, mergeStoredDelta } from '../../src/sketches/delta.ts'
import { countDistinct } from '../../src/sketches/distinct-estimate.ts'
import { quantileUs } from '../../src/sketches/durations.ts'
import { type Fact, makeFact } from '../../src/sketches/fact.ts'
import { encodeRow, mergeRow } from '../../src/sketches/row-codec.ts'
import { encodeTotal, mergeTotal, mergeTotalSums } from '../../src/sketches/total-codec.ts'
import { makeRandom, type Random } from '../_kit/random.ts'
import { median, report } from './_report.ts'

const runs = 5
const dayEvents = 333_333
const hourEvents = 13_889
const minuteEvents = 231
// As many events as 24 spans a trace and five traces a session give for ten million.
const eventsPerTrace = 12
const tracesPerSession = 5

const agents = Array.from({ length: 8 }, (_, at) => `00000000-0000-7000-8000-00000000000${at}`)
const models = [
  'gpt-4.1-mini',
  'gpt-4.1',
  'claude-sonnet-4',
  'claude-haiku-4',
  'gemini-2.5-pro',
  'text-embedding-3-small',
]
const tools = ['search', 'read_file', 'write_file', 'run_tests', 'fetch']

/** Yields one record, filled again for each of `count` events of one interval. */
function* makeFacts(random: Random, count: number, startUs: number, lengthUs: number): Generator<Fact> {
  const fact = { ...makeFact(), counted: true, inputTokens: 900, outputTokens: 120, cachedTokens: 40, costUsd: 0.0012 }
  for (let no = 0; no < count; no++) {
    if (no % eventsPerTrace === 0) {
      fact.traceHash = random.int(2 ** 48)
      if (no % (eventsPerTrace * tracesPerSession) === 0) fact.sessionHash = random.int(2 ** 48)
      fact.agentId = random.pick(agents)
    }
    const draw = random.int(10)
    fact.kind = draw < 4 ? 'llm' : draw < 8 ? 'tool' : random.pick(kinds)
    fact.model = fact.kind === 'llm' ? random.pick(models) : null
    fact.tool = fact.kind === 'tool' ? random.pick(tools) : null
    fact.inputHash = fact.tool === null ? -1 : random.int(2 ** 48)
    fact.error = random.chance(0.03)
    fact.startUs = startUs + Math.floor((no / count) * lengthUs)
    fact.durationUs = Math.round(Math.exp(8 + 6 * (random.int(1_000) / 1_000 + random.int(1_000) / 1_000)))
    yield fact
  }
}

function fill(random: Random, events: number): Bucket {
  const bucket = makeBucket()
  for (const fact of makeFacts(random, events, 0, 60_000_000)) addFact(bucket, fact, 1)
  return bucket
}

function measure(work: () => void): number[] {
  const spend = (times: number): number => {
    const start = process.threadCpuUsage()
    for (let time = 0; time < times; time++) work()
    return process.threadCpuUsage(start).user / 1_000 / times
  }
  spend(5)
  // The CPU clock of a thread ticks every few milliseconds.
  const times = Math.ceil(100 / Math.max(1, spend(5)))
  return Array.from({ length: runs }, () => spend(times))
}

const random = makeRandom(1)
const many = <T>(count: number, make: (at: number) => T): T[] => Array.from({ length: count }, (_, at) => make(at))
const repeat = <T>(count: number, from: readonly T[]): T[] => many(count, (at) => from[at % from.length] as T)

// A window of 30 days that neither begins nor ends on an hour, as a summary reads it: 29 days, 46 hours, 125 minutes.
const days = many(3, () => fill(random, dayEvents))
const hours = many(24, () => fill(random, hourEvents))
const minutes = many(60, () => fill(random, minuteEvents))
const totals = [days, hours, minutes].map((buckets) => buckets.map((bucket) => Buffer.from(encodeTotal(bucket))))
const cells = [days, hours, minutes].map((buckets) => buckets.map((bucket) => Buffer.from(encodeCells(bucket))))
const [dayTotals = [], hourTotals = [], minuteTotals = []] = totals
const [, hourCells = []] = cells
const rows = [days, hours, minutes].map((buckets) => buckets.map((bucket) => encodeRow(bucket)))
const [, , minuteRows = []] = rows

const summary = [...repeat(29, dayTotals), ...repeat(46, hourTotals), ...repeat(125, minuteTotals)]
const chart = repeat(720, hourTotals)
const cellsPerHour = median(hours.map((bucket) => bucket.cells.list.length))
const breakdown = repeat(Math.ceil(20_000 / cellsPerHour), hourCells)

const deltas = many(100, () => {
  const delta: Delta = new Map()
  for (const fact of makeFacts(random, 2_000, Date.parse('2026-03-01T00:00:30Z') * 1_000, 60_000_000))
    addToDelta(delta, fact, 1)
  return encodeDelta(delta)
})

const results: [string, () => void][] = [
  [
    'summary: 200 totals of 30 days, merged and read off',
    () => {
      const total = makeTotal()
      for (const bytes of summary) mergeTotal(total, bytes)
      quantileUs(total.durations, 0.5)
      quantileUs(total.durations, 0.95)
      countDistinct(total.traces)
      countDistinct(total.sessions)
    },
  ],
  [
    'time series: 720 hourly totals, each read off',
    () => {
      for (const bytes of chart) {
        const total = makeTotal()
        mergeTotalSums(total, bytes)
        quantileUs(total.durations, 0.5)
        quantileUs(total.durations, 0.95)
        countDistinct(total.traces)
      }
    },
  ],
  [
    'breakdown: 20,000 cells of hours into 8 agents',
    () => {
      const byAgent = new Map(agents.map((agent) => [agent, makeCellSums()]))
      const parts = { durations: true, traces: false, inputs: true }
      for (const bytes of breakdown) {
        readCells(
          openReader(bytes),
          parts,
          ({ agentId }) => byAgent.get(agentId) ?? null,
          () => null,
        )
      }
    },
  ],
  [
    'the same cells, all but one agent stepped over',
    () => {
      const sums = makeCellSums()
      const parts = { durations: true, traces: true, inputs: true }
      for (const bytes of breakdown) {
        readCells(
          openReader(bytes),
          parts,
          ({ agentId }) => (agentId === agents[0] ? sums : null),
          () => null,
        )
      }
    },
  ],
  [
    'fold: 100 deltas of 2,000 events into one',
    () => {
      const delta: Delta = new Map()
      for (const stored of deltas) mergeStoredDelta(delta, stored)
    },
  ],
  [
    'sum up: 60 minutes into an hour, written',
    () => {
      const hour = makeBucket()
      for (const row of minuteRows) mergeRow(hour, row)
      encodeRow(hour)
    },
  ],
  [
    'ingest: a delta of 2,000 events, made and written',
    () => {
      const delta: Delta = new Map()
      for (const fact of makeFacts(makeRandom(2), 2_000, 0, 60_000_000)) addToDelta(delta, fact, 1)
      encodeDelta(delta)
    },
  ],
  [
    'of that, making up the events',
    () => {
      for (const fact of makeFacts(makeRandom(2), 2_000, 0, 60_000_000))
        if (fact.startUs < 0) throw new Error('no time')
    },
  ],
]

const bytesOf = (buffers: readonly Buffer[]): number => median(buffers.map(({ length }) => length))

report(
  'measure',
  {
    events: { day: dayEvents, hour: hourEvents, minute: minuteEvents },
    cells: { day: days[0]?.cells.list.length, hour: cellsPerHour, minute: minutes[0]?.cells.list.length },
  },
  [
    ...results.map(([name, work]) => {
      const times = measure(work)
      return { name, value: median(times), unit: 'ms', runs: times }
    }),
    ...(['day', 'hour', 'minute'] as const).flatMap((name, at) => [
      { name: `total of a ${name}`, value: bytesOf(totals[at] ?? []), unit: 'B' },
      { name: `cells of a ${name}`, value: bytesOf(cells[at] ?? []), unit: 'B' },
      { name: `sets of a ${name}`, value: median((rows[at] ?? []).map(({ sets }) => sets?.length ?? 0)), unit: 'B' },
    ]),
    { name: 'a delta of 2,000 events', value: bytesOf(deltas.map(({ body }) => body)), unit: 'B' },
    { name: 'its sets', value: bytesOf(deltas.map(({ sets }) => sets)), unit: 'B' },
  ],
)
