// The embedded PostgreSQL under its keeper: when killed, it is restarted at the same address, and given up if that repeatedly fails.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, existsSync, writeFileSync } from 'node:fs'
import { createConnection, createServer, type Socket } from 'node:net'
import { join } from 'node:path'
import test, { type ExecutionContext } from 'ava'
import pg from 'pg'
import { endOrphans, hasStartupProcess } from '../../../src/store/embedded/postmaster.ts'
import { startEmbeddedPostgres } from '../../../src/store/embedded/server.ts'
import {
  type SupervisedPostgres,
  type SupervisionLimits,
  superviseEmbeddedPostgres,
  supervisionLimits,
} from '../../../src/store/embedded/supervise.ts'
import { type ServerState, watchLimits } from '../../../src/store/watch-server.ts'
import { askInTime } from '../../_kit/ask-in-time.ts'
import { breakRecovery } from '../../_kit/break-recovery.ts'
import { makeDataDir } from '../../_kit/data-dir.ts'
import { nameDatabase } from '../../_kit/db.ts'
import { findProcesses } from '../../_kit/find-processes.ts'
import { type PreparedClusters, prepareClusters } from '../../_kit/prepared-clusters.ts'
import { inSoak, isSoak } from '../../_kit/soak.ts'
import { until } from '../../_kit/until.ts'

let clusters: PreparedClusters
test.before(async () => {
  clusters = await prepareClusters()
})

type Told = {
  readonly ended: number[]
  readonly restarted: number[]
  /** The reasons why a running server was ended. */
  readonly reasons: string[]
  readonly failed: string[]
}

type Scene = { readonly onEnded?: () => void; readonly limits?: Partial<SupervisionLimits> }

async function keep(t: ExecutionContext, dataDir: string, { onEnded = () => undefined, limits = {} }: Scene = {}) {
  const told: Told = { ended: [], restarted: [], reasons: [], failed: [] }
  const server: SupervisedPostgres = await superviseEmbeddedPostgres({
    dataDir,
    limits: { ...supervisionLimits, ...limits },
    onLine: () => undefined,
    onUnresponsive: (_pid, reason) => void told.reasons.push(reason),
    onFailed: ({ message }) => void told.failed.push(message),
    onEnded(pid) {
      told.ended.push(pid)
      onEnded()
    },
    onRestarted: (_pid, awayMs) => void told.restarted.push(awayMs),
  })
  t.teardown(() => server.stop())
  return { server, told }
}

const connect = async (server: Pick<SupervisedPostgres, 'url'>): Promise<pg.Client> => {
  const client = new pg.Client({ connectionString: server.url('postgres') })
  client.on('error', () => undefined)
  await client.connect()
  return client
}

async function ask(server: Pick<SupervisedPostgres, 'url'>, text: string): Promise<object[]> {
  const client = await connect(server)
  try {
    return (await client.query<object>(text)).rows
  } finally {
    await client.end()
  }
}

const isAlive = (pid: number): boolean => existsSync(`/proc/${pid}`)

/** Throws if a server still runs on the folder. A process that a killed one has just forked has its command line for a moment. */
const hasNoServer = async (dataDir: string): Promise<void> =>
  await until(() => findProcesses(dataDir).length === 0, 10_000)

test('a killed server is started again at the same address with its data, even while one of its long queries still runs', async (t) => {
  let isBusyAlive = false
  let busyPid = 0
  const { server, told } = await keep(t, clusters.makeDir(t), {
    onEnded() {
      isBusyAlive = isAlive(busyPid)
    },
  })
  await ask(server, 'create table kept as select 7 as seven')
  const url = server.url('postgres')
  const busy = await connect(server)
  busyPid = (await busy.query<{ pid: number }>('select pg_backend_pid() as pid')).rows[0]?.pid ?? 0
  // The backend never waits, so it never notices that its postmaster has ended.
  busy.query(`do 'begin loop null; end loop; end'`).catch(() => undefined)
  const isWorking = `select from pg_stat_activity where pid = ${busyPid} and state = 'active' and query like 'do %'`
  await until(async () => (await ask(server, isWorking)).length === 1)

  process.kill(server.pid(), 'SIGKILL')
  await until(() => told.restarted.length === 1)
  t.true(isBusyAlive, 'the control: the query has outlived the postmaster')
  // Its new parent reaps it later.
  await until(() => !isAlive(busyPid))
  t.is(server.url('postgres'), url)
  t.deepEqual(await ask(server, 'select seven from kept'), [{ seven: 7 }])
  t.is(server.readFailure(), null)
  t.log(`away for ${told.restarted.join(', ')} ms`)
})

test('a start on a copy of the folder leaves the server that runs on the original alone', async (t) => {
  const dataDir = clusters.makeDir(t)
  const { server, told } = await keep(t, dataDir)
  const session = await connect(server)
  const copy = makeDataDir(t)
  // Everything in a copy that names the server: the folder itself may be anywhere.
  cpSync(join(dataDir, 'postgres', 'postmaster.opts'), join(copy, 'postmaster.opts'))
  await endOrphans(copy)
  t.deepEqual((await session.query('select 1 as one')).rows, [{ one: 1 }])
  await session.end()
  t.deepEqual(told.ended, [])
})

test('the end of an adopted server is also detected', async (t) => {
  const dataDir = clusters.makeDir(t)
  const before = await startEmbeddedPostgres({ dataDir, onLine: () => undefined })
  const { server, told } = await keep(t, dataDir)
  t.true(server.adopted)
  t.is(server.pid(), before.pid)
  process.kill(before.pid, 'SIGKILL')
  await until(() => told.restarted.length === 1)
  t.false(before.isRunning())
  t.deepEqual(await ask(server, 'select 1 as one'), [{ one: 1 }])
  t.log(`away for ${told.restarted.join(', ')} ms`)
})

test('a stop in the middle of a restart ends it, and leaves no server behind', async (t) => {
  const dataDir = clusters.makeDir(t)
  let hasStopped = false
  const { server, told } = await keep(t, dataDir, {
    onEnded() {
      void server.stop().then(() => {
        hasStopped = true
      })
    },
  })
  process.kill(server.pid(), 'SIGKILL')
  await until(() => hasStopped)
  t.is(told.ended.length, 1)
  t.deepEqual(told.restarted, [])
  t.is(server.readFailure(), null)
  await hasNoServer(dataDir)
})

test('a server that ends repeatedly is not started again', async (t) => {
  t.like(supervisionLimits, { endsWindowMs: 60_000, maxEnds: 5 })
  const dataDir = clusters.makeDir(t)
  const maxEnds = inSoak(1, supervisionLimits.maxEnds)
  // On a slow machine, six restarts may not fit into a minute.
  const { server, told } = await keep(t, dataDir, { limits: { endsWindowMs: 3_600_000, maxEnds } })
  for (let times = 1; server.readFailure() === null; times += 1) {
    process.kill(server.pid(), 'SIGKILL')
    await until(() => told.restarted.length === times || server.readFailure() !== null)
  }
  t.is(server.readFailure()?.message, `PostgreSQL has ended ${maxEnds + 1} times within 3600 s`)
  t.deepEqual(told.failed, [`PostgreSQL has ended ${maxEnds + 1} times within 3600 s`])
  t.is(told.restarted.length, maxEnds)
  await hasNoServer(dataDir)
})

if (isSoak)
  test('a server that ends rarely is started again each time', async (t) => {
    const { server, told } = await keep(t, clusters.makeDir(t), { limits: { endsWindowMs: 1 } })
    for (let times = 1; times <= 6; times += 1) {
      process.kill(server.pid(), 'SIGKILL')
      await until(() => told.restarted.length === times || server.readFailure() !== null)
    }
    t.is(server.readFailure(), null)
    t.is(told.restarted.length, 6)
  })

test('if another process has started a server on the same data, no second one is started', async (t) => {
  const dataDir = clusters.makeDir(t)
  const folder = join(dataDir, 'postgres')
  // A stand-in: its command line names the folder.
  const other = spawn('sh', ['-c', 'read line', folder], { stdio: ['pipe', 'ignore', 'ignore'] })
  t.teardown(() => other.kill('SIGKILL'))
  await once(other, 'spawn')
  const { server, told } = await keep(t, dataDir, {
    onEnded: () => writeFileSync(join(folder, 'postmaster.pid'), `${other.pid}\n${folder}\n1\n1\n`),
  })
  process.kill(server.pid(), 'SIGKILL')
  await until(() => server.readFailure() !== null)
  const cause = server.readFailure()?.cause
  t.regex(cause instanceof Error ? cause.message : '', /has started PostgreSQL on .* meanwhile/)
  t.deepEqual(told.restarted, [])
  await server.stop()
  t.is(other.exitCode, null, 'and that process is left alone')
})

// Disables the watch.
const never: Partial<SupervisionLimits> = {
  shuttingDownMs: Number.POSITIVE_INFINITY,
  notRecoveringMs: Number.POSITIVE_INFINITY,
  noAnswerMs: Number.POSITIVE_INFINITY,
}

test('a server that was told to shut down and waits for its clients is restarted', async (t) => {
  const { server, told } = await keep(t, clusters.makeDir(t), { limits: { shuttingDownMs: 1_000 } })
  await ask(server, 'create table kept as select 7 as seven')
  await connect(server)
  await until(() => server.isAccepting())
  process.kill(server.pid(), 'SIGTERM')
  await until(() => !server.isAccepting())
  await until(() => told.restarted.length === 1)
  t.regex(told.reasons.join(), /^it has been shutting down for \d+ s and does not end$/)
  await until(() => server.isAccepting())
  t.deepEqual(await ask(server, 'select seven from kept'), [{ seven: 7 }])
})

/** Checks that the server stays in this state for longer than the watch would allow. */
async function stays(
  t: ExecutionContext,
  { url }: SupervisedPostgres,
  state: ServerState,
  limitMs: number,
): Promise<void> {
  const sinceMs = performance.now()
  await until(async () => {
    t.is(await askInTime(url('postgres')), state)
    return performance.now() - sinceMs > 1.2 * limitMs
  })
}

// The control of a recovery, below, also shows what the watch changes.
if (isSoak)
  test('the control: without the watch it waits for as long as a client is connected', async (t) => {
    const { server, told } = await keep(t, clusters.makeDir(t), { limits: never })
    const session = await connect(server)
    process.kill(server.pid(), 'SIGTERM')
    await until(() => !server.isAccepting())
    await stays(t, server, 'shutting down', watchLimits.shuttingDownMs)
    t.deepEqual(told.ended, [])
    await session.end()
    await until(() => told.restarted.length === 1)
    t.deepEqual(told.reasons, [])
  })

test('a server that has lost its startup process in a recovery is restarted', async (t) => {
  const { server, told } = await keep(t, clusters.makeDir(t))
  await ask(server, 'create table kept as select 7 as seven')
  // On a slow machine, the watch restarts the server before the recovery is seen to have stopped.
  await breakRecovery(server, () => told.reasons.length > 0)
  await until(() => told.reasons.length > 0 && server.isAccepting())
  t.regex(told.reasons[0] ?? '', /^it reports that it is starting, but has had no startup process for \d+ s$/)
  t.deepEqual(await ask(server, 'select seven from kept'), [{ seven: 7 }])
})

test('the control: without the watch it refuses connections for good, and a stop ends it by force', async (t) => {
  const { server, told } = await keep(t, clusters.makeDir(t), { limits: never })
  await breakRecovery(server)
  await stays(t, server, 'starting', watchLimits.notRecoveringMs)
  t.false(hasStartupProcess(server.pid()))
  t.deepEqual(told.reasons, [])
  await server.stop(1_000)
  t.false(isAlive(server.pid()))
})

test('a server that is frozen is restarted, after an orderly end', async (t) => {
  const { server, told } = await keep(t, clusters.makeDir(t), { limits: { noAnswerMs: 5_000 } })
  await ask(server, 'create table kept as select 7 as seven')
  process.kill(server.pid(), 'SIGSTOP')
  await until(() => told.restarted.length === 1)
  t.regex(told.reasons.join(), /^it has not answered for \d+ s$/)
  t.deepEqual(await ask(server, 'select seven from kept'), [{ seven: 7 }])
})

test('a server that is found running and accepts no connections is replaced by the keeper alone', async (t) => {
  const dataDir = clusters.makeDir(t)
  const before = await startEmbeddedPostgres({ dataDir, onLine: () => undefined })
  await connect(before)
  process.kill(before.pid, 'SIGTERM')
  await t.throwsAsync(startEmbeddedPostgres({ dataDir, onLine: () => undefined }), {
    message: /accepts no connections: it has been shutting down/,
  })
  t.true(before.isRunning())
  const { server } = await keep(t, dataDir)
  t.false(server.adopted)
  t.false(before.isRunning())
  t.deepEqual(await ask(server, 'select 1 as one'), [{ one: 1 }])
})

for (const [program, answer] of [
  ['another program', () => undefined],
  ['another PostgreSQL', forwardToAnother],
] as const) {
  test(`if ${program} uses the port, the error names the port and says what to do`, async (t) => {
    const taker = createServer(answer)
    const takePort = (): void => void taker.listen(Number(new URL(server.url('postgres')).port), '127.0.0.1')
    // A process that the killed server has just forked holds the port for a moment.
    taker.on('error', () => setTimeout(takePort, 1))
    const { server, told } = await keep(t, clusters.makeDir(t), { limits: { restartMs: 500 }, onEnded: takePort })
    const { port } = new URL(server.url('postgres'))
    process.kill(server.pid(), 'SIGKILL')
    await until(() => server.readFailure() !== null)
    taker.close()
    const message = `could not be started again: PostgreSQL ended at start: could not bind IPv4 address "127.0.0.1": Address already in use (port ${port}): stop the program that uses this port, or restart Tracewright, which takes a free port`
    t.is(told.failed.length, 1)
    t.true(told.failed[0]?.endsWith(message), told.failed[0])
    t.deepEqual(told.restarted, [])
    t.false(server.isAccepting())
  })
}

/** The server of this run, to which the password of the killed one is wrong. */
function forwardToAnother(socket: Socket): void {
  const { hostname, port } = new URL(nameDatabase().url)
  const onward = createConnection(Number(port), hostname)
  for (const one of [socket, onward]) one.on('error', () => undefined)
  socket.pipe(onward).pipe(socket)
}
