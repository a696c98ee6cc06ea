// The embedded PostgreSQL fails under load: it is killed, it restarts itself after one of its processes was killed, or it ends all sessions.
// The service restarts it where it has to, and loses nothing. Requests that arrive meanwhile are answered 503; a short outage may pass between
// two of them, so `roles/all.test.ts` shows that the service is not ready without its database. Only the soak kills a server that the service
// has found running (`roles/embedded.test.ts` and `store/embedded/supervise.test.ts` show that such a server is taken over and watched), and
// has the faults that take long.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import test, { type ExecutionContext } from 'ava'
import pg from 'pg'
import { breakRecovery } from '../_kit/break-recovery.ts'
import { makeDataDir } from '../_kit/data-dir.ts'
import { copyMigratedCluster } from '../_kit/prepared-clusters.ts'
import { type ServiceProcess, startProcess } from '../_kit/service-process.ts'
import { signUp } from '../_kit/sign-up.ts'
import { inSoak, isSoak } from '../_kit/soak.ts'
import { encodeRequest, makeTraceSpans } from '../_kit/spans.ts'
import { measure } from '../_kit/standstill.ts'
import { until } from '../_kit/until.ts'
import { count, listDifferences } from '../ingest/_http.ts'
import { type Exporter, openExporter } from './_exporter.ts'

const deadlineMs = 60_000
const inFlight = 6
const longestGapMs = 10_000

// The tests share the folder, one after another.
const dataDir = makeDataDir({ teardown: (end) => test.after.always(end) })
test.before(async () => await copyMigratedCluster(dataDir))

/**
 * Starts the service with the settings of every start, also those of PostgreSQL. It ends with the test if it still runs, together with its
 * server.
 */
async function start(t: ExecutionContext): Promise<ServiceProcess> {
  const service = await startProcess(
    { DATA_DIR: dataDir, SETTLE_QUIET_MS: inSoak(200, 20), DECODE_THREADS: 1, LOG_LEVEL: 'warn' },
    4 * deadlineMs,
  )
  t.teardown(async () => void (await service.end('SIGTERM')))
  return service
}

const readLine = (at: number): number =>
  Number(readFileSync(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8').split('\n')[at])

/** Returns the id of the killed postmaster. */
function killPostmaster(): number {
  const pid = readLine(0)
  process.kill(pid, 'SIGKILL')
  return pid
}

async function ask<Row extends object>(text: string, values: unknown[] = []): Promise<Row[]> {
  const client = new pg.Client({ connectionString: makeUrl('postgres') })
  await client.connect()
  try {
    return (await client.query<Row>(text, values)).rows
  } finally {
    await client.end()
  }
}

const makeUrl = (database: string): string =>
  `postgres://tracewright:${readFileSync(join(dataDir, 'postgres-password'), 'utf8').trim()}@127.0.0.1:${readLine(3)}/${database}`

/** Sends a span and checks readiness: returns true if both succeed. Records how the span was refused. */
async function isBack(baseUrl: string, key: string, refused: Set<string>): Promise<boolean> {
  const [ready, reply] = await Promise.all([
    fetch(`${baseUrl}/v1/health/ready`),
    fetch(`${baseUrl}/v1/otlp/v1/traces`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/x-protobuf' },
      body: encodeRequest(makeTraceSpans(1)),
    }),
  ])
  await Promise.all([ready.arrayBuffer(), reply.arrayBuffer()])
  if (reply.status !== 200) refused.add(`${reply.status}, again after ${reply.headers.get('retry-after')} s`)
  return reply.status === 200 && ready.status === 200
}

/** Resolves when the service accepts spans. */
async function beginLoad(exporter: Exporter, baseUrl: string): Promise<void> {
  const before = exporter.acknowledged.size
  exporter.send(baseUrl, inFlight)
  await until(() => exporter.acknowledged.size > before, deadlineMs)
}

/** Returns the acknowledged spans that are not stored; checks that no span is stored twice. */
async function findLost(t: ExecutionContext, { acknowledged }: Exporter): Promise<string[]> {
  const rows = await ask<{ id: string }>(`select encode(span_id, 'hex') as id from events`)
  const stored = new Set(rows.map(({ id }) => id))
  t.is(rows.length, stored.size)
  return [...acknowledged].filter((id) => !stored.has(id))
}

const ofService = `datname = current_database() and application_name like 'tracewright-%'`

/** Breaks all connections of the service. */
async function endSessions(): Promise<void> {
  const ended = await ask(`select pg_terminate_backend(pid) from pg_stat_activity where ${ofService}`)
  if (ended.length === 0) throw new Error('the service has no sessions')
}

/** When a backend dies, the server ends all sessions and recovers, as after a power cut. */
async function killBackend(): Promise<void> {
  const ingest = `${ofService} and application_name = 'tracewright-ingest'`
  const [backend] = await ask<{ pid: number }>(`select pid from pg_stat_activity where ${ingest} limit 1`)
  if (backend === undefined) throw new Error('the service has no session for ingest')
  process.kill(backend.pid, 'SIGKILL')
}

const readClock = async (): Promise<string> =>
  (await ask<{ now: string }>('select clock_timestamp()::text as now'))[0]?.now ?? ''

/** Returns whether the service has new sessions, and none from before the time. False while the server refuses connections. */
async function hasOnlyNewSessions(since: string): Promise<boolean> {
  const query = `select count(*)::int as all, count(*) filter (where backend_start <= $1::timestamptz)::int as old
    from pg_stat_activity where ${ofService}`
  const [sessions] = await ask<{ all: number; old: number }>(query, [since]).catch(() => [])
  return sessions !== undefined && sessions.all > 0 && sessions.old === 0
}

type Round = {
  readonly what: string
  readonly before?: () => Promise<void>
  readonly act: () => unknown
  /** The same server goes on, without the sessions that it had. */
  readonly isSame?: boolean
  /** Only in the soak. */
  readonly isRare?: boolean
  /** It takes long, so the time without a stored span is not limited. */
  readonly isSlow?: boolean
}

// Serial: the service of each test finds what the previous one left in the folder.
test.serial(
  'a PostgreSQL that is killed, ends its sessions, recovers from a crash or accepts no connections any more: ingest goes on, and what was acknowledged is stored once',
  async (t) => {
    t.timeout(8 * deadlineMs)
    let service = await start(t)
    const { key, workspaceId } = await signUp(service.baseUrl)
    const exporter = openExporter(key)
    const restart = async (): Promise<void> => {
      await service.end('SIGKILL')
      service = await start(t)
    }
    let url = makeUrl('postgres')
    const renew = async (): Promise<void> => {
      t.is(await service.end('SIGTERM'), 0, 'a stop beside a server that runs ends in order')
      service = await start(t)
      // The new server has another port.
      url = makeUrl('postgres')
    }
    // Without its file no server runs for a moment, since a new one uses the same address.
    const readPid = (): number | null => {
      try {
        return readLine(0)
      } catch {
        return null
      }
    }
    const server = { pid: readPid, url: () => url }
    const rounds: readonly Round[] = [
      { what: 'killed', act: killPostmaster },
      { what: 'has ended all sessions', act: endSessions, isSame: true },
      { what: 'recovers, since a backend was killed', act: killBackend, isSame: true },
      // After it the server is not a child of the service, which finds it running.
      { what: 'killed after a start of the service', before: restart, act: killPostmaster, isRare: true },
      {
        what: 'waits for its clients to disconnect',
        before: renew,
        act: () => process.kill(readLine(0), 'SIGTERM'),
        isRare: true,
        isSlow: true,
      },
      {
        what: 'has lost its startup process',
        act: async () => {
          const first = server.pid()
          await breakRecovery(server, () => ![null, first].includes(server.pid()))
        },
        isRare: true,
        isSlow: true,
      },
    ]
    const refused = new Set<string>()
    for (const round of rounds.filter(({ isRare }) => isSoak || isRare !== true)) {
      const { what, before, act, isSame = false, isSlow = false } = round
      await before?.()
      await beginLoad(exporter, service.baseUrl)
      const first = server.pid()
      const since = await readClock()
      // A whole outage may pass between two requests, so the new server or the new sessions are what shows that it is over.
      const isNew = async (): Promise<boolean> =>
        isSame ? await hasOnlyNewSessions(since) : ![null, first].includes(server.pid())
      const { tookMs } = await measure(async () => {
        await act()
        await until(async () => (await isBack(service.baseUrl, key, refused)) && (await isNew()), deadlineMs)
      })
      if (isSame) t.is(server.pid(), first, what)
      t.log(`${what}: no span was stored for ${Math.round(tookMs)} ms`)
      if (!isSlow) t.true(tookMs < longestGapMs)
      await exporter.pause()
    }
    await exporter.drain(service.baseUrl)
    t.log(`refused: ${[...refused].join('; ')}`)
    for (const one of refused) t.regex(one, /^503, again after [1-9]\d* s$/)
    t.deepEqual(exporter.oddities, [])
    t.true(exporter.retries() > 0)

    const query = async <Row extends object>(text: string, values?: unknown[]): Promise<Row[]> =>
      await ask<Row>(text, values)
    t.deepEqual(listDifferences(await count(query, workspaceId)), [])
    t.deepEqual(await findLost(t, exporter), [])
    t.log(`${exporter.acknowledged.size} spans acknowledged, ${exporter.retries()} batches retried`)
    const [gone = ''] = exporter.acknowledged
    await query(`delete from events where span_id = decode($1, 'hex')`, [gone])
    t.deepEqual(await findLost(t, exporter), [gone], 'the control: one that is lost is found')

    killPostmaster()
    t.is(await service.end('SIGTERM'), 0, 'a stop while it is away ends in order')
  },
)

async function endRepeatedly(t: ExecutionContext): Promise<void> {
  t.timeout(3 * deadlineMs)
  const service = await start(t)
  t.is((await ask('select from events limit 1')).length, 1, 'what was stored by the test before is there')
  let killed = 0
  const isStartedAgain = async (): Promise<boolean> => {
    try {
      return (await fetch(`${service.baseUrl}/v1/health/ready`)).ok && readLine(0) !== killed
    } catch {
      // The service has ended, or the file is missing for a moment while one server replaces another.
      return false
    }
  }
  const state = { hasEnded: false, kills: 0 }
  void service.ended.then(() => {
    state.hasEnded = true
  })
  for (; !state.hasEnded; state.kills += 1) {
    await until(async () => state.hasEnded || (await isStartedAgain()), deadlineMs)
    if (!state.hasEnded) killed = killPostmaster()
  }
  t.is(await service.ended, 1)
  t.true(state.kills > 5, `it was given up after ${state.kills} kills`)
  await t.throwsAsync(ask('select 1'), undefined, 'and no server is left behind')
}

// Six restarts under a whole service. `store/embedded/supervise.test.ts` counts them without it.
if (isSoak) test.serial('if PostgreSQL ends repeatedly, the service stops restarting it and ends', endRepeatedly)
