// The database of a process: embedded or configured, migrated if the process uses it alone, with one pool per purpose.
import type { Config } from '../config.ts'
import type { Database } from '../store/database.ts'
import { type SupervisedPostgres, superviseEmbeddedPostgres } from '../store/embedded/supervise.ts'
import { type DatabaseOptions, openDatabase } from '../store/open-database.ts'
import { becomeSingleOwner } from '../store/single-owner.ts'
import { loadStatements } from '../store/statements.ts'
import type { Log } from '../telemetry/log.ts'
import { arrangeChunks, logChunks } from './chunks.ts'
import { checkUser, listLogins, makeLogins, readAccess } from './database-access.ts'
import { bringUpToDate } from './migrate.ts'
import { makeStopList } from './stop-list.ts'
import { withConnection } from './with-database.ts'

export type Databases = {
  /** Stores events. No other work may use it, so that ingest never waits. */
  readonly ingest: Database
  /** Accounts, keys, rules. */
  readonly control: Database
  /** Dashboards. */
  readonly reads: Database
  /** The optimization loop. */
  readonly optimizer: Database
  /** Owners of partitions and revoked keys: small queries that must not wait for others. */
  readonly cluster: Database
  /** False while the embedded PostgreSQL refuses new connections; always true for an external PostgreSQL. */
  isAccepting(): boolean
  /** The process is stopping: an embedded PostgreSQL that ends from here on is not restarted. */
  expectEnd(): void
  stop(): Promise<void>
}

/**
 * Ready when it resolves. `onLost` is called when the process must not continue, because another process owns the database now or the
 * embedded server has ended for good; `what` gives the reason. `onBroken` is called when an idle connection of the pool broke. Throws if
 * another process owns the database; nothing is left running then.
 */
export async function openDatabases(
  config: Config,
  log: Log,
  onLost: (error: Error, what: string) => void,
  onBroken: (pool: string) => void = () => undefined,
): Promise<Databases> {
  const isClustered = config.NATS_URL !== undefined
  const opened: Database[] = []
  let poolsEnd: Promise<unknown> | null = null
  const endPools = (): Promise<unknown> => (poolsEnd ??= Promise.all(opened.map((pool) => pool.stop())))
  const logStopFailure = (error: unknown): void => log.warn({ error }, 'closing the database connections failed')
  const onFailed = (failure: Error): void => {
    onLost(failure, 'the embedded PostgreSQL has ended and cannot be restarted')
    // Otherwise each step of the stop would wait for a connection to a server that does not come back.
    endPools().catch(logStopFailure)
  }
  const embedded = config.DATABASE_URL === undefined ? await startEmbedded(config, log, onFailed) : null
  // A supervisor that stops all processes at once also ends the embedded server, as soon as it has no clients.
  const expectEnd = (): void => embedded?.expectEnd()
  const stops = makeStopList()
  const stop = async (): Promise<void> => {
    expectEnd()
    await stops.run()
  }
  // A server that was found running belongs to the service that owns the database.
  let isOurs = embedded?.adopted === false
  stops.add(async () => (isOurs ? await embedded?.stop() : undefined))
  try {
    const access = await readAccess(config, embedded?.url('postgres') ?? null)
    // The lock is held by the user of the service, which the first start has to create.
    if (!isClustered) await makeLogins(access.ownerUrl, listLogins(config, access), log)
    const owner = await becomeSingleOwner({
      url: access.url,
      onLost: (error) => onLost(error, 'lost the database lock: another process took it'),
      isShared: isClustered,
      onBroken: (error) => log.warn({ error }, 'lost the connection to the database; waiting for it'),
      onReclaimed: () => log.info('the database is reachable again'),
    })
    isOurs = true
    stops.add(owner.release)
    // In a cluster this is a separate step, by a user that may create tables.
    if (!isClustered) await bringUpToDate(access, log)
    const pools = openPools(config, access.url, (pool, error) => {
      onBroken(pool)
      log.warn({ error, pool }, 'an idle database connection broke')
    })
    opened.push(...Object.values(pools))
    stops.add(async () => void (await endPools()))
    await checkUser(pools.control, config.ROLES, log)
    if (isClustered) await logChunks(pools.control, log)
    else await withConnection(access.ownerUrl, 'chunks', log, async (db) => await arrangeChunks(db, config, log))
    return { ...pools, isAccepting: () => embedded?.isAccepting() ?? true, expectEnd, stop }
  } catch (error) {
    await stop().catch(logStopFailure)
    throw error
  }
}

type Pools = Pick<Databases, 'ingest' | 'control' | 'reads' | 'optimizer' | 'cluster'>

/** Opens one pool per purpose. They connect when they are first used. */
function openPools(config: Config, url: string, onIdleError: (pool: string, error: Error) => void): Pools {
  const statements = loadStatements()
  const open = (
    name: string,
    maxConnections: number,
    statementTimeoutMs: number,
    options: Pick<DatabaseOptions, 'customPlans' | 'keyLookups' | 'idleInTransactionMs'> &
      Partial<Pick<DatabaseOptions, 'acquireTimeoutMs'>>,
  ): Database =>
    openDatabase({
      url,
      statements,
      name,
      maxConnections,
      statementTimeoutMs,
      acquireTimeoutMs: 2_000,
      ...options,
      onIdleError: (error) => onIdleError(name, error),
    })
  return {
    ingest: open('ingest', config.DATABASE_INGEST_CONNECTIONS, 30_000, {
      keyLookups: true,
      // A process that is frozen in the middle of a commit must not make other processes wait for its locks.
      idleInTransactionMs: 1_500,
    }),
    control: open('control', config.DATABASE_CONTROL_CONNECTIONS, 10_000, { acquireTimeoutMs: 5_000 }),
    // A migration that waits for a lock, for 5 s at most, blocks the reads behind it. For a dashboard, a late answer is better than a
    // refusal.
    reads: open('reads', config.DATABASE_READ_CONNECTIONS, 20_000, { customPlans: true, acquireTimeoutMs: 10_000 }),
    // One connection for the transaction of a step, and one for what it reads beside it.
    optimizer: open('optimizer', 2, 10_000, { customPlans: true }),
    cluster: open('cluster', 2, 2_000, {}),
  }
}

// Messages to clients of a server that stops or starts. The service logs both events itself. To a client that is logging in when the server
// stops, PostgreSQL reports a timeout.
const isExpected = (line: string): boolean =>
  /due to (administrator command|unexpected postmaster exit)$|canceling authentication due to timeout$|the database system is (starting up|shutting down|not yet accepting connections)$/.test(
    line,
  )

const isAlarming = (line: string): boolean => / (FATAL|PANIC): {2}/.test(line) && !isExpected(line)

async function startEmbedded(config: Config, log: Log, onFailed: (error: Error) => void): Promise<SupervisedPostgres> {
  const server = await superviseEmbeddedPostgres({
    dataDir: config.DATA_DIR,
    // Alarming lines explain why the server ends; the others are for debugging.
    onLine: (line) => log[isAlarming(line) ? 'warn' : 'debug']({ line }, 'PostgreSQL wrote a log line'),
    onUnresponsive: (pid, reason) => log.warn({ pid, reason }, 'embedded PostgreSQL accepts no connections; ending it'),
    onEnded: (pid) => log.warn({ pid }, 'embedded PostgreSQL has ended; starting it again'),
    onRestarted: (pid, awayMs) => log.info({ pid, awayMs }, 'embedded PostgreSQL is ready again'),
    onFailed,
  })
  log.info({ pid: server.pid(), adopted: server.adopted, dataDir: config.DATA_DIR }, 'embedded PostgreSQL is ready')
  return server
}
