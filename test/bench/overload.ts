// node test/bench/overload.ts [timescale]: three times the load that the service can carry, at a fixed rate, from many connections and
// workspaces. The service must keep its best throughput, refuse the rest promptly and properly, keep its memory, and lose nothing.
import { startChild } from './_child.ts'
import { forgetPeak, readMemory } from './_cpu.ts'
import type { Flooded } from './_flood.ts'
import type { Made, Sent } from './_load-ingest.ts'
import { describeMemory, sampleMemory } from './_memory.ts'
import { startBenchPostgres } from './_postgres.ts'
import { median, report } from './_report.ts'
import { startBenchService } from './_service.ts'
import { type Stops, withStops } from './_stops.ts'
import { countEvents, emptyTables } from './_tables.ts'
import { makeTenant } from './_tenant.ts'

const batches = 72
const overload = 3
const connections = 256
// Settling begins ten seconds after the first span, so the best throughput is measured for as long as the overload.
const floodMs = 20_000
const warmRuns = 4
/** Sent right after the overload: a load that the service can carry. */
const after = { share: 0.5, durationMs: 3_000 }
const sampleMs = 500

async function main(stops: Stops): Promise<void> {
  const postgres = stops.add(
    await startBenchPostgres(process.argv[2] === 'timescale' ? 'timescale' : 'plain'),
    async (server) => await server.stop(),
  )
  const load = stops.add(startChild('./_load-ingest.ts'), async (child) => await child.end())
  const { baseUrl, pid } = await startBenchService(stops, postgres)
  const made = await load.ask<Made>({ do: 'make', batches })

  /** Returns the spans a second that the service accepts while 24 requests are in flight and none is refused. */
  async function measureBest(spans: number): Promise<number> {
    await emptyTables(postgres)
    const tenants = await makeTenants(spans)
    const sent = await load.ask<Sent>({ do: 'send', baseUrl, keys: [...tenants.keys()], inFlight: 24 })
    return sent.spans / sent.seconds
  }

  /** Returns workspaces by key, enough of them for `spans` spans that were not sent before. */
  async function makeTenants(spans: number): Promise<Map<string, string>> {
    const tenants = new Map<string, string>()
    while (tenants.size * made.spans < spans) {
      const { key, workspaceId } = await makeTenant(baseUrl, postgres)
      tenants.set(key, workspaceId)
    }
    return tenants
  }

  const flood = async (tenants: Map<string, string>, spansPerS: number, durationMs: number): Promise<Flooded> =>
    await load.ask<Flooded>({ do: 'flood', baseUrl, keys: [...tenants.keys()], spansPerS, connections, durationMs })

  async function checkStored(tenants: Map<string, string>, { acknowledged }: Flooded): Promise<void> {
    const stored = await countEvents(postgres)
    const wrong = [...tenants].filter(([key, id]) => (stored.get(id) ?? 0) !== (acknowledged[key] ?? 0))
    if (wrong.length > 0) throw new Error(`${wrong.length} workspaces hold more or less than was acknowledged`)
  }

  const warm: number[] = []
  for (let run = 0; run < warmRuns; run += 1) warm.push(await measureBest(made.spans))
  const lasting = (median(warm.slice(1)) * floodMs) / 1_000
  const best = [await measureBest(lasting)]
  const rate = median(best)

  await emptyTables(postgres)
  // More than the service should be able to accept, plus the requests in flight.
  const inFlight = (connections * made.spans) / batches
  const strained = await makeTenants((rate * 1.5 * floodMs) / 1_000 + inFlight)
  const relieved = await makeTenants((rate * after.durationMs) / 1_000 + inFlight)
  forgetPeak(pid)
  const memory = sampleMemory(pid, postgres.pid, sampleMs)
  const flooded = await flood(strained, rate * overload, floodMs)
  const samples = memory.stop()
  if (flooded.seconds * 1_000 < floodMs) throw new Error('the load has run out of requests')
  const peakMiB = readMemory(pid)?.peakMiB ?? null
  const recovered = await flood(relieved, rate * after.share, after.durationMs)
  await checkStored(strained, flooded)
  await checkStored(relieved, recovered)
  best.push(await measureBest(lasting))

  const perS = flooded.acceptedSpans / flooded.seconds
  const services = samples.map(({ service }) => service)
  const quarter = (nth: number): number =>
    median(services.slice((services.length * nth) / 4, (services.length * (nth + 1)) / 4))
  const refusals = (answers: Flooded['answers']): number =>
    Object.entries(answers).reduce((sum, [status, requests]) => sum + (status === '200' ? 0 : requests), 0)
  const odd = Object.keys(flooded.answers).filter((status) => !['200', '429', '503', 'broken'].includes(status))
  report(
    'overload',
    {
      postgres: postgres.version,
      connections,
      workspaces: strained.size,
      seconds: flooded.seconds,
      answers: flooded.answers,
      answers_after: recovered.answers,
      rss_mib: services.filter((_, at) => at % 8 === 0),
    },
    [
      { name: 'best, before and after', value: median(best), unit: 'spans/s', runs: best },
      { name: 'offered', value: (flooded.sent * made.spans) / batches / flooded.seconds, unit: 'spans/s' },
      { name: 'accepted under overload', value: perS, unit: 'spans/s' },
      { name: 'accepted under overload against the best', value: perS / median(best), unit: '', floor: 0.8 },
      { name: 'requests due that found no connection', value: flooded.due - flooded.sent, unit: 'requests' },
      { name: 'requests refused', value: refusals(flooded.answers), unit: 'requests' },
      { name: 'refusals without Retry-After', value: flooded.withoutRetryAfter, unit: 'requests', ceiling: 0 },
      { name: 'connections that broke', value: flooded.answers['broken'] ?? 0, unit: 'requests', ceiling: 0 },
      { name: 'answers that are neither 200, 429 nor 503', value: odd.length, unit: 'statuses', ceiling: 0 },
      { name: 'answers of 200 that are no full success', value: flooded.partial, unit: 'requests', ceiling: 0 },
      { name: 'accepted: answer p50', value: flooded.p50Ms, unit: 'ms' },
      { name: 'accepted: answer p99', value: flooded.p99Ms, unit: 'ms' },
      { name: 'CPU of the load', value: flooded.cpuSeconds / flooded.seconds, unit: 'cores' },
      { name: 'memory of the service at its highest', value: peakMiB, unit: 'MiB', ceiling: 400 },
      { name: 'memory, last quarter against the second', value: quarter(3) / quarter(1), unit: '', ceiling: 1.1 },
      ...describeMemory('overload', samples),
      { name: 'after the end: last answer', value: flooded.drainMs, unit: 'ms', ceiling: 2_000 },
      { name: 'then at half load: refused', value: refusals(recovered.answers), unit: 'requests', ceiling: 0 },
      { name: 'then at half load: answer p50', value: recovered.p50Ms, unit: 'ms' },
      { name: 'then at half load: answer p99', value: recovered.p99Ms, unit: 'ms' },
      { name: 'spans stored beyond or short of those acknowledged', value: 0, unit: 'spans', ceiling: 0 },
    ],
  )
}

await withStops(main)
