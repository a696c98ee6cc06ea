// node test/bench/ingest.ts [timescale]: spans a second over HTTP, acknowledged after the commit, and the CPU that they cost until they are
// settled and folded, with the default settings. Compared with raw COPY of the same rows and with two other pipelines under the same load,
// a naive and a competent one; all are interleaved on the same PostgreSQL.
import { startChild } from './_child.ts'
import { startControl } from './_controls.ts'
import { readMemory } from './_cpu.ts'
import {
  describeRuns,
  type IngestServer,
  type Loaded,
  measureIdleCores,
  type Run,
  ratioOf,
  runIngest,
  wholeCpu,
} from './_ingest-run.ts'
import type { Made } from './_load-ingest.ts'
import { describeMemory, sampleMemory } from './_memory.ts'
import { startBenchPostgres } from './_postgres.ts'
import { copyRaw, makeRawTables, readChunks } from './_raw-copy.ts'
import { type Figure, median, report } from './_report.ts'
import { startBenchService } from './_service.ts'
import { secretShare } from './_spans.ts'
import { type Stops, withStops } from './_stops.ts'
import { countRedacted, emptyTables } from './_tables.ts'
import { makeTenant } from './_tenant.ts'

const rounds = 5
const batches = 72
const inFlight = 24
// Warm-up runs of each mode: a service that runs for days does not spend a tenth of its time on compiling itself.
const warmRuns = 8
const memorySampleMs = 250
// The ceiling holds on the machine it was set on, where the naive pipeline takes 80 µs. On another machine, their ratio is the limit.
const cpuCeilingUs = 30
const naiveUsWhereSet = 80

/** How much of the content the service keeps. */
const modes = ['redacted', 'full'] as const
const controls = ['naive', 'competent'] as const
type Name = (typeof modes)[number] | (typeof controls)[number]

async function main(stops: Stops): Promise<void> {
  const postgres = stops.add(
    await startBenchPostgres(process.argv[2] === 'timescale' ? 'timescale' : 'plain'),
    async (server) => await server.stop(),
  )
  const load = stops.add(startChild('./_load-ingest.ts'), async (child) => await child.end())
  const service = await startBenchService(stops, postgres)
  const made = await load.ask<Made>({ do: 'make', batches })
  const beforeLoad = readMemory(service.pid)
  const own: IngestServer = { ...service, table: 'events', settles: true }
  const servers = {
    redacted: own,
    full: own,
    naive: await startControl(stops, postgres, 'naive'),
    competent: await startControl(stops, postgres, 'competent'),
  } satisfies Record<Name, IngestServer>

  async function ingest(name: Name, server: IngestServer, idle: Loaded['idle']): Promise<Run> {
    await emptyTables(postgres)
    const { key } = await makeTenant(service.baseUrl, postgres, name === 'redacted' ? 'redacted' : 'full')
    return await runIngest({ postgres, load, server, idle }, made, { key, inFlight })
  }

  // The first runs are warm-ups, and one of them provides the rows for COPY.
  for (const name of controls) await ingest(name, servers[name], [])
  for (const name of ['full', 'redacted'] as const)
    for (let run = 0; run < warmRuns; run += 1) await ingest(name, { ...own, settles: false }, [])
  const redacted = await countRedacted(postgres)
  await makeRawTables(postgres)
  const chunks = await readChunks(postgres)
  await copyRaw(postgres, chunks)
  const idle = await measureIdleCores(own, postgres)

  const runs: Record<Name, Run[]> = { redacted: [], full: [], naive: [], competent: [] }
  const raw: number[] = []
  for (let round = 0; round < rounds; round += 1) {
    // The order rotates, since the run right after the raw COPY of the previous round pays for it.
    const order: Name[] = [...modes, ...controls]
    for (const name of [...order.slice(round % order.length), ...order.slice(0, round % order.length)])
      runs[name].push(await ingest(name, servers[name], idle))
    await emptyTables(postgres)
    raw.push(made.spans / (await copyRaw(postgres, chunks)))
  }
  // A separate run, since taking the samples costs time.
  const memory = sampleMemory(service.pid, postgres.pid, memorySampleMs)
  await ingest('redacted', own, idle)
  const samples = memory.stop()

  const [idleNode = null, , idleDatabase = null] = idle
  report(
    'ingest',
    {
      postgres: postgres.version,
      spans: made.spans,
      in_flight: inFlight,
      bytes_per_span: Math.round(made.plainBytes / made.spans),
      gzip_ratio: Number((made.plainBytes / made.sentBytes).toFixed(1)),
      spans_with_secrets: secretShare,
      spans_redacted: redacted / made.spans,
      rounds,
    },
    [
      { name: 'idle: service', value: idleNode, unit: 'cores' },
      { name: 'idle: PostgreSQL', value: idleDatabase, unit: 'cores' },
      { name: 'raw COPY, two connections', value: median(raw), unit: 'spans/s', runs: raw },
      ...controls.flatMap((name) => [...describeRuns(name, runs[name]), describeCpu(name, runs[name])]),
      ...modes.flatMap((name) => listFigures(name, runs, raw)),
      { name: 'memory of the service before load', value: beforeLoad?.nowMiB ?? null, unit: 'MiB' },
      { name: 'memory of the service after load', value: readMemory(service.pid)?.nowMiB ?? null, unit: 'MiB' },
      ...describeMemory('one more run', samples),
    ],
  )
}

const describeCpu = (name: Name, runs: readonly Run[]): Figure => ({
  name: `${name}: CPU of Node and PostgreSQL`,
  value: median(wholeCpu(runs)),
  unit: 'µs/span',
  runs: wholeCpu(runs),
})

function listFigures(name: Name, runs: Readonly<Record<Name, readonly Run[]>>, raw: readonly number[]): Figure[] {
  const perS = (of: Name): number[] => runs[of].map(({ spansPerS }) => spansPerS)
  const cpu = wholeCpu(runs[name])
  return [
    ...describeRuns(name, runs[name]),
    {
      name: `${name}: CPU until settled and folded`,
      value: median(cpu),
      unit: 'µs/span',
      runs: cpu,
      ceiling: cpuCeilingUs,
    },
    { name: `${name}: ratio to raw COPY`, value: ratioOf(perS(name), raw), unit: '', floor: 0.28 },
    { name: `${name}: ratio to naive by spans/s`, value: ratioOf(perS(name), perS('naive')), unit: '', floor: 2.5 },
    {
      name: `${name}: ratio to naive by CPU`,
      value: ratioOf(wholeCpu(runs.naive), cpu),
      unit: '',
      floor: naiveUsWhereSet / cpuCeilingUs,
    },
    { name: `${name}: ratio to competent by spans/s`, value: ratioOf(perS(name), perS('competent')), unit: '' },
    { name: `${name}: ratio to competent by CPU`, value: ratioOf(wholeCpu(runs.competent), cpu), unit: '' },
  ]
}

await withStops(main)
