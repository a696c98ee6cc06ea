// node test/bench/starvation.ts [seconds]: the latency of a health check and of the rules of another workspace while 100 connections
// without a credential pipeline GET /openapi.json: with more requests than the service queues, with as many as it queues, and without
// reading the answers.
import { maxPipelined } from '../../src/web/in-turn.ts'
import { startChild } from './_child.ts'
import { forgetPeak, readMemory } from './_cpu.ts'
import type { Rated } from './_load-rate.ts'
import type { Pipelined, PipelineQuestion } from './_pipeline.ts'
import { startBenchPostgres } from './_postgres.ts'
import { report } from './_report.ts'
import { insertRules } from './_rules.ts'
import { startBenchService } from './_service.ts'
import { type Stops, withStops } from './_stops.ts'

const connections = 100
const measureMs = Number(process.argv[2] ?? 10) * 1_000
const warmMs = 1_000
const caller = { connections: 16, perS: 100 }
/** Limit for a health check under attack; kubelet waits for one second. */
const worstHealthMs = 250

const makeRequest = (path: string, headers: readonly string[] = []): string =>
  [`GET ${path} HTTP/1.1`, 'host: 127.0.0.1', ...headers, '', ''].join('\r\n')

const attacks: readonly { readonly name: string; readonly burst: number; readonly reads: boolean }[] = [
  { name: '200 requests at once', burst: 200, reads: true },
  { name: `${maxPipelined} requests at once`, burst: maxPipelined, reads: true },
  { name: `${maxPipelined} requests at once, unread`, burst: maxPipelined, reads: false },
]

async function main(stops: Stops): Promise<void> {
  const postgres = stops.add(await startBenchPostgres(), async (server) => await server.stop())
  const rate = stops.add(startChild('./_load-rate.ts'), async (child) => await child.end())
  const attacker = stops.add(startChild('./_pipeline.ts'), async (child) => await child.end())
  const { baseUrl, pid, key, workspaceId } = await startBenchService(stops, postgres)
  const port = Number(new URL(baseUrl).port)
  await insertRules(postgres, workspaceId, 8)
  const authorization = `authorization: Bearer ${key}`
  const first = await fetch(`${baseUrl}/v1/apply/rules`, {
    headers: { authorization: `Bearer ${key}`, 'accept-encoding': 'identity' },
  })
  await first.arrayBuffer()
  const requests = [
    makeRequest('/v1/health/live'),
    makeRequest('/v1/apply/rules', [authorization, `if-none-match: ${first.headers.get('etag')}`]),
  ]
  const measure = async (): Promise<Rated> => await rate.ask<Rated>({ port, requests, ...caller, warmMs, measureMs })

  const figures = describe('calm', await measure())
  const facts: Record<string, unknown> = { postgres: postgres.version, connections, measure_ms: measureMs }
  for (const { name, burst, reads } of attacks) {
    forgetPeak(pid)
    const request = makeRequest('/openapi.json')
    const question: PipelineQuestion = { port, request, connections, burst, reads, durationMs: warmMs + measureMs }
    const [attacked, rated] = await Promise.all([attacker.ask<Pipelined>(question), measure()])
    facts[name] = attacked
    figures.push(...describe(name, rated, worstHealthMs))
    figures.push({ name: `${name}: memory at its highest`, value: readMemory(pid)?.peakMiB ?? null, unit: 'MiB' })
  }
  report('starvation', facts, figures)
}

type Figure = Parameters<typeof report>[2][number]

function describe(name: string, rated: Rated, ceiling?: number): Figure[] {
  return ['health', 'rules, 304'].flatMap((what, nth): Figure[] => {
    const { answered = 0, medianMs = null, p99Ms = null } = rated[nth] ?? {}
    const bar = ceiling === undefined ? {} : { ceiling }
    return [
      { name: `${name}: ${what}, answers`, value: answered, unit: 'answers' },
      { name: `${name}: ${what}, p50`, value: medianMs, unit: 'ms' },
      { name: `${name}: ${what}, p99`, value: p99Ms, unit: 'ms', ...bar },
    ]
  })
}

await withStops(main)
