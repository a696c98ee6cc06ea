// node test/bench/ingest.ts: spans a second over HTTP, acknowledged after the commit, beside raw COPY of the same rows.

import { startChild } from './_child.ts'
import { cpuSeconds, readMemory } from './_cpu.ts'
import type { Made, Sent } from './_load-ingest.ts'
import { startBenchPostgres } from './_postgres.ts'
import { copiedTables, copyRaw, makeRawTables, readChunks } from './_raw-copy.ts'
import { median, report } from './_report.ts'
import { startBenchService } from './_service.ts'
import { type Stops, withStops } from './_stops.ts'

const rounds = 5
const batches = 36
const flights = [4, 24] as const
const emptied = [...copiedTables, 'traces', 'agents', 'commits', 'usage_months', 'usage_days']

type Run = {
  readonly spansPerS: number
  readonly p50Ms: number
  readonly p99Ms: number
  readonly nodeUs: number
  readonly databaseUs: number
}

async function main(stops: Stops): Promise<void> {
  const postgres = stops.add(await startBenchPostgres(), async (server) => await server.stop())
  const load = stops.add(startChild('./_load-ingest.ts'), async (child) => await child.end())
  // Settling has a bench of its own; here it would only add noise after the measured time.
  const service = await startBenchService(stops, postgres, { SETTLE_QUIET_MS: 600_000 })
  const made = await load.ask<Made>({ do: 'make', batches })
  const idle = readMemory(service.pid)

  async function ingest(inFlight: number): Promise<Run> {
    await postgres.query(`truncate ${emptied.join(', ')}`)
    await postgres.query('checkpoint')
    const before = [cpuSeconds(service.pid), cpuSeconds(postgres.pid)]
    const sent = await load.ask<Sent>({ do: 'send', baseUrl: service.baseUrl, key: service.key, inFlight })
    const after = [cpuSeconds(service.pid), cpuSeconds(postgres.pid)]
    const [stored] = await postgres.query<{ events: number }>('select count(*)::int as events from events')
    if (stored?.events !== made.spans) throw new Error(`${stored?.events} of ${made.spans} spans are stored`)
    const perSpanUs = (at: number): number =>
      (((after[at] ?? Number.NaN) - (before[at] ?? Number.NaN)) / made.spans) * 1e6
    return { ...sent, spansPerS: sent.spans / sent.seconds, nodeUs: perSpanUs(0), databaseUs: perSpanUs(1) }
  }

  // The first run warms everything up, and gives the rows for COPY.
  await ingest(24)
  await makeRawTables(postgres)
  const chunks = await readChunks(postgres)
  await copyRaw(postgres, chunks)

  const runs = new Map<number, Run[]>(flights.map((inFlight) => [inFlight, []]))
  const raw: number[] = []
  for (let round = 0; round < rounds; round += 1) {
    for (const inFlight of flights) runs.get(inFlight)?.push(await ingest(inFlight))
    await postgres.query('checkpoint')
    raw.push(made.spans / (await copyRaw(postgres, chunks)))
  }

  const memory = readMemory(service.pid)
  const pick = (inFlight: number, of: keyof Run): number[] => (runs.get(inFlight) ?? []).map((run) => run[of])
  const rawMedian = median(raw)
  report(
    'ingest',
    {
      postgres: postgres.version,
      spans: made.spans,
      bytes_per_span: Math.round(made.plainBytes / made.spans),
      gzip_ratio: Number((made.plainBytes / made.sentBytes).toFixed(1)),
      rounds,
    },
    [
      { name: 'raw COPY, two connections', value: rawMedian, unit: 'spans/s', runs: raw },
      ...flights.flatMap((inFlight) => [
        {
          name: `ingest over HTTP, ${inFlight} in flight`,
          value: median(pick(inFlight, 'spansPerS')),
          unit: 'spans/s',
          runs: pick(inFlight, 'spansPerS'),
        },
        {
          name: `ratio to raw COPY, ${inFlight} in flight`,
          value: median(pick(inFlight, 'spansPerS').map((value, round) => value / (raw[round] ?? rawMedian))),
          unit: '',
          ...(inFlight === 24 ? { floor: 0.28 } : {}),
        },
        { name: `answer p50, ${inFlight} in flight`, value: median(pick(inFlight, 'p50Ms')), unit: 'ms' },
        { name: `answer p99, ${inFlight} in flight`, value: median(pick(inFlight, 'p99Ms')), unit: 'ms' },
      ]),
      { name: 'CPU of the service, 24 in flight', value: median(pick(24, 'nodeUs')), unit: 'µs/span' },
      { name: 'CPU of PostgreSQL, 24 in flight', value: median(pick(24, 'databaseUs')), unit: 'µs/span' },
      { name: 'memory of the service before load', value: idle?.nowMiB ?? null, unit: 'MiB' },
      { name: 'memory of the service after load', value: memory?.nowMiB ?? null, unit: 'MiB' },
      { name: 'memory of the service at its highest', value: memory?.peakMiB ?? null, unit: 'MiB' },
    ],
  )
}

await withStops(main)
