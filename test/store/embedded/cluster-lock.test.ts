// Two containers on one volume: a second PostgreSQL on the same data would destroy them.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import test, { type ExecutionContext } from 'ava'
import pg from 'pg'
import { explainNoLock, type LockState, readLock, withLock } from '../../../src/store/embedded/cluster-lock.ts'
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../../../src/store/embedded/server.ts'
import { superviseEmbeddedPostgres } from '../../../src/store/embedded/supervise.ts'
import { askInTime } from '../../_kit/ask-in-time.ts'
import { makeDataDir } from '../../_kit/data-dir.ts'
import { findProcesses } from '../../_kit/find-processes.ts'
import { type PreparedClusters, prepareClusters } from '../../_kit/prepared-clusters.ts'
import { until } from '../../_kit/until.ts'

let clusters: PreparedClusters
test.before(async () => {
  clusters = await prepareClusters()
})

async function start(t: ExecutionContext, dataDir: string): Promise<EmbeddedPostgres> {
  const server = await startEmbeddedPostgres({ dataDir, onLine: () => undefined })
  t.teardown(() => server.stop())
  return server
}

const me = { ids: null, capability: null }
const message = (dataDir: string): string =>
  `another PostgreSQL uses the data in ${join(dataDir, 'postgres')}, perhaps in another container: stop it, or set TRACEWRIGHT_DATA_DIR to another directory`

/** Returns the process id of a backend, whose connection lasts until that ends. */
async function openBackend(t: ExecutionContext, server: EmbeddedPostgres): Promise<number> {
  const client = new pg.Client({ connectionString: server.url('postgres') })
  client.on('error', () => undefined)
  await client.connect()
  t.teardown(() => client.end())
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid')
  return rows[0]?.pid ?? 0
}

test('a server holds the lock until its last process has ended', async (t) => {
  const dataDir = clusters.makeDir(t)
  const folder = join(dataDir, 'postgres')
  t.is(await readLock(folder, me, undefined, 0), 'free')
  const server = await start(t, dataDir)
  t.is(await readLock(folder, me, undefined, 0), 'held')
  const backend = await openBackend(t, server)
  process.kill(backend, 'SIGSTOP')
  process.kill(server.pid, 'SIGKILL')
  await server.ended
  // The others end at once.
  t.is(await readLock(folder, me, undefined, 1), 'held', 'a backend is left')
  process.kill(backend, 'SIGKILL')
  await until(async () => (await readLock(folder, me, undefined, 0)) === 'free')
  const next = await start(t, dataDir)
  t.is(await readLock(folder, me, undefined, 0), 'held')
  await next.stop()
  t.is(await readLock(folder, me, undefined, 0), 'free')
})

/** Holds the lock of the cluster, as a server does whose process is not visible here. */
async function holdElsewhere(t: ExecutionContext, folder: string): Promise<ChildProcess> {
  const holder = spawn('flock', ['--no-fork', join(folder, 'PG_VERSION'), 'sleep', '600'], { stdio: 'ignore' })
  t.teardown(() => holder.kill('SIGKILL'))
  await until(async () => (await readLock(folder, me, undefined, 0)) === 'held')
  return holder
}

test('a start beside a server that is not visible is refused, and leaves its lock file and its claim as they are', async (t) => {
  const dataDir = clusters.makeDir(t)
  const folder = join(dataDir, 'postgres')
  const [file, claimFile] = [join(folder, 'postmaster.pid'), join(dataDir, 'service.pid')]
  const holder = await holdElsewhere(t, folder)
  // In this container the id is another program's.
  const lock = `${process.ppid}\n${folder}\n1\n5432\n\n127.0.0.1\n`
  writeFileSync(file, lock)
  const claim = `${process.ppid} 1\n`
  writeFileSync(claimFile, claim)
  const ignore = (): void => undefined
  const events = { onLine: ignore, onUnresponsive: ignore, onEnded: ignore, onRestarted: ignore, onFailed: ignore }
  await t.throwsAsync(superviseEmbeddedPostgres({ dataDir, ...events }), { message: message(dataDir) })
  t.is(readFileSync(file, 'utf8'), lock)
  t.is(readFileSync(claimFile, 'utf8'), claim)
  holder.kill('SIGKILL')
  await once(holder, 'exit')
  const server = await start(t, dataDir)
  t.is(await askInTime(server.url('postgres')), 'accepts', 'the control: without it the lock file is stale')
})

const sourceOf = (name: string): string =>
  JSON.stringify(new URL(`../../../src/store/embedded/${name}`, import.meta.url).href)

const reading = `
  import { readLock } from ${sourceOf('cluster-lock.ts')}
  process.on('SIGINT', () => console.log('interrupted'))
  console.log(await readLock(process.argv[1], { ids: null, capability: null }, undefined, 60))`

test('Ctrl-C does not reach the process that looks for the lock', async (t) => {
  const folder = join(clusters.makeDir(t), 'postgres')
  const holder = await holdElsewhere(t, folder)
  // It leads a group, as the job of a terminal does.
  const job = spawn(process.execPath, ['--input-type=module', '-e', reading, folder], {
    detached: true,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  t.teardown(() => job.kill('SIGKILL'))
  let output = ''
  job.stdout.on('data', (data: Buffer) => (output += data.toString()))
  const closed = once(job, 'close')
  await until(() => findProcesses(`${folder}/PG_VERSION\0true`).length > 0)
  process.kill(-(job.pid ?? 0), 'SIGINT')
  await until(() => output !== '')
  holder.kill('SIGKILL')
  await closed
  t.is(output, 'interrupted\nfree\n')
})

/** Looks for the lock where `flock` is this script; null: where there is none. */
async function readLockWith(t: ExecutionContext, script: string | null): Promise<LockState> {
  const programs = makeDataDir(t)
  const file = join(programs, 'flock')
  if (script !== null) writeFileSync(file, `#!/bin/sh\n${script}\n`)
  if (script !== null) chmodSync(file, 0o755)
  const path = process.env['PATH']
  // Nothing else runs until it is restored: the program is found before the first wait.
  process.env['PATH'] = programs
  const state = readLock('/data', me)
  process.env['PATH'] = path
  return await state
}

test('only a program that cannot lock counts as no lock, and any other failure as an error', async (t) => {
  t.is(await readLockWith(t, null), 'unknown')
  for (const code of [1, 64, 65, 127]) t.is(await readLockWith(t, `exit ${code}`), 'unknown', `code ${code}`)
  t.is(await readLockWith(t, 'echo "flock: PG_VERSION: No locks available" >&2; exit 71'), 'unknown')
  const failure = 'it cannot be determined whether another PostgreSQL uses the data in /data: flock ended with'
  await t.throwsAsync(readLockWith(t, 'kill -KILL $$'), { message: `${failure} SIGKILL` })
  await t.throwsAsync(readLockWith(t, 'echo cannot open >&2; exit 66'), { message: `${failure} 66: cannot open` })
  const full = 'Too many open files in system'
  await t.throwsAsync(readLockWith(t, `echo ${full} >&2; exit 71`), { message: `${failure} 71: ${full}` })
  t.is(await readLockWith(t, 'exit 0'), 'free', 'the control')
})

test('a server waits for the lock, which a process that looks for it holds for a moment', (t) => {
  t.true(withLock('/data', ['postgres']).includes('--wait=1'))
})

const program = `
  import { startEmbeddedPostgres } from ${sourceOf('server.ts')}
  try { await startEmbeddedPostgres({ dataDir: process.argv[1], endsOnExit: true, onLine: (line) => console.log(line) }) }
  catch (error) { console.log(error.message) }
  process.exit()`

test('without flock a server starts, and one line says that no lock protects it', async (t) => {
  const dataDir = clusters.makeDir(t)
  const programs = makeDataDir(t)
  // Needed where the user of the server cannot reach its files.
  const setpriv = spawnSync('sh', ['-c', 'command -v setpriv'], { encoding: 'utf8' }).stdout.trim()
  if (setpriv !== '') symlinkSync(setpriv, join(programs, 'setpriv'))
  const run = spawn(process.execPath, ['--input-type=module', '-e', program, dataDir], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, PATH: programs },
  })
  let output = ''
  run.stdout.on('data', (data: Buffer) => (output += data.toString()))
  await once(run, 'close')
  const lines = output.split('\n')
  t.is(lines.filter((line) => line === explainNoLock(join(dataDir, 'postgres'))).length, 1)
  t.true(output.includes('database system is ready to accept connections'), output)
})

// As in another container: its own processes, its own shared memory, the same files.
const container = ['--pid', '--fork', '--kill-child', '--ipc', '--mount-proc']
const canSeparate = spawnSync('unshare', [...container, 'true']).status === 0

if (canSeparate)
  test('in a second container on the same volume no server starts', async (t) => {
    const dataDir = clusters.makeDir(t)
    const server = await start(t, dataDir)
    const run = spawn('unshare', [...container, process.execPath, '--input-type=module', '-e', program, dataDir], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    let output = ''
    run.stdout.on('data', (data: Buffer) => (output += data.toString()))
    await once(run, 'close')
    t.is(output.trim(), message(dataDir))
    t.is(await askInTime(server.url('postgres')), 'accepts')
  })
