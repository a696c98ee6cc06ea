// node test/bench/steady.ts [timescale]: what 1,000 spans a second cost while they arrive, including settling and folding. Requests are due
// at a fixed rate independent of the answers, and latency counts from the time a request was due. The competent control gets the same load.
import { setTimeout as sleep } from 'node:timers/promises'
import { untilQuiet } from './_background.ts'
import { startChild } from './_child.ts'
import { startControl } from './_controls.ts'
import type { Flooded } from './_flood.ts'
import { type IngestServer, measureIdleCores, readCpu } from './_ingest-run.ts'
import type { Made, Sent } from './_load-ingest.ts'
import { describeMemory, sampleMemory } from './_memory.ts'
import { type BenchPostgres, startBenchPostgres } from './_postgres.ts'
import { type Figure, median, report } from './_report.ts'
import { startBenchService } from './_service.ts'
import { spansInTrace } from './_spans.ts'
import { type Stops, withStops } from './_stops.ts'
import { emptyTables } from './_tables.ts'
import { makeTenant } from './_tenant.ts'

const spansPerS = 1_000
const requestSizes = [64, 512] as const
const connections = 32
// Twice the ten seconds that a trace must be quiet and a delta may wait: from then on, as much is settled and folded as arrives.
const leadS = 22
const controlLeadS = 3
const windowS = 15
const windows = 3
const warm = { batches: 72, runs: 8, inFlight: 24 }

/** Cores of each window. */
type Cores = { readonly node: number[]; readonly database: number[] }
type Steady = { readonly cores: Cores; readonly flooded: Flooded; readonly settledPerS: number }

async function main(stops: Stops): Promise<void> {
  const postgres = stops.add(
    await startBenchPostgres(process.argv[2] === 'timescale' ? 'timescale' : 'plain'),
    async (server) => await server.stop(),
  )
  const load = stops.add(startChild('./_load-ingest.ts'), async (child) => await child.end())
  const service = await startBenchService(stops, postgres)
  const own: IngestServer = { ...service, table: 'events', settles: true }
  const control = await startControl(stops, postgres, 'competent')

  await load.ask<Made>({ do: 'make', batches: warm.batches })
  for (let run = 0; run < warm.runs; run += 1)
    for (const { baseUrl } of run === 0 ? [own, control] : [own]) {
      await emptyTables(postgres)
      const { key } = await makeTenant(service.baseUrl, postgres)
      await load.ask<Sent>({ do: 'send', baseUrl, keys: [key], inFlight: warm.inFlight })
    }
  const [idleNode = null, , idleDatabase = null] = await measureIdleCores(own, postgres)

  async function run(server: IngestServer, spansInRequest: number): Promise<Steady> {
    await emptyTables(postgres)
    const { key } = await makeTenant(service.baseUrl, postgres)
    const fromS = server.settles ? leadS : controlLeadS
    const durationMs = (fromS + windowS * windows + 1) * 1_000
    const batches = Math.ceil((spansPerS * durationMs) / 1_000 / spansInRequest) + 1
    const shape = { spansInBatch: spansInRequest, startMs: Date.now(), stepMs: 1_000 / spansPerS }
    await load.ask<Made>({ do: 'make', batches, shape })
    const [flooded, { cores, settledPerS }] = await Promise.all([
      load.ask<Flooded>({ do: 'flood', baseUrl: server.baseUrl, keys: [key], spansPerS, connections, durationMs }),
      measureWindows(server, postgres, fromS),
    ])
    checkAnswers(flooded)
    if (server.settles) await untilQuiet(postgres)
    return { cores, flooded, settledPerS }
  }

  const memory = sampleMemory(service.pid, postgres.pid)
  const figures: Figure[] = []
  for (const size of requestSizes) figures.push(...describe(`${size} a request`, await run(own, size)))
  const samples = memory.stop()
  for (const size of requestSizes)
    figures.push(...describeControl(`competent, ${size} a request`, await run(control, size)))
  report('steady', { postgres: postgres.version, spans_per_s: spansPerS, windows, window_s: windowS }, [
    { name: 'idle: service', value: idleNode, unit: 'cores' },
    { name: 'idle: PostgreSQL', value: idleDatabase, unit: 'cores' },
    ...figures,
    ...describeMemory('1,000 spans/s', samples),
  ])
}

/** Waits until the load is steady, then reads what each of several windows took. */
async function measureWindows(
  server: IngestServer,
  postgres: BenchPostgres,
  fromS: number,
): Promise<Omit<Steady, 'flooded'>> {
  const cores: Cores = { node: [], database: [] }
  await sleep(fromS * 1_000)
  const settledBefore = await countSettled(postgres)
  const startedAtMs = performance.now()
  let before = { cpu: readCpu(server, postgres), atMs: startedAtMs }
  for (let nth = 1; nth <= windows; nth += 1) {
    await sleep(startedAtMs + nth * windowS * 1_000 - performance.now())
    const now = { cpu: readCpu(server, postgres), atMs: performance.now() }
    const [node = Number.NaN, , database = Number.NaN] = now.cpu.map(
      (after, at) => (after - (before.cpu[at] ?? Number.NaN)) / ((now.atMs - before.atMs) / 1_000),
    )
    cores.node.push(node)
    cores.database.push(database)
    before = now
  }
  const settled = (await countSettled(postgres)) - settledBefore
  return { cores, settledPerS: (settled * spansInTrace) / ((performance.now() - startedAtMs) / 1_000) }
}

async function countSettled({ query }: BenchPostgres): Promise<number> {
  const [row] = await query<{ traces: number }>('select count(*)::int as traces from traces where settled')
  return row?.traces ?? 0
}

/** Throws if a request was not sent when it was due, or was not answered with a full success. */
function checkAnswers({ answers, partial, due, sent }: Flooded): void {
  const others = Object.keys(answers).filter((status) => status !== '200')
  if (others.length > 0 || partial > 0 || due !== sent)
    throw new Error(`${sent} of ${due} requests left, ${partial} had partial success: ${JSON.stringify(answers)}`)
}

function describe(name: string, { cores, flooded, settledPerS }: Steady): Figure[] {
  return [
    ...describeControl(name, { cores, flooded }),
    { name: `${name}: settled meanwhile`, value: settledPerS, unit: 'spans/s' },
  ]
}

function describeControl(name: string, { cores, flooded }: Pick<Steady, 'cores' | 'flooded'>): Figure[] {
  const both = cores.node.map((node, at) => node + (cores.database[at] ?? Number.NaN))
  return [
    { name: `${name}: Node`, value: median(cores.node), unit: 'cores', runs: cores.node },
    { name: `${name}: PostgreSQL`, value: median(cores.database), unit: 'cores', runs: cores.database },
    { name: `${name}: both`, value: median(both), unit: 'cores', runs: both },
    { name: `${name}: answer p50`, value: flooded.p50Ms, unit: 'ms' },
    { name: `${name}: answer p99`, value: flooded.p99Ms, unit: 'ms' },
    { name: `${name}: load`, value: flooded.cpuSeconds / flooded.seconds, unit: 'cores' },
  ]
}

await withStops(main)
