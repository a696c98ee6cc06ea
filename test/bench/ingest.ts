// node test/bench/ingest.ts [timescale]: spans a second over HTTP, acknowledged after the commit, beside raw COPY of the same
// rows and beside a naive pipeline under the same load, all interleaved on the same PostgreSQL.
import { startChild } from './_child.ts'
import { cpuSeconds, forgetPeak, mainThreadSeconds, readMemory } from './_cpu.ts'
import type { Made, Sent } from './_load-ingest.ts'
import type { NaiveQuestion } from './_naive.ts'
import { makeNaiveTable } from './_naive-table.ts'
import { type BenchPostgres, startBenchPostgres } from './_postgres.ts'
import { copyRaw, makeRawTables, readChunks } from './_raw-copy.ts'
import { type Figure, median, report } from './_report.ts'
import { startBenchService } from './_service.ts'
import { secretShare } from './_spans.ts'
import { type Stops, withStops } from './_stops.ts'
import { countRedacted, emptyTables } from './_tables.ts'
import { makeTenant } from './_tenant.ts'

const rounds = 6
const batches = 72
// Of each mode, before anything is measured: a service that runs for days does not spend a tenth of its time on compiling itself.
const warmRuns = 12
const naiveConnections = 3
// A figure of the machine that it was set on, where the naive pipeline takes 80 µs: on another one their ratio is the bar.
const cpuCeilingUs = 30
const naiveUsWhereSet = 80

/** Who takes the load in, what of the content is kept, and how many requests are in flight. */
const cases = [
  { name: 'redacted, 24 in flight', mode: 'redacted', inFlight: 24 },
  { name: 'redacted, 4 in flight', mode: 'redacted', inFlight: 4 },
  { name: 'full, 24 in flight', mode: 'full', inFlight: 24 },
] as const

type Run = {
  readonly spansPerS: number
  readonly p50Ms: number
  readonly p99Ms: number
  readonly nodeUs: number
  readonly mainUs: number
  readonly databaseUs: number
  readonly loadUs: number
  readonly refused: number
  readonly peakMiB: number
}

type Server = { readonly baseUrl: string; readonly pid: number; readonly table: string }

async function main(stops: Stops): Promise<void> {
  const postgres = stops.add(
    await startBenchPostgres(process.argv[2] === 'timescale' ? 'timescale' : 'plain'),
    async (server) => await server.stop(),
  )
  const load = stops.add(startChild('./_load-ingest.ts'), async (child) => await child.end())
  // Settling has a bench of its own; here it would only add noise after the measured time.
  const service = await startBenchService(stops, postgres, { SETTLE_QUIET_MS: 600_000 })
  const naive = await startNaive(stops, postgres)
  const made = await load.ask<Made>({ do: 'make', batches })
  const idle = readMemory(service.pid)

  async function ingest(server: Server, mode: 'redacted' | 'full', inFlight: number): Promise<Run> {
    await emptyTables(postgres)
    const { key } = await makeTenant(service.baseUrl, postgres, mode)
    const read = (): (number | null)[] => [
      cpuSeconds(server.pid),
      mainThreadSeconds(server.pid),
      cpuSeconds(postgres.pid),
    ]
    forgetPeak(server.pid)
    const before = read()
    const sent = await load.ask<Sent>({ do: 'send', baseUrl: server.baseUrl, keys: [key], inFlight })
    const [nodeUs = 0, mainUs = 0, databaseUs = 0] = read().map(
      (after, at) => (((after ?? Number.NaN) - (before[at] ?? Number.NaN)) / made.spans) * 1e6,
    )
    const [stored] = await postgres.query<{ rows: number }>(`select count(*)::int as rows from ${server.table}`)
    if (stored?.rows !== made.spans) throw new Error(`${stored?.rows} of ${made.spans} spans are in ${server.table}`)
    const loadUs = (sent.cpuSeconds / made.spans) * 1e6
    const peakMiB = readMemory(server.pid)?.peakMiB ?? Number.NaN
    return { ...sent, spansPerS: sent.spans / sent.seconds, nodeUs, mainUs, databaseUs, loadUs, peakMiB }
  }

  const target: Server = { ...service, table: 'events' }
  // The first runs warm everything up, and one gives the rows for COPY.
  await ingest(naive, 'full', 24)
  for (let run = 0; run < warmRuns; run += 1) await ingest(target, 'full', 24)
  for (let run = 0; run < warmRuns; run += 1) await ingest(target, 'redacted', 24)
  const redacted = await countRedacted(postgres)
  await makeRawTables(postgres)
  const chunks = await readChunks(postgres)
  await copyRaw(postgres, chunks)

  const runs = new Map<string, Run[]>([...cases, { name: 'naive' }].map(({ name }) => [name, []]))
  const raw: number[] = []
  for (let round = 0; round < rounds; round += 1) {
    // Each has its turn right behind the raw COPY of the round before, which costs whoever comes next.
    for (const { name, mode, inFlight } of [
      ...cases.slice(round % cases.length),
      ...cases.slice(0, round % cases.length),
    ])
      runs.get(name)?.push(await ingest(target, mode, inFlight))
    runs.get('naive')?.push(await ingest(naive, 'full', 24))
    await emptyTables(postgres)
    raw.push(made.spans / (await copyRaw(postgres, chunks)))
  }

  report(
    'ingest',
    {
      postgres: postgres.version,
      spans: made.spans,
      bytes_per_span: Math.round(made.plainBytes / made.spans),
      gzip_ratio: Number((made.plainBytes / made.sentBytes).toFixed(1)),
      spans_with_secrets: secretShare,
      spans_redacted: redacted / made.spans,
      rounds,
    },
    [
      ...listFigures(runs, raw),
      { name: 'memory of the service before load', value: idle?.nowMiB ?? null, unit: 'MiB' },
      { name: 'memory of the service after load', value: readMemory(service.pid)?.nowMiB ?? null, unit: 'MiB' },
    ],
  )
}

async function startNaive(stops: Stops, postgres: BenchPostgres): Promise<Server> {
  await makeNaiveTable(postgres)
  const child = stops.add(startChild('./_naive.ts'), async (started) => await started.end())
  const question: NaiveQuestion = { url: postgres.url, connections: naiveConnections }
  return { baseUrl: `http://127.0.0.1:${await child.ask<number>(question)}`, pid: child.pid, table: 'naive_spans' }
}

function listFigures(runs: ReadonlyMap<string, readonly Run[]>, raw: readonly number[]): Figure[] {
  const pick = (name: string, of: keyof Run): number[] => (runs.get(name) ?? []).map((run) => run[of])
  const middle = (name: string, of: keyof Run): number => median(pick(name, of))
  const cpu = (name: string): number[] =>
    pick(name, 'nodeUs').map((node, round) => node + (pick(name, 'databaseUs')[round] ?? 0))
  // Round by round: what slows the machine down for a while slows both down.
  const ratio = (above: readonly number[], below: readonly number[]): number =>
    median(above.map((value, round) => value / (below[round] ?? Number.NaN)))
  const describe = (name: string): Figure[] => [
    { name, value: middle(name, 'spansPerS'), unit: 'spans/s', runs: pick(name, 'spansPerS') },
    { name: `${name}: CPU of Node`, value: middle(name, 'nodeUs'), unit: 'µs/span' },
    { name: `${name}: CPU of its main thread`, value: middle(name, 'mainUs'), unit: 'µs/span' },
    { name: `${name}: CPU of PostgreSQL`, value: middle(name, 'databaseUs'), unit: 'µs/span' },
    { name: `${name}: CPU of the load`, value: middle(name, 'loadUs'), unit: 'µs/span' },
    { name: `${name}: answer p50`, value: middle(name, 'p50Ms'), unit: 'ms' },
    { name: `${name}: answer p99`, value: middle(name, 'p99Ms'), unit: 'ms' },
    { name: `${name}: told to come again`, value: middle(name, 'refused'), unit: 'requests' },
    { name: `${name}: memory at its highest`, value: Math.max(...pick(name, 'peakMiB')), unit: 'MiB' },
  ]
  return [
    { name: 'raw COPY, two connections', value: median(raw), unit: 'spans/s', runs: raw },
    ...describe('naive'),
    ...cases.flatMap(({ name, inFlight }) => [
      ...describe(name),
      { name: `${name}: CPU of Node and PostgreSQL`, value: median(cpu(name)), unit: 'µs/span', ceiling: cpuCeilingUs },
      {
        name: `${name}: ratio to raw COPY`,
        value: ratio(pick(name, 'spansPerS'), raw),
        unit: '',
        ...(inFlight === 24 ? { floor: 0.28 } : {}),
      },
      {
        name: `${name}: ratio to naive by spans/s`,
        value: ratio(pick(name, 'spansPerS'), pick('naive', 'spansPerS')),
        unit: '',
        ...(inFlight === 24 ? { floor: 2.5 } : {}),
      },
      {
        name: `${name}: ratio to naive by CPU`,
        value: ratio(cpu('naive'), cpu(name)),
        unit: '',
        ...(inFlight === 24 ? { floor: naiveUsWhereSet / cpuCeilingUs } : {}),
      },
    ]),
  ]
}

await withStops(main)
