// node test/bench/cluster.ts: what fronts and actors over NATS cost compared with one process that has all roles, and what 10,000
// workspaces take.
import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { monotonicClock } from '../../src/actors/clock.ts'
import { partitionOf } from '../../src/actors/partition.ts'
import type { PartitionRow } from '../../src/actors/partition-table.ts'
import { openRouteTable } from '../../src/actors/route-table.ts'
import { makeActorRouter } from '../../src/actors/router.ts'
import { makeUuidV7 } from '../../src/base/ids.ts'
import { openNatsTransport } from '../../src/bus/nats.ts'
import { makeApiKey } from '../../src/keys/key-text.ts'
import { startNats } from '../_kit/nats.ts'
import { until } from '../_kit/until.ts'
import { type Cluster, openCluster } from '../cluster/_cluster.ts'
import type { Part } from '../cluster/_part.ts'
import { measureIdle, untilQuiet } from './_background.ts'
import { startChild } from './_child.ts'
import { cpuSeconds } from './_cpu.ts'
import type { Made, Sent } from './_load-ingest.ts'
import { type BenchPostgres, startBenchPostgres } from './_postgres.ts'
import { type Figure, median, report } from './_report.ts'
import { startBenchService } from './_service.ts'
import { type Stops, withStops } from './_stops.ts'
import { makeTenant } from './_tenant.ts'

const batches = 36
const rounds = 3
const inFlight = 8
const workspaces = 10_000
const asks = 3_000

/** The address that takes requests, and all processes that work for it. */
type Target = { readonly baseUrl: string; readonly pids: readonly number[]; readonly postgres: BenchPostgres }
type Run = { readonly spansPerS: number; readonly p50Ms: number; readonly aloneMs: number; readonly nodeUs: number }
type Rules = { readonly firstMs: number; readonly p50Ms: number; readonly p99Ms: number }

const quantile = (values: readonly number[], share: number): number => {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.min(Math.floor(sorted.length * share), sorted.length - 1)] ?? Number.NaN
}

const pidsOf = (parts: readonly Part[]): number[] => parts.map((part) => part.pid() ?? 0)

async function main(stops: Stops): Promise<void> {
  const add = <T extends { stop(): Promise<unknown> }>(thing: T): T => stops.add(thing, (one) => one.stop())
  // Each has its own database, since a service in one process does not share its database with another one.
  const [own, shared] = [add(await startBenchPostgres()), add(await startBenchPostgres())]
  const load = stops.add(startChild('./_load-ingest.ts'), (child) => child.end())
  const nats = add(await startNats())
  const service = await startBenchService(stops, own)
  const alone: Target = { baseUrl: service.baseUrl, pids: [service.pid], postgres: own }
  const collect = new URL('./_collect.ts', import.meta.url).href
  const cluster = add(
    await openCluster({
      databaseUrl: shared.url,
      nats,
      fronts: 3,
      actors: 3,
      nodeArguments: ['--expose-gc', '--import', collect],
      settings: {
        DATABASE_INGEST_CONNECTIONS: 4,
        DATABASE_READ_CONNECTIONS: 2,
        DATABASE_CONTROL_CONNECTIONS: 3,
      },
    }),
  )
  const front = cluster.fronts[0] as Part
  const joined: Target = { baseUrl: front.baseUrl, pids: pidsOf([front, ...cluster.actors]), postgres: shared }
  const made = await load.ask<Made>({ do: 'make', batches })

  const readCpu = ({ pids }: Target): number => pids.reduce((sum, pid) => sum + (cpuSeconds(pid) ?? Number.NaN), 0)

  /** Measures the CPU of both loads until all is settled and folded, without what the processes cost while idle. */
  async function ingest(target: Target, idleCores = 0): Promise<Run> {
    const { baseUrl, postgres } = target
    const { key } = await makeTenant(baseUrl, postgres)
    const { key: other } = await makeTenant(baseUrl, postgres)
    const before = readCpu(target)
    const sent = await load.ask<Sent>({ do: 'send', baseUrl, keys: [key], inFlight })
    const single = await load.ask<Sent>({ do: 'send', baseUrl, keys: [other], inFlight: 1 })
    const answeredAtMs = performance.now()
    await untilQuiet(postgres)
    const idleS = ((performance.now() - answeredAtMs) / 1_000) * idleCores
    const nodeUs = ((readCpu(target) - before - idleS) / (2 * made.spans)) * 1e6
    return { spansPerS: sent.spans / sent.seconds, p50Ms: sent.p50Ms, aloneMs: single.p50Ms, nodeUs }
  }

  async function fetchRules(target: Target, tenants: readonly string[]): Promise<Rules> {
    const first: number[] = []
    const again: number[] = []
    const ask = async (key: string): Promise<number> => {
      const sentAtMs = performance.now()
      const response = await fetch(`${target.baseUrl}/v1/apply/rules`, { headers: { authorization: `Bearer ${key}` } })
      await response.arrayBuffer()
      if (response.status !== 200) throw new Error(`rules were answered ${response.status}`)
      return performance.now() - sentAtMs
    }
    for (const key of tenants) first.push(await ask(key))
    for (let nth = 0; nth < 1_000; nth += 1) again.push(await ask(tenants[nth % tenants.length] ?? ''))
    return { firstMs: median(first), p50Ms: median(again), p99Ms: quantile(again, 0.99) }
  }

  const idle = new Map<Target, number>()
  for (const target of [alone, joined]) {
    await ingest(target)
    const [cores = Number.NaN] = await measureIdle(target.postgres, () => [readCpu(target)])
    idle.set(target, cores)
  }
  const runs: [Target, Run, Rules][] = []
  for (let round = 0; round < rounds; round += 1)
    for (const target of [alone, joined]) {
      const { keys } = await insertTenants(target.postgres, 200)
      runs.push([target, await ingest(target, idle.get(target)), await fetchRules(target, keys)])
    }

  const figures: Figure[] = []
  const tell = (name: string, unit: string, values: readonly number[]): void =>
    void figures.push({ name, unit, value: median(values), runs: values })
  for (const [name, target] of [
    ['alone', alone],
    ['cluster', joined],
  ] as const) {
    const own = runs.filter(([one]) => one === target)
    tell(
      `${name}: ingest, ${inFlight} in flight`,
      'spans/s',
      own.map(([, { spansPerS }]) => spansPerS),
    )
    tell(
      `${name}: ingest, one in flight, p50`,
      'ms',
      own.map(([, { aloneMs }]) => aloneMs),
    )
    tell(
      `${name}: ingest, CPU of all its Node processes until settled`,
      'us/span',
      own.map(([, { nodeUs }]) => nodeUs),
    )
    tell(`${name}: idle, CPU of all its Node processes`, 'cores', [idle.get(target) ?? Number.NaN])
    tell(
      `${name}: rules, first of a workspace, p50`,
      'ms',
      own.map(([, , { firstMs }]) => firstMs),
    )
    tell(
      `${name}: rules, from memory, p50`,
      'ms',
      own.map(([, , { p50Ms }]) => p50Ms),
    )
    tell(
      `${name}: rules, from memory, p99`,
      'ms',
      own.map(([, , { p99Ms }]) => p99Ms),
    )
  }
  figures.push(...(await askActors(stops, nats.url, shared)), ...(await holdMany(cluster, shared)))
  report('cluster', { fronts: 3, actors: 3, rounds, batches, workspaces }, figures)
}

type Tenants = { readonly ids: string[]; readonly keys: string[] }

/** Inserts workspaces of one org, each with a key, straight into the tables. */
async function insertTenants({ query }: BenchPostgres, count: number): Promise<Tenants> {
  const org = makeUuidV7()
  const ids = Array.from({ length: count }, () => makeUuidV7())
  const keys = Array.from({ length: count }, makeApiKey)
  await query('insert into orgs (id, name) values ($1, $2)', [org, 'org'])
  await query(
    `insert into workspaces (id, org_id, name, plan, redaction_secret)
     select id, $2, 'workspace', 'self_hosted', $3 from unnest($1::uuid[]) as id`,
    [ids, org, randomBytes(32)],
  )
  await query(
    `insert into api_keys (id, workspace_id, name, key_prefix, digest, created_by)
     select id, workspace_id, 'bench', prefix, digest, $5 from unnest($1::uuid[], $2::uuid[], $3::text[], $4::bytea[])
       as k (id, workspace_id, prefix, digest)`,
    [keys.map(() => makeUuidV7()), ids, keys.map(({ prefix }) => prefix), keys.map(({ digest }) => digest), org],
  )
  return { ids, keys: keys.map(({ text }) => text) }
}

/** Sends reservations as a front does: one at a time, then 32 at once. */
async function askActors(stops: Stops, url: string, postgres: BenchPostgres): Promise<Figure[]> {
  const transport = stops.add(
    await openNatsTransport({ address: { url }, name: 'bench', onError: () => undefined }),
    (one) => one.stop(),
  )
  const routes = openRouteTable({
    transport,
    clock: monotonicClock,
    readPartitions: async () =>
      await postgres.query<PartitionRow>('select pid, epoch::float8 as epoch, owner, boot from partitions'),
    onChange: () => undefined,
    onError: () => undefined,
  })
  const nothing = (): void => undefined
  const router = makeActorRouter({
    transport,
    boot: 'bench',
    routes,
    clock: monotonicClock,
    onRequest: nothing,
    onRetry: nothing,
    onFallback: nothing,
  })
  await until(() => routes.known() === 128, 10_000)
  const { ids } = await insertTenants(postgres, 128)
  for (const id of ids) await router.reserve(id, 'warm', 1)
  async function ask(atOnce: number): Promise<number[]> {
    const timesMs: number[] = []
    let asked = 0
    const worker = async (): Promise<void> => {
      while (asked < asks) {
        asked += 1
        const sentAtMs = performance.now()
        const grant = await router.reserve(ids[asked % ids.length] ?? '', `batch-${atOnce}-${asked}`, 20)
        if (grant === null) throw new Error(`partition ${partitionOf(ids[asked % ids.length] ?? '')} did not answer`)
        timesMs.push(performance.now() - sentAtMs)
      }
    }
    await Promise.all(Array.from({ length: atOnce }, worker))
    return timesMs
  }
  await ask(8)
  const [one, many] = [await ask(1), await ask(32)]
  router.stop()
  routes.stop()
  return [
    { name: 'reserve by the bus, one at a time, p50', unit: 'ms', value: quantile(one, 0.5) },
    { name: 'reserve by the bus, one at a time, p99', unit: 'ms', value: quantile(one, 0.99) },
    { name: 'reserve by the bus, 32 at once, p50', unit: 'ms', value: quantile(many, 0.5) },
    { name: 'reserve by the bus, 32 at once, p99', unit: 'ms', value: quantile(many, 0.99) },
  ]
}

/** SDKs request the rules of each workspace, a third of them from each front, so that every actor and every cache holds its share. */
async function holdMany({ fronts, actors }: Cluster, postgres: BenchPostgres): Promise<Figure[]> {
  const before = { fronts: await readHeap(fronts), actors: await readHeap(actors) }
  const { keys } = await insertTenants(postgres, workspaces)
  const passive = await readHeap(actors)
  let asked = 0
  const startedAtMs = performance.now()
  const worker = async (): Promise<void> => {
    for (let nth = asked++; nth < keys.length; nth = asked++) {
      const { baseUrl } = fronts[nth % fronts.length] as Part
      const response = await fetch(`${baseUrl}/v1/apply/rules`, { headers: { authorization: `Bearer ${keys[nth]}` } })
      await response.arrayBuffer()
      if (response.status !== 200) throw new Error(`rules were answered ${response.status}`)
    }
  }
  await Promise.all(Array.from({ length: 16 }, worker))
  const seconds = (performance.now() - startedAtMs) / 1_000
  const after = { fronts: await readHeap(fronts), actors: await readHeap(actors) }
  const active = await readMetric(actors, 'tracewright_actors_active')
  return [
    { name: `workspaces whose actor is in memory, of ${workspaces} and some`, unit: '', value: active },
    { name: 'first fetch of rules of each, 16 at once', unit: '/s', value: workspaces / seconds },
    { name: 'heap of the actors a passive workspace', unit: 'bytes', value: (passive - before.actors) / workspaces },
    { name: 'heap of the actors an active workspace', unit: 'bytes', value: (after.actors - passive) / workspaces },
    { name: 'heap of the fronts a workspace', unit: 'bytes', value: (after.fronts - before.fronts) / workspaces },
    { name: 'resident memory of the fronts together', unit: 'MiB', value: await readResident(fronts) },
    { name: 'resident memory of the actors together', unit: 'MiB', value: await readResident(actors) },
  ]
}

async function readMetric(parts: readonly Part[], name: string): Promise<number> {
  const values = parts.map(async ({ metricsUrl }) => {
    const text = await (await fetch(`${metricsUrl}/metrics`)).text()
    return Number(new RegExp(`^${name} (\\S+)`, 'm').exec(text)?.[1] ?? Number.NaN)
  })
  return (await Promise.all(values)).reduce((sum, value) => sum + value, 0)
}

/** Returns the heap after two collections: live objects only. */
async function readHeap(parts: readonly Part[]): Promise<number> {
  for (let turn = 0; turn < 2; turn += 1) {
    for (const part of parts) part.signal('SIGUSR2')
    await sleep(500)
  }
  return await readMetric(parts, 'nodejs_heap_size_used_bytes')
}

const readResident = async (parts: readonly Part[]): Promise<number> =>
  (await readMetric(parts, 'process_resident_memory_bytes')) / 1_048_576

await withStops(main)
