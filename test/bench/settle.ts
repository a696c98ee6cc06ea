// node test/bench/settle.ts: the number of traces that settling processes in a second.
import { settleDueTraces } from '../../src/ingest/settle/settle-traces.ts'
import { openDatabase } from '../../src/store/open-database.ts'
import { loadStatements } from '../../src/store/statements.ts'
import { startChild } from './_child.ts'
import type { Made } from './_load-ingest.ts'
import { startBenchPostgres } from './_postgres.ts'
import { median, report } from './_report.ts'
import { startBenchService } from './_service.ts'
import { type Stops, withStops } from './_stops.ts'

const rounds = 5
const batches = 30

async function main(stops: Stops): Promise<void> {
  const postgres = stops.add(await startBenchPostgres(), async (server) => await server.stop())
  const load = stops.add(startChild('./_load-ingest.ts'), async (child) => await child.end())
  // The service only stores: settling is measured here by itself.
  const service = await startBenchService(stops, postgres, { SETTLE_QUIET_MS: 600_000 })
  const made = await load.ask<Made>({ do: 'make', batches })
  await load.ask({ do: 'send', baseUrl: service.baseUrl, keys: [service.key], inFlight: 4 })
  await service.end('SIGTERM')
  const pool = openDatabase({
    url: postgres.url,
    statements: loadStatements(),
    name: 'bench',
    maxConnections: 1,
    statementTimeoutMs: 60_000,
    acquireTimeoutMs: 10_000,
    onIdleError: () => undefined,
  })
  const db = stops.add(pool, async () => await pool.stop())
  const perS: number[] = []
  for (let round = 0; round <= rounds; round += 1) {
    await postgres.query('update traces set settled = false')
    await postgres.query('vacuum analyze traces')
    const startedAtMs = performance.now()
    let traces = 0
    for (;;) {
      const settled = await settleDueTraces(db, 0)
      if (settled.traces === 0) break
      traces += settled.traces
    }
    // The first round changes what ingest could not know; the others show the steady cost.
    if (round > 0) perS.push(traces / ((performance.now() - startedAtMs) / 1_000))
  }
  const [row] = await postgres.query<{ traces: number }>('select count(*)::int as traces from traces')
  const spansPerTrace = made.spans / (row?.traces ?? 1)
  report('settle', { postgres: postgres.version, traces: row?.traces, spans_per_trace: spansPerTrace, rounds }, [
    { name: 'settled', value: median(perS), unit: 'traces/s', runs: perS },
    { name: 'settled', value: median(perS) * spansPerTrace, unit: 'spans/s' },
  ])
}

await withStops(main)
