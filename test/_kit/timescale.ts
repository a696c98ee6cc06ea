// A TimescaleDB for the tests: that of TEST_TIMESCALE_URL, otherwise Debian's in a chroot, otherwise docker compose.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { isAlive } from '../../src/store/embedded/postmaster.ts'
import { findFreePort } from './free-port.ts'
import { prepareTrixie } from './trixie.ts'
import { tryAgain } from './try-again.ts'

export type TestServer = { readonly url: string; stop(): Promise<void> }

const composeFile = fileURLToPath(new URL('./compose.yaml', import.meta.url))
const readyDeadlineMs = 60_000
const attemptMs = 5_000
const pauseMs = 50
const stopDeadlineMs = 10_000

/** Resolves when the server is ready. Throws an error that says how to install one. */
export async function startTimescale(fastSettings: readonly string[]): Promise<TestServer> {
  const given = process.env['TEST_TIMESCALE_URL']
  if (given !== undefined) return { url: given, stop: async () => undefined }
  let reason: string
  try {
    const root = await prepareTrixie()
    removeLeftovers(root)
    const name = `run-${process.pid}-${randomBytes(4).toString('hex')}`
    return await tryAgain(async () => await startTrixieCluster({ root, name, settings: fastSettings, keep: false }))
  } catch (error) {
    reason = (error as Error).message
  }
  if (spawnSync('docker', ['info']).status === 0) return await startByCompose()
  throw new Error(
    `There is no TimescaleDB for the tests (${reason}): set TEST_TIMESCALE_URL to a superuser's URL, run them as root ` +
      'on a machine with apt (debootstrap then makes one in .cache/trixie), or start a docker engine',
  )
}

const bin = '/usr/lib/postgresql/17/bin'

export type TrixieCluster = {
  readonly root: string
  /** Name of its folder below /srv of the root. */
  readonly name: string
  readonly settings: readonly string[]
  /** False: the folder is removed when the server ends. */
  readonly keep: boolean
}

/** Starts TimescaleDB in a chroot of the root, on the cluster of that name, which is created if it is missing. Resolves when it is ready. */
export async function startTrixieCluster(options: TrixieCluster): Promise<TestServer> {
  const { root, name, keep } = options
  const folder = `/srv/${name}`
  if (!existsSync(join(root, folder, 'data/PG_VERSION'))) initialise(root, folder)
  const password = readFileSync(join(root, folder, 'password'), 'utf8')
  const port = await findFreePort()
  const settings = [
    'listen_addresses=127.0.0.1',
    `port=${port}`,
    'unix_socket_directories=',
    'shared_preload_libraries=timescaledb',
    'timescaledb.telemetry_level=off',
    'timescaledb.max_background_workers=0',
    // A statement that cannot exclude chunks by time locks all of them.
    'max_locks_per_transaction=256',
    'timezone=UTC',
    ...options.settings,
  ].flatMap((setting) => ['-c', setting])
  // The server ends with the runner, however the runner ends.
  const user = ['setpriv', '--reuid=postgres', '--regid=postgres', '--clear-groups', '--pdeathsig=INT']
  const child = spawn('chroot', [root, ...user, `${bin}/postgres`, '-D', `${folder}/data`, ...settings], {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { PATH: process.env['PATH'], LC_ALL: 'C', TZ: 'UTC' },
  })
  let lastLine = ''
  child.stderr?.on('data', (data: Buffer) => {
    lastLine = data.toString().trim().split('\n').at(-1) ?? ''
  })
  const url = `postgres://tracewright:${password}@127.0.0.1:${port}/postgres`
  const stop = async (): Promise<void> => {
    await end(child)
    if (!keep) removeFolder(join(root, folder))
  }
  try {
    await waitUntilReady(url, () => (child.exitCode === null ? null : `TimescaleDB ended at its start: ${lastLine}`))
  } catch (error) {
    await stop()
    throw error
  }
  return { url, stop }
}

function initialise(root: string, folder: string): void {
  mkdirSync(join(root, folder, 'data'), { recursive: true, mode: 0o755 })
  writeFileSync(join(root, folder, 'password'), randomBytes(18).toString('base64url'), { mode: 0o644 })
  spawnSync('chroot', [root, 'chown', 'postgres:postgres', `${folder}/data`])
  const flags = [
    '-U',
    'tracewright',
    '-A',
    'scram-sha-256',
    `--pwfile=${folder}/password`,
    '-E',
    'UTF8',
    '--locale=C.UTF-8',
  ]
  const initdb = ['--userspec=postgres', root, `${bin}/initdb`, '-D', `${folder}/data`, '-N', ...flags]
  const made = spawnSync('chroot', initdb)
  if (made.status !== 0) throw new Error(`initdb in ${root} failed: ${made.stderr?.toString().trim()}`)
}

/** Removes the folders of runs that were killed; the server of such a run has ended with it. */
function removeLeftovers(root: string): void {
  for (const name of readdirSync(join(root, 'srv'))) {
    const pid = Number(/^run-(\d+)-/.exec(name)?.[1])
    if (Number.isInteger(pid) && !isAlive(pid)) removeFolder(join(root, 'srv', name))
  }
}

/** A killed server's processes write for a moment longer. A folder that stays nevertheless is removed by a later run. */
function removeFolder(path: string): void {
  try {
    rmSync(path, { recursive: true, force: true, maxRetries: 10 })
  } catch (error) {
    process.stderr.write(`${path} could not be removed: ${(error as Error).message}\n`)
  }
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const gone = new Promise<void>((done) => child.once('exit', () => done()))
  child.kill('SIGINT')
  const killer = setTimeout(() => child.kill('SIGKILL'), stopDeadlineMs)
  await gone
  clearTimeout(killer)
}

async function startByCompose(): Promise<TestServer> {
  const compose = (...args: string[]) =>
    spawnSync('docker', ['compose', '-p', `tracewright-test-${process.pid}`, '-f', composeFile, ...args], {
      encoding: 'utf8',
    })
  const stop = async (): Promise<void> => void compose('down', '--volumes', '--timeout', '5')
  const up = compose('up', '--detach', '--wait', 'timescale')
  const address = compose('port', 'timescale', '5432').stdout.trim()
  if (up.status !== 0 || address === '') {
    await stop()
    throw new Error(`docker compose could not start TimescaleDB: ${up.stderr.trim()}`)
  }
  const url = `postgres://postgres:test@${address}/postgres`
  try {
    await waitUntilReady(url, () => null)
  } catch (error) {
    await stop()
    throw error
  }
  return { url, stop }
}

async function waitUntilReady(url: string, readFailure: () => string | null): Promise<void> {
  let waitedMs = 0
  for (;;) {
    const startedAtMs = performance.now()
    const failure = readFailure()
    if (failure !== null) throw new Error(failure)
    const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: attemptMs })
    try {
      await client.connect()
      await client.end()
      return
    } catch (error) {
      // A standstill of the machine, or of this process, counts as one attempt.
      waitedMs += Math.min(performance.now() - startedAtMs, attemptMs) + pauseMs
      if (waitedMs > readyDeadlineMs) throw new Error('TimescaleDB did not become ready', { cause: error })
    }
    await new Promise((done) => setTimeout(done, pauseMs))
  }
}
