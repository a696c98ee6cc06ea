// The first start of the embedded PostgreSQL, which creates its cluster, is interrupted; a later one meets what an earlier one left behind.
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import {
  existsSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import test, { type ExecutionContext } from 'ava'
import pg from 'pg'
import { sendSignal } from '../../../src/base/send-signal.ts'
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../../../src/store/embedded/server.ts'
import { disarmStaleLock } from '../../../src/store/embedded/stale-lock.ts'
import { askInTime } from '../../_kit/ask-in-time.ts'
import { makeDataDir, memoryInFolder } from '../../_kit/data-dir.ts'
import { findProcesses, readCommand } from '../../_kit/find-processes.ts'
import { type PreparedClusters, prepareClusters } from '../../_kit/prepared-clusters.ts'
import { until, untilFound } from '../../_kit/until.ts'

const settings = ['fsync=off', memoryInFolder]
const program = `
  import { startEmbeddedPostgres } from ${JSON.stringify(new URL('../../../src/store/embedded/server.ts', import.meta.url).href)}
  await startEmbeddedPostgres({ dataDir: process.argv[1], settings: ${JSON.stringify(settings)}, onLine: () => undefined })`

/** Returns the process that creates the cluster and leads its own process group; null if there is none. */
const findInitdb = (dataDir: string): number | null =>
  findProcesses(dataDir).find((pid) => /^[^\0]*initdb\0/.test(readCommand(pid))) ?? null

/** True while the first file of a cluster exists and the last one does not yet. */
const isBegun = (dataDir: string): boolean =>
  readdirSync(dataDir).some((name) => existsSync(join(dataDir, name, 'PG_VERSION')))

/**
 * Kills a first start in the middle, with initdb or without it, and returns its data directory. Returns null if initdb has ended before: the
 * server that was started then is killed too.
 */
async function interruptFirstStart(t: ExecutionContext, isInitdbKilled: boolean): Promise<string | null> {
  const dataDir = makeDataDir(t)
  const first = spawn(process.execPath, ['--input-type=module', '-e', program, dataDir], { stdio: 'inherit' })
  const firstEnd = once(first, 'exit')
  await until(() => isBegun(dataDir) || first.exitCode !== null)
  const initdb = findInitdb(dataDir)
  first.kill('SIGKILL')
  const isKilled = initdb !== null && isInitdbKilled && sendSignal(-initdb, 'SIGKILL')
  await firstEnd
  if (isKilled) await until(() => findInitdb(dataDir) === null)
  if (isInitdbKilled ? isKilled : findInitdb(dataDir) !== null) return dataDir
  await until(() => {
    for (const pid of findProcesses(dataDir)) sendSignal(pid, 'SIGKILL')
    return findProcesses(dataDir).length === 0
  })
  return null
}

for (const [what, isInitdbKilled] of [
  ['with the program that makes the cluster', true],
  ['alone, while the program that makes the cluster goes on,', false],
] as const)
  test(`a first start that was killed ${what} is repeated by the next start`, async (t) => {
    const dataDir = await untilFound(async () => await interruptFirstStart(t, isInitdbKilled))
    const server = await startEmbeddedPostgres({ dataDir, settings, onLine: () => undefined })
    t.teardown(() => server.stop())
    t.is(await askInTime(server.url('postgres')), 'accepts')
    if (!isInitdbKilled) return
    const left = readdirSync(dataDir).filter((name) => name.startsWith('postgres'))
    t.deepEqual(left, ['postgres', 'postgres-password'], 'and nothing is left of the first')
  })

/**
 * Starts a server on a folder without a cluster, and moves a cluster there once initdb runs. Returns null if initdb was missed: the server
 * then runs on the cluster that initdb has made, and is stopped.
 */
async function startBesideAnother(dataDir: string): Promise<EmbeddedPostgres | null> {
  const [cluster, aside] = [join(dataDir, 'postgres'), join(dataDir, 'aside')]
  writeFileSync(join(cluster, 'mark'), '')
  renameSync(cluster, aside)
  let hasStarted = false
  const starting = startEmbeddedPostgres({ dataDir, settings, onLine: () => undefined }).finally(() => {
    hasStarted = true
  })
  await until(() => findInitdb(dataDir) !== null || hasStarted)
  // The new cluster may stand there by then.
  const isMoved = !existsSync(cluster)
  if (isMoved) renameSync(aside, cluster)
  const server = await starting
  if (isMoved) return server
  await server.stop()
  return null
}

let clusters: PreparedClusters
test.before(async () => {
  clusters = await prepareClusters()
})

test('a first start removes no cluster that another process has made meanwhile', async (t) => {
  const { dataDir, server } = await untilFound(async () => {
    const folder = clusters.makeDir(t)
    const started = await startBesideAnother(folder)
    return started && { dataDir: folder, server: started }
  })
  t.teardown(server.stop)
  t.true(existsSync(join(dataDir, 'postgres', 'mark')))
  t.is(await askInTime(server.url('postgres')), 'accepts')
  t.deepEqual(
    readdirSync(dataDir).filter((name) => name.startsWith('postgres.new-')),
    [],
  )
})

test('an empty lock file is removed once no server can be writing it any more', (t) => {
  const cluster = makeDataDir(t)
  const file = join(cluster, 'postmaster.pid')
  writeFileSync(file, '')
  disarmStaleLock(cluster)
  t.true(existsSync(file))
  utimesSync(file, 1, 1)
  disarmStaleLock(cluster)
  t.false(existsSync(file))
})

test('neither the lock of a process that has ended nor the target of a link is written', (t) => {
  const cluster = makeDataDir(t)
  const file = join(cluster, 'postmaster.pid')
  const ended = spawnSync('true').pid
  writeFileSync(file, `${ended}\n${cluster}\n`)
  disarmStaleLock(cluster)
  t.is(readFileSync(file, 'utf8'), `${ended}\n${cluster}\n`)
  const target = join(cluster, 'target')
  writeFileSync(target, `${process.ppid}\n`)
  rmSync(file)
  symlinkSync(target, file)
  disarmStaleLock(cluster)
  t.is(readFileSync(target, 'utf8'), `${process.ppid}\n`)
  rmSync(file)
  writeFileSync(file, `${process.ppid}\n`)
  disarmStaleLock(cluster)
  t.is(readFileSync(file, 'utf8'), `${process.pid}\n`, 'the control: a file of another program is')
})

test('data of another major version of PostgreSQL are refused with both versions and the way out', async (t) => {
  const dataDir = clusters.makeDir(t)
  writeFileSync(join(dataDir, 'postgres', 'PG_VERSION'), '9\n')
  await t.throwsAsync(startEmbeddedPostgres({ dataDir, onLine: () => undefined }), {
    message:
      /^PostgreSQL ended at start: the data in .*postgres is of PostgreSQL 9, and this release runs PostgreSQL \d\d: start the release that/,
  })
})

test('a server starts beside a stale lock, and is found by another name of its folder, whatever the environment says of TLS', async (t) => {
  const dataDir = clusters.makeDir(t)
  const cluster = join(dataDir, 'postgres')
  // PostgreSQL respects only processes of its own user.
  const { uid, gid } = statSync(cluster)
  const other = spawn('sleep', ['600'], { stdio: 'ignore', uid, gid })
  t.teardown(() => other.kill('SIGKILL'))
  await once(other, 'spawn')
  writeFileSync(join(cluster, 'postmaster.pid'), `${other.pid}\n${cluster}\n1\n5432\n\n127.0.0.1\n`)
  const server = await startEmbeddedPostgres({ dataDir, settings, onLine: () => undefined })
  t.teardown(() => server.stop())
  const lock = readFileSync(join(cluster, 'postmaster.pid'), 'utf8')
  disarmStaleLock(cluster)
  t.is(readFileSync(join(cluster, 'postmaster.pid'), 'utf8'), lock)
  const link = join(makeDataDir(t), 'link')
  symlinkSync(dataDir, link)
  const found = await startEmbeddedPostgres({ dataDir: link, settings, onLine: () => undefined })
  t.true(found.adopted)
  t.is(found.pid, server.pid)
  t.true(found.isRunning())

  // Nothing else runs between the two lines.
  Object.assign(process.env, { PGSSLMODE: 'require', PGSSLNEGOTIATION: 'direct' })
  const client = new pg.Client({ connectionString: found.url('postgres') })
  for (const name of ['PGSSLMODE', 'PGSSLNEGOTIATION']) delete process.env[name]
  await client.connect()
  await client.end()
})
