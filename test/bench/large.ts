// node test/bench/large.ts [timescale]: what a span costs with two million rows of the same workspace in the table, compared with an empty
// table, what memory that takes, and what retention costs for each span that it removes.
import { setTimeout as sleep } from 'node:timers/promises'
import { startChild } from './_child.ts'
import { cpuSeconds } from './_cpu.ts'
import { fillPast } from './_fill.ts'
import {
  describeRuns,
  type IngestServer,
  measureIdleCores,
  type Run,
  ratioOf,
  runIngest,
  wholeCpu,
} from './_ingest-run.ts'
import type { Made } from './_load-ingest.ts'
import { describeMemory, sampleMemory } from './_memory.ts'
import { type BenchPostgres, startBenchPostgres } from './_postgres.ts'
import { type Figure, median, report } from './_report.ts'
import { startBenchService } from './_service.ts'
import { type Stops, withStops } from './_stops.ts'
import { emptyTables } from './_tables.ts'
import { makeTenant } from './_tenant.ts'

const rows = 2_000_000
const rounds = 3
const batches = 72
const inFlight = 24
const warmRuns = 8
const memorySampleMs = 250
/** About half of the rows are older. */
const retentionDays = 14
const removalDeadlineMs = 180_000

async function main(stops: Stops): Promise<void> {
  const postgres = stops.add(
    await startBenchPostgres(process.argv[2] === 'timescale' ? 'timescale' : 'plain'),
    async (server) => await server.stop(),
  )
  const load = stops.add(startChild('./_load-ingest.ts'), async (child) => await child.end())
  const service = await startBenchService(stops, postgres)
  const server: IngestServer = { ...service, table: 'events', settles: true }
  let idle: readonly number[] = []

  /** Sends spans that were not sent before. */
  async function ingest(key: string, settles = true): Promise<Run> {
    const made = await load.ask<Made>({ do: 'make', batches })
    return await runIngest({ postgres, load, server: { ...server, settles }, idle }, made, { key, inFlight })
  }

  for (let run = 0; run < warmRuns; run += 1) await ingest(service.key, false)
  idle = await measureIdleCores(server, postgres)
  const empty: Run[] = []
  for (let round = 0; round < rounds; round += 1) {
    await emptyTables(postgres)
    empty.push(await ingest((await makeTenant(service.baseUrl, postgres)).key))
  }

  await emptyTables(postgres)
  const { key, workspaceId } = await makeTenant(service.baseUrl, postgres)
  await ingest(key)
  const filledFromMs = performance.now()
  const filled = await fillPast(postgres, workspaceId, rows)
  const fillS = (performance.now() - filledFromMs) / 1_000
  const full: Run[] = []
  for (let round = 0; round < rounds; round += 1) full.push(await ingest(key))
  const memory = sampleMemory(service.pid, postgres.pid, memorySampleMs)
  await ingest(key)
  const samples = memory.stop()
  await service.end('SIGTERM')
  const removal = await measureRemoval(stops, postgres)

  report(
    'large',
    { postgres: postgres.version, rows: filled, fill_s: Math.round(fillS), rounds, in_flight: inFlight },
    [
      ...listFigures('empty table', empty),
      ...listFigures('2 million rows', full),
      { name: '2 million rows against empty table, by CPU', value: ratioOf(wholeCpu(full), wholeCpu(empty)), unit: '' },
      ...describeMemory('2 million rows', samples),
      ...removal,
    ],
  )
}

const listFigures = (name: string, runs: readonly Run[]): Figure[] => [
  ...describeRuns(name, runs),
  {
    name: `${name}: CPU until settled and folded`,
    value: median(wholeCpu(runs)),
    unit: 'µs/span',
    runs: wholeCpu(runs),
  },
]

/** Restarts the service with a shorter retention, and measures its first pass and the vacuum that has to follow. */
async function measureRemoval(stops: Stops, postgres: BenchPostgres): Promise<Figure[]> {
  const before = await countRows(postgres)
  const databaseBefore = cpuSeconds(postgres.pid) ?? Number.NaN
  const startedAtMs = performance.now()
  const bound = new Date(Date.now() - retentionDays * 86_400_000)
  const service = await startBenchService(stops, postgres, { RETENTION_DAYS: retentionDays })
  // The cost of the start is not a cost of a span.
  const nodeBefore = cpuSeconds(service.pid) ?? Number.NaN
  for (;;) {
    const [left] = await postgres.query<{ expired: boolean }>(
      `select exists (select from events where start_time < $1) or exists (select from payload_blocks where start_time < $1)
         or exists (select from traces where start_time < $1) as expired`,
      [bound],
    )
    if (left?.expired === false) break
    if (performance.now() - startedAtMs > removalDeadlineMs) throw new Error('retention does not get done')
    await sleep(250)
  }
  const seconds = (performance.now() - startedAtMs) / 1_000
  const node = (cpuSeconds(service.pid) ?? Number.NaN) - nodeBefore
  for (const table of ['events', 'payload_blocks', 'traces']) await postgres.query(`vacuum ${table}`)
  const database = (cpuSeconds(postgres.pid) ?? Number.NaN) - databaseBefore
  const removed = before - (await countRows(postgres))
  return [
    { name: 'retention: spans removed', value: removed, unit: 'spans' },
    { name: 'retention: removed', value: removed / seconds, unit: 'spans/s' },
    { name: 'retention: CPU of Node', value: (node / removed) * 1e6, unit: 'µs/span' },
    { name: 'retention: CPU of PostgreSQL, with vacuum', value: (database / removed) * 1e6, unit: 'µs/span' },
  ]
}

async function countRows({ query }: BenchPostgres): Promise<number> {
  const [row] = await query<{ rows: number }>('select count(*)::int as rows from events')
  return row?.rows ?? 0
}

await withStops(main)
