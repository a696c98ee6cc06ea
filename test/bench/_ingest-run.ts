// One run of an ingest bench: sends all batches with a fixed number of requests in flight, and measures the CPU that their spans cost, from
// the first byte until the last span is settled and folded.
import { measureIdle, untilQuiet } from './_background.ts'
import type { Child } from './_child.ts'
import { cpuSeconds, forgetPeak, mainThreadSeconds, readMemory } from './_cpu.ts'
import type { Made, Sent } from './_load-ingest.ts'
import type { BenchPostgres } from './_postgres.ts'
import { type Figure, median } from './_report.ts'
import { emptyTables } from './_tables.ts'

export type IngestServer = {
  readonly baseUrl: string
  readonly pid: number
  /** The table in which the spans are stored. */
  readonly table: string
  /** Whether the server has work left after the answer. */
  readonly settles: boolean
}

/** µs of CPU for each span: of the process, of its main thread, of PostgreSQL. */
type SpanCpu = { readonly nodeUs: number; readonly mainUs: number; readonly databaseUs: number }

export type Run = {
  readonly spansPerS: number
  readonly p50Ms: number
  readonly p99Ms: number
  readonly refused: number
  readonly loadUs: number
  readonly peakMiB: number
  /** Until the last answer, including background work that runs during this time. */
  readonly loading: SpanCpu
  /** From the last answer until no work was left, without the cost of an idle service and database. */
  readonly later: SpanCpu
  readonly laterS: number
}

export type Loaded = {
  readonly postgres: BenchPostgres
  readonly load: Child
  readonly server: IngestServer
  /** Cores of an idle service, of its main thread and of PostgreSQL. */
  readonly idle: readonly number[]
}

export const readCpu = (server: IngestServer, postgres: BenchPostgres): number[] =>
  [cpuSeconds(server.pid), mainThreadSeconds(server.pid), cpuSeconds(postgres.pid)].map((value) => value ?? Number.NaN)

/**
 * Returns the cores in use while idle: of the service, of its main thread, of PostgreSQL. Empties the tables first, so that no vacuum is
 * due.
 */
export async function measureIdleCores(server: IngestServer, postgres: BenchPostgres): Promise<readonly number[]> {
  await untilQuiet(postgres)
  await emptyTables(postgres)
  return await measureIdle(postgres, () => readCpu(server, postgres))
}

/** Sends the batches that the load has made. Throws if the number of stored spans is not exactly theirs. */
export async function runIngest(
  { postgres, load, server, idle }: Loaded,
  made: Made,
  { key, inFlight }: { readonly key: string; readonly inFlight: number },
): Promise<Run> {
  const stored = await countRows(postgres, server.table)
  forgetPeak(server.pid)
  const before = readCpu(server, postgres)
  const sent = await load.ask<Sent>({ do: 'send', baseUrl: server.baseUrl, keys: [key], inFlight })
  const answered = readCpu(server, postgres)
  const answeredAtMs = performance.now()
  if (server.settles) await untilQuiet(postgres)
  const done = readCpu(server, postgres)
  const laterS = (performance.now() - answeredAtMs) / 1_000
  const added = (await countRows(postgres, server.table)) - stored
  if (added !== made.spans) throw new Error(`${added} of ${made.spans} spans are in ${server.table}`)
  const perSpan = (from: readonly number[], to: readonly number[], idleS: number): SpanCpu => {
    const [nodeUs = 0, mainUs = 0, databaseUs = 0] = to.map(
      (after, at) => ((after - (from[at] ?? Number.NaN) - idleS * (idle[at] ?? 0)) / made.spans) * 1e6,
    )
    return { nodeUs, mainUs, databaseUs }
  }
  return {
    ...sent,
    spansPerS: sent.spans / sent.seconds,
    loadUs: (sent.cpuSeconds / made.spans) * 1e6,
    peakMiB: readMemory(server.pid)?.peakMiB ?? Number.NaN,
    loading: perSpan(before, answered, 0),
    later: server.settles ? perSpan(answered, done, laterS) : { nodeUs: 0, mainUs: 0, databaseUs: 0 },
    laterS,
  }
}

async function countRows({ query }: BenchPostgres, table: string): Promise<number> {
  const [row] = await query<{ rows: number }>(`select count(*)::int as rows from ${table}`)
  return row?.rows ?? 0
}

/** Returns the CPU of Node and PostgreSQL for a span and all work that the service does with it, by run. */
export const wholeCpu = (runs: readonly Run[]): number[] =>
  runs.map(({ loading, later }) => loading.nodeUs + loading.databaseUs + later.nodeUs + later.databaseUs)

/** Compares round by round: a temporary slowdown of the machine affects both. */
export const ratioOf = (above: readonly number[], below: readonly number[]): number =>
  median(above.map((value, round) => value / (below[round] ?? Number.NaN)))

/** Returns the reported figures of the runs of one case. */
export function describeRuns(name: string, runs: readonly Run[]): Figure[] {
  const middle = (of: (run: Run) => number): number => median(runs.map(of))
  const perS = runs.map(({ spansPerS }) => spansPerS)
  const settles = runs.some(({ later }) => later.nodeUs !== 0)
  const figure = (what: string, unit: string, of: (run: Run) => number): Figure => ({
    name: `${name}: ${what}`,
    value: middle(of),
    unit,
  })
  return [
    { name, value: median(perS), unit: 'spans/s', runs: perS },
    figure('CPU of Node while loading', 'µs/span', ({ loading }) => loading.nodeUs),
    figure('CPU of its main thread while loading', 'µs/span', ({ loading }) => loading.mainUs),
    figure('CPU of PostgreSQL while loading', 'µs/span', ({ loading }) => loading.databaseUs),
    ...(settles
      ? [
          figure('CPU of Node afterwards', 'µs/span', ({ later }) => later.nodeUs),
          figure('CPU of its main thread afterwards', 'µs/span', ({ later }) => later.mainUs),
          figure('CPU of PostgreSQL afterwards', 'µs/span', ({ later }) => later.databaseUs),
          figure('all is settled and folded after', 's', ({ laterS }) => laterS),
        ]
      : []),
    figure('CPU of the load', 'µs/span', ({ loadUs }) => loadUs),
    figure('answer p50', 'ms', ({ p50Ms }) => p50Ms),
    figure('answer p99', 'ms', ({ p99Ms }) => p99Ms),
    figure('told to come again', 'requests', ({ refused }) => refused),
    { name: `${name}: memory at its highest`, value: Math.max(...runs.map(({ peakMiB }) => peakMiB)), unit: 'MiB' },
  ]
}
