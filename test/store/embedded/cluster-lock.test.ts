// Two containers on one volume: a second PostgreSQL on the same data would destroy them.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import test, { type ExecutionContext } from 'ava'
import { readLock } from '../../../src/store/embedded/cluster-lock.ts'
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../../../src/store/embedded/server.ts'
import { askInTime } from '../../_kit/ask-in-time.ts'
import { type PreparedClusters, prepareClusters } from '../../_kit/prepared-clusters.ts'
import { until } from '../../_kit/until.ts'

let clusters: PreparedClusters
test.before(async () => {
  clusters = await prepareClusters()
})
test.after.always(() => clusters.remove())

async function start(t: ExecutionContext, dataDir: string): Promise<EmbeddedPostgres> {
  const server = await startEmbeddedPostgres({ dataDir, onLine: () => undefined })
  t.teardown(() => server.stop())
  return server
}

const me = { ids: null, capability: null }
const message = (dataDir: string): string =>
  `another PostgreSQL uses the data in ${join(dataDir, 'postgres')}, perhaps in another container: stop it, or set TRACEWRIGHT_DATA_DIR to another directory`

test('a server holds the lock until its last process has ended', async (t) => {
  const dataDir = clusters.makeDir(t)
  const folder = join(dataDir, 'postgres')
  t.is(await readLock(folder, me, undefined, 0), 'free')
  const server = await start(t, dataDir)
  t.is(await readLock(folder, me, undefined, 0), 'held')
  process.kill(server.pid, 'SIGKILL')
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

test('a start beside a server that is not visible is refused, and leaves its lock file as it is', async (t) => {
  const dataDir = clusters.makeDir(t)
  const folder = join(dataDir, 'postgres')
  const file = join(folder, 'postmaster.pid')
  const holder = await holdElsewhere(t, folder)
  // In this container the id is another program's.
  const lock = `${process.ppid}\n${folder}\n1\n5432\n\n127.0.0.1\n`
  writeFileSync(file, lock)
  await t.throwsAsync(start(t, dataDir), { message: message(dataDir) })
  t.is(readFileSync(file, 'utf8'), lock)
  holder.kill('SIGKILL')
  await once(holder, 'exit')
  const server = await start(t, dataDir)
  t.is(await askInTime(server.url('postgres')), 'accepts', 'the control: without it the lock file is stale')
})

const program = `
  import { startEmbeddedPostgres } from ${JSON.stringify(new URL('../../../src/store/embedded/server.ts', import.meta.url).href)}
  try { await startEmbeddedPostgres({ dataDir: process.argv[1], endsOnExit: true, onLine: () => undefined }) }
  catch (error) { console.log(error.message) }
  process.exit()`

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
