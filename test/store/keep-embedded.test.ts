// The embedded PostgreSQL under its keeper: killed, it is started again at the same address, and given up where that is in vain.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import test, { type ExecutionContext } from 'ava'
import pg from 'pg'
import { startEmbeddedPostgres } from '../../src/store/embedded.ts'
import { type KeptPostgres, keepEmbeddedPostgres } from '../../src/store/keep-embedded.ts'
import { endOrphans } from '../../src/store/postmaster.ts'
import { makeDataDir } from '../_kit/data-dir.ts'
import { until } from '../_kit/until.ts'

const deadlineMs = 60_000

type Told = { readonly ended: number[]; readonly restarted: number[] }

async function keep(t: ExecutionContext, dataDir: string, onEnded: () => void = () => undefined) {
  const told: Told = { ended: [], restarted: [] }
  const server: KeptPostgres = await keepEmbeddedPostgres({
    dataDir,
    onLine: () => undefined,
    onEnded(pid) {
      told.ended.push(pid)
      onEnded()
    },
    onUnresponsive: () => undefined,
    onFailed: () => undefined,
    onRestarted: (_pid, awayMs) => void told.restarted.push(awayMs),
  })
  t.teardown(() => server.stop())
  return { server, told }
}

const connect = async (server: Pick<KeptPostgres, 'url'>): Promise<pg.Client> => {
  const client = new pg.Client({ connectionString: server.url('postgres') })
  client.on('error', () => undefined)
  await client.connect()
  return client
}

async function ask(server: Pick<KeptPostgres, 'url'>, text: string): Promise<object[]> {
  const client = await connect(server)
  try {
    return (await client.query<object>(text)).rows
  } finally {
    await client.end()
  }
}

const isAlive = (pid: number): boolean => existsSync(`/proc/${pid}`)

test('a killed server is started again at the same address with its data, though a long query of its own goes on', async (t) => {
  t.timeout(2 * deadlineMs)
  let isBusyAlive = false
  let busyPid = 0
  const { server, told } = await keep(t, makeDataDir(t), () => {
    isBusyAlive = isAlive(busyPid)
  })
  await ask(server, 'create table kept as select 7 as seven')
  const url = server.url('postgres')
  const busy = await connect(server)
  busyPid = (await busy.query<{ pid: number }>('select pg_backend_pid() as pid')).rows[0]?.pid ?? 0
  // Never waits, so that it never sees that its postmaster has ended.
  busy.query(`do 'begin loop null; end loop; end'`).catch(() => undefined)
  const isWorking = `select from pg_stat_activity where pid = ${busyPid} and state = 'active' and query like 'do %'`
  await until(async () => (await ask(server, isWorking)).length === 1, deadlineMs)

  process.kill(server.pid(), 'SIGKILL')
  await until(() => told.restarted.length === 1, deadlineMs)
  t.true(isBusyAlive, 'the control: the query has outlived the postmaster')
  // Whoever inherited it collects it in its own time.
  await until(() => !isAlive(busyPid))
  t.is(server.url('postgres'), url)
  t.deepEqual(await ask(server, 'select seven from kept'), [{ seven: 7 }])
  t.is(server.readFailure(), null)
  t.log(`away for ${told.restarted.join(', ')} ms`)
})

test('a start on a copy of the folder leaves the server that runs on the original alone', async (t) => {
  const dataDir = makeDataDir(t)
  const { server, told } = await keep(t, dataDir)
  const session = await connect(server)
  const copy = makeDataDir(t)
  // All that a copy brings which names the server: the folder itself may be anywhere.
  cpSync(join(dataDir, 'postgres', 'postmaster.opts'), join(copy, 'postmaster.opts'))
  await endOrphans(copy)
  t.deepEqual((await session.query('select 1 as one')).rows, [{ one: 1 }])
  await session.end()
  t.deepEqual(told.ended, [])
})

test('the end of a server that was found running is noticed as well', async (t) => {
  t.timeout(2 * deadlineMs)
  const dataDir = makeDataDir(t)
  const before = await startEmbeddedPostgres({ dataDir, onLine: () => undefined })
  const { server, told } = await keep(t, dataDir)
  t.true(server.adopted)
  t.is(server.pid(), before.pid)
  process.kill(before.pid, 'SIGKILL')
  await until(() => told.restarted.length === 1, deadlineMs)
  t.false(before.isRunning())
  t.deepEqual(await ask(server, 'select 1 as one'), [{ one: 1 }])
  t.log(`away for ${told.restarted.join(', ')} ms`)
})

test('a stop in the middle of a restart ends it, and leaves no server behind', async (t) => {
  t.timeout(2 * deadlineMs)
  const dataDir = makeDataDir(t)
  let hasStopped = false
  const { server, told } = await keep(t, dataDir, () => {
    void server.stop().then(() => {
      hasStopped = true
    })
  })
  process.kill(server.pid(), 'SIGKILL')
  await until(() => hasStopped, deadlineMs)
  t.is(told.ended.length, 1)
  t.deepEqual(told.restarted, [])
  t.is(server.readFailure(), null)
  await t.throwsAsync(connect(server), { code: 'ECONNREFUSED' })
})

test('a server that ends again and again is given up', async (t) => {
  t.timeout(2 * deadlineMs)
  const { server, told } = await keep(t, makeDataDir(t))
  for (let times = 1; server.readFailure() === null; times += 1) {
    process.kill(server.pid(), 'SIGKILL')
    await until(() => told.restarted.length === times || server.readFailure() !== null, deadlineMs)
  }
  t.is(server.readFailure()?.message, 'PostgreSQL has ended 6 times within a minute')
  t.is(told.restarted.length, 5)
  await t.throwsAsync(connect(server), { code: 'ECONNREFUSED' })
})

test('where another process has started a server on the same data, none is started beside it', async (t) => {
  t.timeout(2 * deadlineMs)
  const dataDir = makeDataDir(t)
  const folder = join(dataDir, 'postgres')
  // Stands for it: its command line names the folder.
  const other = spawn('sh', ['-c', 'read line', folder], { stdio: ['pipe', 'ignore', 'ignore'] })
  await once(other, 'spawn')
  const { server, told } = await keep(t, dataDir, () =>
    writeFileSync(join(folder, 'postmaster.pid'), `${other.pid}\n${folder}\n1\n1\n`),
  )
  process.kill(server.pid(), 'SIGKILL')
  await until(() => server.readFailure() !== null, deadlineMs)
  const cause = server.readFailure()?.cause
  t.regex(cause instanceof Error ? cause.message : '', /has started PostgreSQL on .* meanwhile/)
  t.deepEqual(told.restarted, [])
  await server.stop()
  t.is(other.exitCode, null, 'and that process is left alone')
  other.kill('SIGKILL')
})
