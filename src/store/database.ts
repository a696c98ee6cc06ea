// A pool of PostgreSQL connections that runs named statements and distinguishes outages from data faults.
import pg from 'pg'
import { type Ask, ask, explain, guard, guardConnect, type OnDone, type OnFailure } from './ask.ts'
import { CopyIn } from './copy-in.ts'
import { makeScopes, readStatementScope } from './scope.ts'
import type { Statements } from './statements.ts'

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

/** Runs statements by name. Rows are plain objects keyed by column name. Throws Outage if a retry may help. */
export type Runner = {
  rows<Row extends object>(statement: string, values?: readonly unknown[]): Promise<Row[]>
  /** The first row, or null. */
  row<Row extends object>(statement: string, values?: readonly unknown[]): Promise<Row | null>
  /** Returns how many rows the statement changed. */
  run(statement: string, values?: readonly unknown[]): Promise<number>
}

/** The connection of a transaction, for COPY only. All other statements are run by name. */
export type CopyConnection = {
  readonly client: pg.ClientBase
  /** The `query_timeout` for queries that are run on `client`. */
  readonly queryTimeoutMs: number
}

/** One open transaction. A call sends its statement before it returns, so calls that are not awaited in between share one round trip. */
export type Tx = Runner &
  CopyConnection & {
    /** Sends a statement whose answer is awaited at the commit. If the statement fails, nothing is committed and `tx` throws its error. */
    send(statement: string, values?: readonly unknown[]): void
    /** Like `send`, for `copy … from stdin`. The bytes may be read until `tx` ends, so they must not change before. */
    copy(statement: string, parts: readonly Uint8Array[]): void
  }

export type TxOptions = {
  /** All statements see the database as of the first one. Changing a row that was changed since then fails with 40001. */
  readonly snapshot?: boolean
  /** The work begins with a read or a lock and awaits its answer. BEGIN is then sent together with its first statements. */
  readonly readsFirst?: boolean
}

/** One transaction for reads, all as of its first statement. BEGIN is sent together with that statement. */
export type Snapshot = Runner & CopyConnection

export type Database = Runner & {
  /**
   * Runs the work in one transaction: commits when it resolves, rolls back when it throws. Throws Outage if the answer to COMMIT is lost,
   * since its outcome is unknown.
   */
  tx<T>(work: (tx: Tx) => Promise<T>, options?: TxOptions): Promise<T>
  /** Runs reads in one snapshot. The end of the transaction is not awaited, since nothing depends on it. */
  snapshot<T>(work: (tx: Snapshot) => Promise<T>): Promise<T>
  /** Numbers of open connections, of idle ones, and of callers that wait for one. */
  counts(): { total: number; idle: number; waiting: number }
  stop(): Promise<void>
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

  const begin = 'begin isolation level repeatable read'
  // If the server answers, the statement timeout fires first.
  const queryTimeoutMs = options.statementTimeoutMs + 5_000
  const runOn =
    (client: pg.PoolClient, onFailure?: OnFailure): Ask =>
    async (query) =>
      await guard(
        async () => await ask<pg.QueryResult>(client, queryTimeoutMs, (done) => client.query(query, done), onFailure),
      )

  const copyOn =
    (client: pg.PoolClient, onFailure: OnFailure) =>
    async (statement: string, parts: readonly Uint8Array[]): Promise<unknown> => {
      const send = (done: OnDone<undefined>): void =>
        void client.query(new CopyIn(statement, parts, (error) => done(error ?? null)))
      return await guard(async () => await ask(client, queryTimeoutMs, send, onFailure))
    }

  const borrow = async (): Promise<pg.PoolClient> => await guardConnect(() => pool.connect())

  async function tx<T>(
    work: (tx: Tx) => Promise<T>,
    { snapshot = false, readsFirst = false }: TxOptions = {},
  ): Promise<T> {
    const client = await borrow()
    const scopes = makeScopes()
    let failure: Error | null = null
    let isRefused = false
    const onFailure: OnFailure = (error, wasRefused) => {
      failure ??= error
      isRefused ||= wasRefused
    }
    const run = runOn(client, onFailure)
    const copy = copyOn(client, onFailure)
    const sent: Promise<unknown>[] = []
    const add = (answer: Promise<unknown>): void => {
      // Awaited at the end. If the work throws before that, its error reports the failure.
      answer.catch(() => undefined)
      sent.push(answer)
    }
    let broken = false
    try {
      const begun = run({ text: snapshot ? begin : 'begin' })
      add(begun)
      if (!readsFirst) await begun
      // If BEGIN failed, the rows were not read in the transaction and must not be returned.
      const runner = makeRunner(async (query, scope) => {
        const naming = scopes.change(scope)
        if (naming !== null) add(run(naming))
        return (await Promise.all([run(query), begun]))[0]
      }, options.statements)
      const result = await work({
        client,
        queryTimeoutMs,
        ...runner,
        send: (statement, values) => add(runner.run(statement, values)),
        copy: (statement, parts) => add(copy(statement, parts)),
      })
      // The server never received a statement that the driver refused, and would commit the others.
      if (!isRefused) add(run({ text: 'commit' }))
      for (const answer of sent) await answer
      return result
    } catch (error) {
      const isEnded = await end(run, 'rollback')
      // A prepared statement that the driver refused to send cannot be sent on this connection again.
      broken = !isEnded || isRefused
      throw explain(error, failure, isEnded ? undefined : lastWords.get(client))
    } finally {
      client.release(broken)
    }
  }

  async function snapshot<T>(work: (tx: Snapshot) => Promise<T>): Promise<T> {
    const client = await borrow()
    const run = runOn(client)
    const scopes = makeScopes()
    try {
      const begun = run({ text: begin })
      const runner = makeRunner(async (query, scope) => {
        const naming = scopes.change(scope)
        return naming === null ? await run(query) : (await Promise.all([run(naming), run(query)]))[1]
      }, options.statements)
      const [result] = await Promise.all([work({ client, queryTimeoutMs, ...runner }), begun])
      void end(run, 'commit').then((ended) => client.release(!ended))
      return result
    } catch (error) {
      client.release(!(await end(run, 'rollback')))
      throw error
    }
  }

  async function runAlone(query: pg.QueryConfig, scope: string): Promise<pg.QueryResult> {
    const client = await borrow()
    const run = runOn(client)
    // A failed statement may have left the connection in any state.
    let broken = true
    try {
      const naming = makeScopes().change(scope)
      const result = naming === null ? await run(query) : await runScoped(run, naming, query)
      broken = false
      return result
    } finally {
      client.release(broken)
    }
  }

  return {
    ...makeRunner(runAlone, options.statements),
    tx,
    snapshot,
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

/** Sends all four statements at once, so that the scope costs no round trip. If one fails, COMMIT rolls back. */
async function runScoped(run: Ask, naming: pg.QueryConfig, query: pg.QueryConfig): Promise<pg.QueryResult> {
  const answers = [run({ text: 'begin' }), run(naming), run(query), run({ text: 'commit' })] as const
  return (await Promise.all(answers))[2]
}

type ScopedAsk = (query: pg.QueryConfig, scope: string) => Promise<pg.QueryResult>

function makeRunner(run: ScopedAsk, statements: Statements): Runner {
  async function query<Row extends object>(name: string, values: readonly unknown[]): Promise<pg.QueryResult<Row>> {
    const text = statements.get(name)
    if (text === undefined) throw new Error(`unknown statement ${name}`)
    const scope = readStatementScope(name, text, values)
    return (await run({ name, text, values: [...values] }, scope)) as pg.QueryResult<Row>
  }
  return {
    rows: async <Row extends object>(name: string, values: readonly unknown[] = []) =>
      (await query<Row>(name, values)).rows,
    row: async <Row extends object>(name: string, values: readonly unknown[] = []) =>
      (await query<Row>(name, values)).rows[0] ?? null,
    run: async (name, values = []) => (await query(name, values)).rowCount ?? 0,
  }
}

/** Ends a transaction. Returns false if that fails, so that the connection must be discarded. */
async function end(run: Ask, how: 'commit' | 'rollback'): Promise<boolean> {
  try {
    await run({ text: how })
    return true
  } catch {
    // The caller already gets the failure of the work, and rows that were read are valid: this error only means that the connection is
    // gone.
    return false
  }
}
