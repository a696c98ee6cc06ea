// node test/bench/http.ts: rules (200 and 304), stored tool results and health, compared with a bare node:http server that answers the same
// bytes.
import { randomUUID } from 'node:crypto'
import { type Child, startChild } from './_child.ts'
import { cpuSeconds, readMemory } from './_cpu.ts'
import type { Called } from './_load-http.ts'
import { startBenchPostgres } from './_postgres.ts'
import { median, report } from './_report.ts'
import { insertResult, insertRules } from './_rules.ts'
import { startBenchService } from './_service.ts'
import { type Stops, withStops } from './_stops.ts'

const rounds = 5
const rules = 8
const connections = 32
const timing = { warmMs: 300, measureMs: 900 }

type Target = { readonly name: string; readonly port: number; readonly pid: number; readonly request: string }
type Run = { readonly perS: number; readonly cpuUs: number }

const makeRequest = (path: string, headers: Record<string, string>): string =>
  [
    `GET ${path} HTTP/1.1`,
    'host: 127.0.0.1',
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    '',
    '',
  ].join('\r\n')

// Node adds these headers by itself, for the service and for the bare server alike.
const added = new Set(['date', 'connection', 'keep-alive', 'transfer-encoding'])

/** Starts a bare server that answers this request with the bytes of the service's answer. */
async function startBare(
  baseUrl: string,
  path: string,
  headers: Record<string, string>,
): Promise<{ child: Child; port: number; bytes: number }> {
  const sample = await fetch(baseUrl + path, { headers })
  const body = new Uint8Array(await sample.arrayBuffer())
  const child = startChild('./_bare.ts')
  const question = {
    status: sample.status,
    headers: [...sample.headers].filter(([name]) => !added.has(name)).flat(),
    body: sample.status === 304 ? null : body,
  }
  return { child, port: await child.ask<number>(question), bytes: body.length }
}

async function main(stops: Stops): Promise<void> {
  const postgres = stops.add(await startBenchPostgres(), async (server) => await server.stop())
  const load = stops.add(startChild('./_load-http.ts'), async (child) => await child.end())
  const service = await startBenchService(stops, postgres)
  const { key, workspaceId } = service
  const [decisionId = ''] = await insertRules(postgres, workspaceId, rules)
  await insertResult(postgres, workspaceId)
  const authorization = `Bearer ${key}`
  // fetch would request gzip by default.
  const plain = { 'accept-encoding': 'identity' }
  const first = await fetch(`${service.baseUrl}/v1/apply/rules`, { headers: { authorization, ...plain } })
  const etag = first.headers.get('etag') ?? ''
  const served = ((await first.json()) as { rules: unknown[] }).rules.length
  if (served !== rules) throw new Error(`${served} rules are served instead of ${rules}`)

  const cases = [
    { name: 'rules, 200', path: '/v1/apply/rules', headers: { authorization, ...plain }, floor: 0.7 },
    {
      name: 'rules, 304',
      path: '/v1/apply/rules',
      headers: { authorization, ...plain, 'if-none-match': etag },
      floor: 0.7,
    },
    {
      name: 'tool result, 200',
      path: `/v1/apply/tool-result?decision_id=${decisionId}&input_hash=sha256%3A${'ab'.repeat(32)}`,
      headers: { authorization },
      floor: 0.5,
    },
    {
      name: 'tool result, 404',
      path: `/v1/apply/tool-result?decision_id=${randomUUID()}&input_hash=sha256%3A${'ab'.repeat(32)}`,
      headers: { authorization },
      floor: 0.5,
    },
    { name: 'health', path: '/v1/health/live', headers: plain },
  ]
  const runs = new Map<string, Run[]>()
  const bytes: Record<string, number> = {}

  const call = async ({ name, port, pid, request }: Target): Promise<void> => {
    const before = cpuSeconds(pid)
    const { requests, seconds } = await load.ask<Called>({ port, request, connections, ...timing })
    const after = cpuSeconds(pid)
    // A request of the warm-up costs as much CPU as any other.
    const all = requests * ((timing.warmMs + timing.measureMs) / timing.measureMs)
    const cpuUs = (((after ?? Number.NaN) - (before ?? Number.NaN)) / all) * 1e6
    runs.set(name, [...(runs.get(name) ?? []), { perS: requests / seconds, cpuUs }])
  }

  const targets: Target[] = []
  for (const { name, path, headers } of cases) {
    const bare = await startBare(service.baseUrl, path, headers)
    stops.add(bare.child, async (child) => await child.end())
    bytes[name] = bare.bytes
    const request = makeRequest(path, headers)
    targets.push({ name: `bare ${name}`, port: bare.port, pid: bare.child.pid, request })
    targets.push({ name, port: Number(new URL(service.baseUrl).port), pid: service.pid, request })
  }
  for (const target of targets) await call(target)
  runs.clear()
  for (let round = 0; round < rounds; round += 1) for (const target of targets) await call(target)

  const pick = (name: string, of: keyof Run): number[] => (runs.get(name) ?? []).map((run) => run[of])
  const ratio = (name: string, of: keyof Run): number =>
    median(
      pick(name, of).map((value, round) =>
        of === 'perS' ? value / (pick(`bare ${name}`, of)[round] ?? 0) : (pick(`bare ${name}`, of)[round] ?? 0) / value,
      ),
    )
  report('http', { postgres: postgres.version, connections, body_bytes: bytes, rounds }, [
    ...cases.flatMap(({ name, floor }) => [
      {
        name: `bare node:http, bytes of ${name}`,
        value: median(pick(`bare ${name}`, 'perS')),
        unit: 'requests/s',
        runs: pick(`bare ${name}`, 'perS'),
      },
      { name, value: median(pick(name, 'perS')), unit: 'requests/s', runs: pick(name, 'perS') },
      {
        name: `${name}: ratio by requests/s`,
        value: ratio(name, 'perS'),
        unit: '',
        ...(floor === undefined ? {} : { floor }),
      },
      {
        name: `${name}: ratio by CPU a request`,
        value: ratio(name, 'cpuUs'),
        unit: '',
        ...(floor === undefined ? {} : { floor }),
      },
      { name: `${name}: CPU of the service`, value: median(pick(name, 'cpuUs')), unit: 'µs/request' },
    ]),
    { name: 'memory of the service at its highest', value: readMemory(service.pid)?.peakMiB ?? null, unit: 'MiB' },
  ])
}

await withStops(main)
