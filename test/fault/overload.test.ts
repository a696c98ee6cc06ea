// Ten times the load that the service can carry: it refuses promptly and properly, continues to work, and loses nothing.
import { randomBytes } from 'node:crypto'
import { Agent } from 'node:http'
import { gzipSync } from 'node:zlib'
import test, { type ExecutionContext } from 'ava'
import { makeDatabase, type TestDatabase } from '../_kit/db.ts'
import { startProcess } from '../_kit/service-process.ts'
import { inSoak, isSoak } from '../_kit/soak.ts'
import { encodeRequest, makeTraceSpans } from '../_kit/spans.ts'
import { measure } from '../_kit/standstill.ts'
import { cpuSeconds, forgetPeak, readMemory } from '../bench/_cpu.ts'
import { type Flooded, flood, type Parcel } from '../bench/_flood.ts'
import { postSpans } from '../bench/_post.ts'
import { count, listDifferences } from '../ingest/_http.ts'
import { openTenants } from './_tenants.ts'

const spansInBatch = 200
// At least `leastRequests` for all flooded tenants together, since an accepted batch is not sent again.
const batches = inSoak(32, 40)
const tenants = 10
const overload = 10
const floodMs = inSoak(1_000, 1_500)
const connections = 64
/** Several for each connection, also where this machine stands still during the flood. */
const leastRequests = 4 * connections

const bodies = Array.from({ length: batches }, () =>
  gzipSync(
    encodeRequest(makeTraceSpans(spansInBatch, (at) => ({ attributes: { 'gen_ai.agent.name': `agent-${at % 5}` } }))),
  ),
)

type Strained = {
  readonly flooded: Flooded
  /** Spans a second with 4 requests in flight. */
  readonly best: number
  /** Spans that were accepted in a second of the service's CPU time: with 4 requests in flight, and during the flood. */
  readonly perCpuS: { readonly best: number; readonly flooded: number }
  readonly grownMiB: number
  /** Differences between the tables and the acknowledged spans. */
  readonly faults: readonly string[]
}

/** `known`: the best rate, if it has been measured. */
async function strain(settings: Record<string, number>, known?: number): Promise<Strained> {
  const database = await makeDatabase()
  const service = await startProcess({
    DATABASE_URL: database.url,
    SECRET: randomBytes(32).toString('base64url'),
    AUTH_RATE_LIMITS: 'off',
    INGEST_REQUESTS_PER_S: 100_000,
    DECODE_THREADS: 1,
    LOG_LEVEL: 'silent',
    ...settings,
  })
  try {
    const { baseUrl, pid } = service
    // All belong to one user, since hashing a password for each would cost more than what is measured.
    const opened = await openTenants(baseUrl, tenants)
    const workspaces = new Map(opened.tenants.map(({ key, workspaceId }) => [key, workspaceId]))
    const [warm = '', first = '', ...others] = workspaces.keys()
    if (known === undefined) await measureBest(baseUrl, warm)
    const readCpuS = (): number => cpuSeconds(pid) ?? Number.NaN
    const bestFromS = readCpuS()
    const best = known ?? (await measureBest(baseUrl, first))
    const bestCpuS = readCpuS() - bestFromS
    const before = readMemory(pid)?.nowMiB ?? 0
    forgetPeak(pid)
    const floodFromS = readCpuS()
    const flooded = await flood({
      baseUrl,
      parcels: bodies.flatMap((body) => others.map((key): Parcel => ({ key, body, spans: spansInBatch }))),
      requestsPerS: (overload * best) / spansInBatch,
      connections,
      durationMs: floodMs,
      leastRequests,
    })
    const perCpuS = {
      best: (batches * spansInBatch) / bestCpuS,
      flooded: flooded.acceptedSpans / (readCpuS() - floodFromS),
    }
    const grownMiB = (readMemory(pid)?.peakMiB ?? 0) - before
    const faults = await Promise.all(
      others.map((key) => findFaults(database, workspaces.get(key) ?? '', flooded.acknowledged[key] ?? 0)),
    )
    return { flooded, best, perCpuS, grownMiB, faults: faults.flat() }
  } finally {
    await service.end('SIGTERM')
    await database.stop()
  }
}

async function measureBest(baseUrl: string, key: string): Promise<number> {
  const agent = new Agent({ keepAlive: true })
  const left = bodies.values()
  const { tookMs } = await measure(
    async () =>
      await Promise.all(
        [1, 2, 3, 4].map(async () => {
          for (const body of left) await postSpans(agent, baseUrl, key, body)
        }),
      ),
  )
  agent.destroy()
  return (bodies.length * spansInBatch) / (tookMs / 1_000)
}

async function findFaults({ query }: TestDatabase, workspaceId: string, acknowledged: number): Promise<string[]> {
  const counts = await count(query, workspaceId)
  const differs = counts.events === acknowledged ? [] : [`${counts.events} stored of ${acknowledged} acknowledged`]
  return [...listDifferences(counts), ...differs]
}

// One after another, since they share the machine that they overload.
const bounded = strain({ DECODE_QUEUE: 8, INGEST_MAX_BODY_BYTES: 2 ** 20, INGEST_QUEUE_BYTES: 2 ** 20 })

test.serial(
  'at ten times the load some requests are refused with Retry-After, the others are stored once, and memory stays bounded',
  async (t) => {
    const { flooded, perCpuS, grownMiB, faults } = await bounded
    t.log(flooded.answers, perCpuS, `${grownMiB} MiB more`)
    t.deepEqual(faults, [])
    t.true((flooded.answers['503'] ?? 0) > 0, 'it was no overload')
    t.deepEqual(
      Object.keys(flooded.answers).filter((status) => status !== '200' && status !== '503'),
      [],
    )
    t.is(flooded.withoutRetryAfter, 0)
    t.is(flooded.partial, 0)
    // In CPU time, since the client floods on the same machine. test/bench/overload.ts measures how much of the best rate remains.
    t.false(perCpuS.flooded < perCpuS.best * 0.15)
    t.true(grownMiB < 250)
  },
)

async function withoutLimits(t: ExecutionContext): Promise<void> {
  const { flooded, best } = await bounded
  const control = await strain({ DECODE_QUEUE: 100_000, INGEST_MAX_WAIT_MS: 600_000 }, best)
  t.log(control.flooded.answers)
  t.deepEqual(control.faults, [])
  // Some wait longer than the limit if the machine is busy with other tests.
  t.true(shareRefused(control.flooded) < shareRefused(flooded) / 2)
}

// It takes as much CPU time as the test itself.
if (isSoak) test.serial('the control: without the limits the same load is hardly refused', withoutLimits)

const shareRefused = ({ answers, sent }: Flooded): number => (answers['503'] ?? 0) / sent
