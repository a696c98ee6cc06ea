// npm run bench:reads -- --engine plain|timescale --size 1m|10m|50m: every read of a large data set, over HTTP, each compared with the bare
// statement that reads the same rows. npm run bench:data makes the set.
import { parseArgs } from 'node:util'
import { deriveKey } from '../../src/base/seal.ts'
import { openCursors } from '../../src/web/page.ts'
import { startProcess } from '../_kit/service-process.ts'
import { mainThreadSeconds } from './_cpu.ts'
import { dataSecret, logIn } from './_data-people.ts'
import { engines, startDataServer } from './_data-server.ts'
import { type DataSet, findDataSet } from './_data-set.ts'
import { type Size, sizes } from './_data-shape.ts'
import { type Bare, type Finder, makeListCases, makeOtherCases, type Place, type ReadCase } from './_reads-cases.ts'
import { openReadsClient, type ReadsClient } from './_reads-client.ts'
import { type Figure, median, report } from './_report.ts'
import { type Stops, withStops } from './_stops.ts'

const longestLifeMs = 30 * 60_000
// Each case runs in every round, so that a busy minute of the machine affects all cases.
const rounds = 4
const warmUps = 3
const inTurn = 10
// A service that has run for a while: its hot code is compiled only after some dozens of requests.
const firstRequests = 150
const longestFirstMs = 3_000
const longestRoundMs = 8_000

const { values: flags } = parseArgs({
  options: {
    engine: { type: 'string', default: 'plain' },
    size: { type: 'string', default: '10m' },
    only: { type: 'string', default: '' },
  },
})

function makeFinder(set: DataSet, client: ReadsClient): Finder {
  const cursors = openCursors([deriveKey(Buffer.from(dataSecret), 'cursors')])
  const { workspaceId } = set
  const pin = ({ from, to }: { from: Date; to: Date }, key: readonly string[]) => ({
    fromMs: from.getTime(),
    toMs: to.getTime(),
    key,
  })
  return {
    workspaceId,
    async placeOf(table, to, offset) {
      const ids = table === 'events' ? 'trace_id, span_id' : 'trace_id'
      const { value } = await client.query<{ start: string; trace: string; span?: string }>(
        `place-${table}`,
        `select start_time::text as start, encode(trace_id, 'hex') as trace
           ${table === 'events' ? ", encode(span_id, 'hex') as span" : ''}
         from (select start_time, ${ids} from ${table} where workspace_id = $1 and start_time < $2
           order by start_time desc, ${ids.replaceAll(/(\w+)/g, '$1 desc')} limit 1 offset $3) place`,
        [workspaceId, to, offset],
      )
      const [row] = value
      if (row === undefined) throw new Error(`the set has no ${offset} ${table} before ${to.toISOString()}`)
      return { startKey: row.start, traceId: row.trace, spanId: row.span ?? '' }
    },
    sealEvents: (window, { startKey, traceId, spanId }) =>
      cursors.seal({ route: 'events', workspaceId, filters: {} }, pin(window, [startKey, traceId, spanId])),
    async sealTraces(window, { startKey, traceId }: Place) {
      const { value } = await client.query<{ s: string }>('snapshot', 'select pg_current_snapshot()::text as s', [])
      const scope = { route: 'traces', workspaceId, filters: { order_by: 'start_time' } }
      return cursors.seal(scope, pin(window, [startKey, traceId, value[0]?.s ?? '']))
    },
  }
}

type Measured = { readonly ms: number[]; readonly bareMs: number[]; readonly cpuMs: number[] }

type Asked = { readonly client: ReadsClient; readonly workspaceId: string; readonly servicePid: number }

/**
 * Runs one round of a case: ten requests and ten bare statements in turn, so that both run on the same machine load, and neither finds only
 * what the other has left in the processor caches.
 */
async function measure(asked: Asked, one: ReadCase, round: number, into: Measured) {
  const beganAtMs = performance.now()
  const requests = Math.ceil(one.requests / rounds)
  const before = into.ms.length
  await askSome(asked, one, { first: round * requests, count: warmUps }, { ms: [], bareMs: [], cpuMs: [] })
  const cpuS = mainThreadSeconds(asked.servicePid) ?? Number.NaN
  for (let nth = 0; nth < requests && performance.now() - beganAtMs < longestRoundMs; nth += inTurn) {
    await askSome(asked, one, { first: round * requests + nth, count: Math.min(inTurn, requests - nth) }, into)
  }
  // The CPU clock advances in ticks of ten milliseconds: precise for many requests, not for one.
  into.cpuMs.push((((mainThreadSeconds(asked.servicePid) ?? Number.NaN) - cpuS) * 1_000) / (into.ms.length - before))
}

async function askSome(
  { client, workspaceId }: Asked,
  one: ReadCase,
  { first, count }: { readonly first: number; readonly count: number },
  into: Measured,
): Promise<void> {
  const made = []
  for (let nth = 0; nth < count; nth += 1) made.push(await one.make(first + nth))
  for (const { path } of made) into.ms.push((await client.get(`/v1/workspaces/${workspaceId}/${path}`)).ms)
  for (const { bare } of made) if (bare !== null) into.bareMs.push((await readBare(client, one.name, bare)).ms)
}

async function warmUp(asked: Asked, one: ReadCase): Promise<void> {
  const beganAtMs = performance.now()
  for (let first = 0; first < firstRequests && performance.now() - beganAtMs < longestFirstMs; first += inTurn) {
    await askSome(asked, one, { first, count: inTurn }, { ms: [], bareMs: [], cpuMs: [] })
  }
}

async function readBare(client: ReadsClient, name: string, { text, values }: Bare): Promise<{ ms: number }> {
  if (values === null) return await client.copy(text)
  return await client.query(`bare ${name}`.slice(0, 60), text, values)
}

const quantile = (values: readonly number[], share: number): number =>
  values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * share))] ?? Number.NaN

const shares = [
  ['p50', 0.5],
  ['p95', 0.95],
] as const

function toFigures({ name, ceilingMs, ceilingRatio }: ReadCase, { ms, bareMs, cpuMs }: Measured): Figure[] {
  const cpu = { name: `${name}: CPU of the event loop`, value: median(cpuMs), unit: 'ms', runs: cpuMs }
  const times = shares.map(([share, at]) => ({
    name: `${name}, ${share}`,
    value: quantile(ms, at),
    unit: 'ms',
    ...(ceilingMs === undefined || share === 'p50' ? {} : { ceiling: ceilingMs }),
  }))
  if (bareMs.length === 0) return [...times, cpu]
  const bare = {
    name: `${name}: bare statement, p50 / p95`,
    value: quantile(bareMs, 0.5),
    unit: `/ ${quantile(bareMs, 0.95).toFixed(2)} ms`,
  }
  if (ceilingRatio === undefined) return [...times, cpu, bare]
  const ratios = shares.map(([share, at]) => ({
    name: `${name}: against the bare statement, ${share}`,
    value: quantile(ms, at) / quantile(bareMs, at),
    unit: 'x',
    ceiling: ceilingRatio,
  }))
  return [...times, cpu, bare, ...ratios]
}

/** Follows the cursors of a list whose filter rarely matches, and measures how long a client takes for all pages. */
async function followAll(client: ReadsClient, path: string): Promise<{ items: number; pages: number; ms: number }> {
  const startedAtMs = performance.now()
  let [items, pages] = [0, 0]
  for (let cursor: string | null = ''; cursor !== null; pages += 1) {
    const at: string = cursor === '' ? path : `${path}&cursor=${encodeURIComponent(cursor)}`
    const { value }: { value: { items: unknown[]; next_cursor: string | null } } = await client.get(at)
    items += value.items.length
    cursor = value.next_cursor
  }
  return { items, pages, ms: performance.now() - startedAtMs }
}

async function main(stops: Stops): Promise<void> {
  const engine = engines.find((name) => name === flags.engine)
  const size = (Object.keys(sizes) as Size[]).find((name) => name === flags.size)
  const set = engine === undefined || size === undefined ? null : findDataSet(engine, size)
  if (engine === undefined || size === undefined || set === null) {
    throw new Error(`make the set first: npm run bench:data -- --engine ${flags.engine} --size ${flags.size}`)
  }
  const server = stops.add(await startDataServer(engine, size, 'serving'), async (each) => await each.stop())
  const settings = { DATABASE_URL: server.url, SECRET: dataSecret, LOG_LEVEL: 'warn', AUTH_RATE_LIMITS: 'off' }
  const service = stops.add(await startProcess(settings, longestLifeMs), async (each) => await each.end('SIGTERM'))
  const token = await logIn(service.baseUrl, set)
  const client = stops.add(await openReadsClient(service.baseUrl, token, server.url), async (each) => await each.stop())
  const finder = makeFinder(set, client)
  const cases = [...makeListCases(finder), ...makeOtherCases(finder)].filter(({ name }) => name.includes(flags.only))
  const asked = { client, workspaceId: set.workspaceId, servicePid: service.pid }
  const figures: Figure[] = []
  const measured = new Map<ReadCase, Measured>(cases.map((one) => [one, { ms: [], bareMs: [], cpuMs: [] }]))
  for (const one of cases) await warmUp(asked, one)
  for (let round = 0; round < rounds; round += 1) {
    for (const [one, into] of measured) await measure(asked, one, round, into)
    process.stderr.write(`round ${round + 1} of ${rounds}\n`)
  }
  const medians = new Map<string, number>()
  for (const [one, times] of measured) {
    medians.set(one.name, quantile(times.ms, 0.5))
    figures.push(...toFigures(one, times))
  }
  for (const list of ['events', 'traces']) {
    const [first, deep] = [medians.get(`${list}: first page`), medians.get(`${list}: thousandth page`)]
    if (first === undefined || deep === undefined) continue
    figures.push({ name: `${list}: thousandth page against the first`, value: deep / first, unit: '', ceiling: 1.5 })
  }
  const rare = `/v1/workspaces/${set.workspaceId}/events?from_time=2026-10-02T00:00:00Z&to_time=2026-11-01T00:00:00Z&tool_name=rare_export`
  if (flags.only === '') {
    const { items, pages, ms } = await followAll(client, rare)
    figures.push({ name: `all ${items} events of a rare tool, ${pages} pages`, value: ms, unit: 'ms' })
  }
  const { value: version } = await client.query<{ server_version: string }>('version', 'show server_version', [])
  report('reads', { engine, size, events: set.layout.events, postgres: version[0]?.server_version }, figures)
}

await withStops(main)
