// The messages of a failed start of the embedded PostgreSQL.
import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import test from 'ava'
import { makeDataFolder } from '../../../src/store/data-folder.ts'
import { initialise } from '../../../src/store/embedded/initialise.ts'
import { explainInitdb, makeStartLog } from '../../../src/store/embedded/start-failure.ts'
import { waitUntilReady } from '../../../src/store/embedded/wait-until-ready.ts'
import { watchLimits } from '../../../src/store/watch-server.ts'

const at = '2026-01-02 03:04:05.678 UTC [123]'

function explain(...lines: string[]): string {
  const log = makeStartLog()
  for (const line of lines) log.add(line)
  return log.explain({ folder: '/data/postgres', port: 5433, readVersion: () => null })
}

test('the error of a port in use says what to do, instead of the last lines of PostgreSQL', (t) => {
  const lines = [
    `${at} LOG:  starting PostgreSQL 18.4`,
    `${at} LOG:  could not bind IPv4 address "127.0.0.1": Address already in use`,
    `${at} WARNING:  could not create listen socket for "127.0.0.1"`,
    `${at} FATAL:  could not create any TCP/IP sockets`,
    `${at} LOG:  database system is shut down`,
  ]
  t.is(
    explain(...lines),
    'could not bind IPv4 address "127.0.0.1": Address already in use (port 5433): stop the program that uses this port, or restart Tracewright, which takes a free port',
  )
})

test('otherwise the error is the last fatal line, even if connections were refused after it', (t) => {
  const fatal = `${at} FATAL:  could not map anonymous shared memory: Cannot allocate memory`
  const refusals = Array.from({ length: 100 }, () => `${at} FATAL:  the database system is starting up`)
  t.is(explain(fatal, ...refusals, `${at} LOG:  database system is shut down`), fatal.slice(at.length + 9))
  t.is(
    explain('postgres: error while loading shared libraries: libx.so'),
    'postgres: error while loading shared libraries: libx.so',
  )
  t.is(explain(), 'it wrote nothing')
  t.is(
    explain(`${at} FATAL:  lock file "postmaster.pid" already exists`),
    'lock file "postmaster.pid" already exists: stop the PostgreSQL that runs on /data/postgres; if there is none, delete postmaster.pid in that folder',
  )
})

test('the error of a failed initdb begins with its line of the error', (t) => {
  const error = 'initdb: error: could not create directory "/data/postgres/base": No space left on device'
  t.is(
    explainInitdb(
      `The files belonging to this database system ...\n${error}\ninitdb: removing contents of data directory\n`,
    ),
    error,
  )
  t.is(explainInitdb('running bootstrap script ... Killed\n'), 'running bootstrap script ... Killed')
})

test('a start ends with the reason if every connection fails for a reason that is not clear', async (t) => {
  const closing = createServer((socket) => socket.destroy()).listen(0, '127.0.0.1')
  t.teardown(() => closing.close())
  await once(closing, 'listening')
  const waiting = waitUntilReady({
    url: `postgres://x:y@127.0.0.1:${(closing.address() as AddressInfo).port}/postgres?sslmode=disable`,
    folder: '/data/postgres',
    postmaster: { pid: 4711, isRunning: () => true, ended: new Promise(() => undefined) },
    limits: { ...watchLimits, noAnswerMs: 200 },
  })
  await t.throwsAsync(waiting, {
    message: /^PostgreSQL \(process 4711\) runs, but no connection to it has succeeded for \d+ s: ./,
  })
})

test('an initdb that cannot be started leaves nothing behind, and the error says what to do', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'initdb-'))
  t.teardown(() => rmSync(folder, { recursive: true }))
  const binaries = { postgres: join(folder, 'missing/postgres'), initdb: join(folder, 'missing/initdb') }
  const place = { dataDir: folder, folder: join(folder, 'postgres') }
  await t.throwsAsync(initialise(binaries, place, 'secret', { ids: null, capability: null }), {
    message: 'initdb could not be started (ENOENT): run npm ci, or set TRACEWRIGHT_DATABASE_URL to your own PostgreSQL',
  })
  t.deepEqual(readdirSync(folder), [])
})

test('the error of a data directory that cannot be used says what to do', (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'data-folder-'))
  t.teardown(() => rmSync(folder, { recursive: true }))
  const file = join(folder, 'file')
  const link = join(folder, 'link')
  writeFileSync(file, '')
  symlinkSync(join(folder, 'missing'), link)
  const advice = 'set TRACEWRIGHT_DATA_DIR to a directory that the user of the service can write'
  t.throws(() => makeDataFolder(file), { message: `the data directory ${file} is a file: ${advice}` })
  t.throws(() => makeDataFolder(link), {
    message: `the data directory ${link} is a link whose target is not a directory: ${advice}`,
  })
  t.throws(() => makeDataFolder(join(file, 'below')), { message: /below cannot be created \(ENOTDIR\): set/ })
  t.notThrows(() => makeDataFolder(join(folder, 'new', 'deep')))
})

test('the error of a data directory that the system does not create says what to do', (t) => {
  const url = JSON.stringify(new URL('../../../src/store/data-folder.ts', import.meta.url).href)
  const program = `import { makeDataFolder } from ${url}\nmakeDataFolder('/proc/below/deep')`
  const { stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', program], {
    encoding: 'utf8',
    // Only a call that never returns reaches this limit.
    timeout: 120_000,
    killSignal: 'SIGKILL',
  })
  t.regex(stderr, /the data directory \/proc\/below\/deep cannot be created \(ENOENT\): set TRACEWRIGHT_DATA_DIR/)
})

test('a folder that the user of the service cannot write is refused', (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'data-folder-'))
  t.teardown(() => rmSync(folder, { recursive: true }))
  chmodSync(folder, 0o555)
  const url = JSON.stringify(new URL('../../../src/store/data-folder.ts', import.meta.url).href)
  const program = `import { makeDataFolder } from ${url}
    if (process.getuid() === 0) process.setuid(65534)
    makeDataFolder(${JSON.stringify(folder)})`
  const { stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', program], { encoding: 'utf8' })
  t.regex(
    stderr,
    /cannot be used \(EACCES\): set TRACEWRIGHT_DATA_DIR to a directory that the user of the service can write/,
  )
})
