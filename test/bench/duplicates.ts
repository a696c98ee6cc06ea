// node test/bench/duplicates.ts [timescale]: sends the same requests once and then again. A repeat must cost less than new spans, and must
// leave nothing behind: no row, no dead row, no byte.
import { startChild } from './_child.ts'
import { cpuSeconds } from './_cpu.ts'
import type { Made, Sent } from './_load-ingest.ts'
import { startBenchPostgres } from './_postgres.ts'
import { median, report } from './_report.ts'
import { startBenchService } from './_service.ts'
import { type Stops, withStops } from './_stops.ts'
import { countDead, countEvents, emptyTables, tableBytes } from './_tables.ts'
import { makeTenant } from './_tenant.ts'

const rounds = 5
const batches = 72
const inFlight = 24
const grown = ['events', 'payload_blocks', 'traces'] as const

type Run = { readonly spansPerS: number; readonly nodeUs: number; readonly databaseUs: number; readonly cpuUs: number }

async function main(stops: Stops): Promise<void> {
  const postgres = stops.add(
    await startBenchPostgres(process.argv[2] === 'timescale' ? 'timescale' : 'plain'),
    async (server) => await server.stop(),
  )
  const load = stops.add(startChild('./_load-ingest.ts'), async (child) => await child.end())
  // Only storing is compared here. Settling is due once for new spans and never for repeated ones, and its updates would leave dead rows
  // that the repeats did not cause; the bench of ingest shows its cost.
  const service = await startBenchService(stops, postgres, { SETTLE_QUIET_MS: 600_000 })
  const made = await load.ask<Made>({ do: 'make', batches })

  async function send(key: string): Promise<Run> {
    const read = (): number[] => [cpuSeconds(service.pid) ?? Number.NaN, cpuSeconds(postgres.pid) ?? Number.NaN]
    const before = read()
    const sent = await load.ask<Sent>({ do: 'send', baseUrl: service.baseUrl, keys: [key], inFlight })
    const [nodeUs = 0, databaseUs = 0] = read().map((after, at) => ((after - (before[at] ?? 0)) / sent.spans) * 1e6)
    return { spansPerS: sent.spans / sent.seconds, nodeUs, databaseUs, cpuUs: nodeUs + databaseUs }
  }

  const readBytes = async (): Promise<number[]> =>
    await Promise.all(grown.map(async (table) => await tableBytes(postgres, table)))

  const fresh: Run[] = []
  const again: Run[] = []
  let rowsAdded = 0
  let bytesAdded = grown.map(() => 0)
  let inserted = 0
  for (let round = 0; round <= rounds; round += 1) {
    await emptyTables(postgres)
    const { key, workspaceId } = await makeTenant(service.baseUrl, postgres)
    const first = await send(key)
    const bytes = await readBytes()
    await postgres.query('checkpoint')
    const second = await send(key)
    const stored = (await countEvents(postgres)).get(workspaceId) ?? 0
    inserted += stored
    // The first round is a warm-up.
    if (round === 0) continue
    fresh.push(first)
    again.push(second)
    rowsAdded += stored - made.spans
    bytesAdded = (await readBytes()).map((after, at) => (bytesAdded[at] ?? 0) + after - (bytes[at] ?? 0))
  }
  // Truncating resets the statistics, so they are those of the last round; truncating chunks leaves no statistics at all.
  const dead = await countDead(postgres, 'events', postgres.chunked ? made.spans : inserted)

  const pick = (of: readonly Run[], figure: keyof Run): number[] => of.map((run) => run[figure])
  const ratio = (above: readonly number[], below: readonly number[]): number =>
    median(above.map((value, round) => value / (below[round] ?? Number.NaN)))
  report('duplicates', { postgres: postgres.version, spans: made.spans, in_flight: inFlight, rounds }, [
    {
      name: 'fresh spans',
      value: median(pick(fresh, 'spansPerS')),
      unit: 'spans/s',
      runs: pick(fresh, 'spansPerS'),
    },
    {
      name: 'the same spans again',
      value: median(pick(again, 'spansPerS')),
      unit: 'spans/s',
      runs: pick(again, 'spansPerS'),
    },
    {
      name: 'again to fresh, by spans/s',
      value: ratio(pick(again, 'spansPerS'), pick(fresh, 'spansPerS')),
      unit: '',
      floor: 1.4,
    },
    { name: 'fresh to again, by CPU', value: ratio(pick(fresh, 'cpuUs'), pick(again, 'cpuUs')), unit: '' },
    { name: 'fresh: CPU of Node', value: median(pick(fresh, 'nodeUs')), unit: 'µs/span' },
    { name: 'fresh: CPU of PostgreSQL', value: median(pick(fresh, 'databaseUs')), unit: 'µs/span' },
    { name: 'again: CPU of Node', value: median(pick(again, 'nodeUs')), unit: 'µs/span' },
    { name: 'again: CPU of PostgreSQL', value: median(pick(again, 'databaseUs')), unit: 'µs/span' },
    { name: 'rows that repeats added to events', value: rowsAdded, unit: 'rows', ceiling: 0 },
    { name: 'dead rows that repeats left in events', value: dead, unit: 'rows', ceiling: 0 },
    ...grown.map((table, at) => ({
      name: `bytes that repeats added to ${table} and its indexes`,
      value: bytesAdded[at] ?? 0,
      unit: 'B in all rounds',
    })),
  ])
}

await withStops(main)
