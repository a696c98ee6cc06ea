import { spawn } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import test from 'ava'
import pg from 'pg'
import { makeDataDir } from '../_kit/data-dir.ts'
import { makeDatabase } from '../_kit/db.ts'
import { inherited } from '../_kit/inherited.ts'
import { until } from '../_kit/until.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))
const migrationLock = 7_277_411

test('a migration that waits for another one ends on a signal', async (t) => {
  const base = await makeDatabase()
  const rival = new pg.Client(base.url)
  await rival.connect()
  await rival.query('select pg_advisory_lock($1)', [migrationLock])
  const child = spawn(process.execPath, ['src/main.ts'], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...inherited, TRACEWRIGHT_ROLES: 'migrate', TRACEWRIGHT_DATABASE_URL: base.url },
  })
  t.teardown(() => child.kill('SIGKILL'))
  let output = ''
  child.stdout.on('data', (data: Buffer) => (output += data.toString()))
  const ended = new Promise((done) => child.once('close', (code, signal) => done({ code, signal })))
  await until(() => output.includes('waiting for another process'))
  child.kill('SIGTERM')
  // The first process of a container must exit by itself: the kernel does not end it by an unhandled signal.
  t.deepEqual(await ended, { code: 143, signal: null })
  t.regex(output, /"reason":"SIGTERM".*stopping/)
  await rival.end()
  await base.stop()
})

test('an interrupted migration of the embedded PostgreSQL ends the server that it has started', async (t) => {
  const dataDir = makeDataDir(t)
  const child = spawn(process.execPath, ['src/main.ts'], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'inherit'],
    env: {
      ...inherited,
      TRACEWRIGHT_ROLES: 'migrate',
      TRACEWRIGHT_DATA_DIR: dataDir,
    },
  })
  t.teardown(() => child.kill('SIGKILL'))
  child.stdout.resume()
  const ended = new Promise((done) => child.once('exit', done))
  const file = join(dataDir, 'postgres', 'postmaster.pid')
  const readPid = (): number => (existsSync(file) ? Number.parseInt(readFileSync(file, 'utf8'), 10) : Number.NaN)
  await until(() => !Number.isNaN(readPid()))
  const server = readPid()
  // As by a terminal that is closed.
  child.kill('SIGHUP')
  t.is(await ended, 129)
  await until(() => !existsSync(`/proc/${server}`))
})
