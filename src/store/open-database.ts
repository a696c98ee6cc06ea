// A pool of PostgreSQL connections that runs named statements and distinguishes outages from data faults.
import pg from 'pg'
import { guardConnect } from './ask.ts'
import type { Database } from './database.ts'
import type { Statements } from './statements.ts'
import { makeTransactions } from './transaction.ts'

export type DatabaseOptions = {
  readonly url: string
  readonly statements: Statements
  /** Shown in pg_stat_activity. Each purpose has a pool, so that slow reads cannot starve ingest. */
  readonly name: string
  readonly maxConnections: number
  readonly statementTimeoutMs: number
  /** How long a caller waits for a free connection before it gets an Outage. */
  readonly acquireTimeoutMs: number
  /** After this time PostgreSQL ends a transaction whose process sends nothing more, and releases its locks. Default: 30 s. */
  readonly idleInTransactionMs?: number
  /** Plans each execution for its actual parameters, which suits lists with optional filters. */
  readonly customPlans?: boolean
  /**
   * For statements that look up many rows at once by their whole keys. Disables sequential scans: a plan that was made while a table was
   * small must not read the whole table for each key once it has grown. Also disables TimescaleDB's runtime exclusion, which checks for
   * each key which chunks cannot hold it and costs ten times a lookup in a chunk's index. Chunks are then excluded by the bounds of the
   * statement alone.
   */
  readonly keyLookups?: boolean
  /** Called when a connection breaks while it is idle. */
  readonly onIdleError: (error: Error) => void
}

const int8Oid = 20
const dateOid = 1082

// int8 counts stay far below 2^53. A date stays text, since a Date would shift it by the time zone.
const types = {
  getTypeParser: (oid: number) => {
    if (oid === int8Oid) return Number
    return oid === dateOid ? (text: string) => text : pg.types.getTypeParser(oid)
  },
}

/** Opens a pool. Connections are made when they are first needed. */
export function openDatabase(options: DatabaseOptions): Database {
  const pool = new pg.Pool({
    connectionString: options.url,
    application_name: `tracewright-${options.name}`,
    max: options.maxConnections,
    connectionTimeoutMillis: options.acquireTimeoutMs,
    idleTimeoutMillis: 60_000,
    // Statements are sent without waiting for the answers to earlier ones.
    pipeline: true,
    types,
  })
  let stopping = false
  // A server that shuts down together with its service closes connections that the pool is closing itself.
  pool.on('error', (error) => (stopping ? undefined : options.onIdleError(error)))

  // Only this listener sees the error of a connection that dies between two statements; the next statement then fails with an error of its
  // own. It listens from the start: a server that shuts down may report it in the packet that completes the connection, before the caller
  // has received the connection.
  const lastWords = new WeakMap<object, Error>()
  const settings = describeSession(options)
  pool.on('connect', (client) => {
    client.on('error', (error) => lastWords.set(client, lastWords.get(client) ?? error))
    // Sent before the borrower's first statement, so it costs no round trip. If it fails, the connection is destroyed, since no statement
    // may run without its limits.
    client.query(settings, (error) => (error instanceof Error ? client.connection.stream.destroy() : undefined))
  })

  const transactions = makeTransactions({
    borrow: async () => await guardConnect(() => pool.connect()),
    statements: options.statements,
    // If the server answers, the statement timeout fires first.
    queryTimeoutMs: options.statementTimeoutMs + 5_000,
    lastWordsOf: (client) => lastWords.get(client),
  })
  return {
    ...transactions,
    counts: () => ({ total: pool.totalCount, idle: pool.idleCount, waiting: pool.waitingCount }),
    stop: () => {
      stopping = true
      return pool.end()
    },
  }
}

/** Sent after connecting: a pooler such as PgBouncer refuses a connection whose startup message names settings that it does not know. */
function describeSession(options: DatabaseOptions): string {
  const settings = [
    `statement_timeout = ${options.statementTimeoutMs}`,
    `idle_in_transaction_session_timeout = ${options.idleInTransactionMs ?? 30_000}`,
    "timezone = 'UTC'",
    // A database user may change its own defaults. Defaults that an attacker left with a stolen password must not affect the service.
    'default_transaction_read_only = off',
    ...(/search_path/i.test(new URL(options.url).searchParams.get('options') ?? '') ? [] : ['search_path = public']),
    // TimescaleDB limits how many rows of old chunks one transaction may decompress; 0 removes the limit, since late spans, settling and
    // purging must never fail because of it. Plain PostgreSQL accepts the name as a custom setting.
    'timescaledb.max_tuples_decompressed_per_dml_transaction = 0',
    ...(options.customPlans === true ? ['plan_cache_mode = force_custom_plan'] : []),
    ...(options.keyLookups === true ? ['enable_seqscan = off', 'timescaledb.enable_runtime_exclusion = off'] : []),
  ]
  return settings.map((setting) => `set ${setting}`).join('; ')
}
