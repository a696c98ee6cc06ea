// A pool of PostgreSQL connections that runs named statements and tells outages from data faults.
import pg from 'pg'
import { type Ask, ask, type Done, explain, guard, guardConnect, type OnFailure } from './ask.ts'
import { CopyIn } from './copy-in.ts'
import { makeScopes, readScope } from './scope.ts'
import type { Statements } from './statements.ts'

export type DatabaseOptions = {
  readonly url: string
  readonly statements: Statements
  /** Shown in pg_stat_activity; one pool a purpose, so that slow reads cannot starve ingest. */
  readonly name: string
  readonly maxConnections: number
  readonly statementTimeoutMs: number
  /** How long a caller waits for a free connection before it gets an Outage. */
  readonly acquireTimeoutMs: number
  /** After how long PostgreSQL ends a transaction whose process sends nothing more, and releases its locks; 30 s where not given. */
  readonly idleInTransactionMs?: number
  /** Plans each execution for its own parameters: right for lists whose filters are optional. */
  readonly customPlans?: boolean
  /**
   * Statements look rows up by their whole keys, many at once. A plan that was made while a table was small must not read all of it
   * for each key when it has grown. And TimescaleDB asks for each key which chunks cannot hold it, which costs ten times what
   * looking into a chunk's index does: chunks are left out by the statement's own bounds alone.
   */
  readonly keyLookups?: boolean
  /** Told of a connection that broke while idle. */
  readonly onIdleError: (error: Error) => void
}

/** Runs statements by name. Rows come back as plain objects in the columns' own names. Throws Outage where a retry may help. */
export type Runner = {
  rows<Row extends object>(statement: string, values?: readonly unknown[]): Promise<Row[]>
  /** The first row, or null. */
  row<Row extends object>(statement: string, values?: readonly unknown[]): Promise<Row | null>
  /** How many rows the statement changed. */
  run(statement: string, values?: readonly unknown[]): Promise<number>
}

/** The connection of a transaction, for COPY alone: everything else goes by name. */
export type CopyConnection = {
  readonly client: pg.ClientBase
  /** For the `query_timeout` of what `client` is given: how long it may take. */
  readonly queryTimeoutMs: number
}

/** One open transaction. A statement is on its way when the call returns: those of calls that nobody waited between take one round trip. */
export type Tx = Runner &
  CopyConnection & {
    /** Sends a statement whose answer the commit waits for: where it fails, nothing is committed, and `tx` throws what it threw. */
    send(statement: string, values?: readonly unknown[]): void
    /** The same for `copy … from stdin`. The bytes are read until `tx` ends. */
    copy(statement: string, parts: readonly Uint8Array[]): void
  }

export type TxOptions = {
  /** All its statements see the database as the first one did, and a row that was changed since fails it (40001). */
  readonly snapshot?: boolean
  /** The work reads or locks before it writes, and waits for the answer: BEGIN goes with its first statements. */
  readonly readsFirst?: boolean
}

/** One transaction that only reads, all of it as of its first statement. BEGIN goes with that. */
export type Snapshot = Runner & CopyConnection

export type Database = Runner & {
  /**
   * Runs the work in one transaction; commits when it resolves, rolls back when it throws. A lost COMMIT is an Outage: its outcome is
   * unknown.
   */
  tx<T>(work: (tx: Tx) => Promise<T>, options?: TxOptions): Promise<T>
  /** Runs reads in one snapshot. Its end is not waited for, since nothing depends on it. */
  snapshot<T>(work: (tx: Snapshot) => Promise<T>): Promise<T>
  /** Connections that are open, idle, and callers that wait for one. */
  counts(): { total: number; idle: number; waiting: number }
  stop(): Promise<void>
}

const int8Oid = 20
const dateOid = 1082

// int8 counts stay far below 2^53; a date stays the text that PostgreSQL wrote, since a Date would shift it by the zone.
const types = {
  getTypeParser: (oid: number) => {
    if (oid === int8Oid) return Number
    return oid === dateOid ? (text: string) => text : pg.types.getTypeParser(oid)
  },
}

/** Opens a pool; connects lazily. */
export function openDatabase(options: DatabaseOptions): Database {
  const pool = new pg.Pool({
    connectionString: options.url,
    application_name: `tracewright-${options.name}`,
    max: options.maxConnections,
    connectionTimeoutMillis: options.acquireTimeoutMs,
    idleTimeoutMillis: 60_000,
    // Statements are sent without waiting for the answers before them.
    pipeline: true,
    types,
  })
  let stopping = false
  // A server that ends with its service closes connections that the pool is just closing itself.
  pool.on('error', (error) => (stopping ? undefined : options.onIdleError(error)))

  // A connection that dies between two statements tells only this listener; the next statement fails for itself. From the start, since a
  // server that ends may say so in the very packet that completes the connection, before whoever asked for it has got it.
  const lastWords = new WeakMap<object, Error>()
  const settings = describeSession(options)
  pool.on('connect', (client) => {
    client.on('error', (error) => lastWords.set(client, lastWords.get(client) ?? error))
    // Goes ahead of the borrower's first statement and costs no round trip. Without its bounds no statement may run.
    client.query(settings, (error) => (error instanceof Error ? client.connection.stream.destroy() : undefined))
  })

  const begin = 'begin isolation level repeatable read'
  // Of a server that answers, the statement's own timeout comes first.
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
      const send = (done: Done<undefined>): void =>
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
      // Waited for at the end; work that throws before that has the failure told by what it threw.
      answer.catch(() => undefined)
      sent.push(answer)
    }
    let broken = false
    try {
      const begun = run({ text: snapshot ? begin : 'begin' })
      add(begun)
      if (!readsFirst) await begun
      // What is read where BEGIN has failed was not read in the transaction.
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
      // A statement that the driver refused never reached the server, which would commit the others.
      if (!isRefused) add(run({ text: 'commit' }))
      for (const answer of sent) await answer
      return result
    } catch (error) {
      const isEnded = await end(run, 'rollback')
      // A prepared statement that the driver refused to send again is lost to the connection.
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
    // What failed may have left anything behind.
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

/** Set after connecting: a pooler refuses a connection that names settings which it does not know in its first message, as PgBouncer does. */
function describeSession(options: DatabaseOptions): string {
  const settings = [
    `statement_timeout = ${options.statementTimeoutMs}`,
    `idle_in_transaction_session_timeout = ${options.idleInTransactionMs ?? 30_000}`,
    "timezone = 'UTC'",
    // A user may change its own defaults. What whoever stole its password has left there must not reach the service.
    'default_transaction_read_only = off',
    ...(/search_path/i.test(new URL(options.url).searchParams.get('options') ?? '') ? [] : ['search_path = public']),
    // TimescaleDB refuses to open more columns of old chunks than this in one transaction: a late span, settling and purging must
    // never fail for it. A plain PostgreSQL takes the name for one of our own.
    'timescaledb.max_tuples_decompressed_per_dml_transaction = 0',
    ...(options.customPlans === true ? ['plan_cache_mode = force_custom_plan'] : []),
    ...(options.keyLookups === true ? ['enable_seqscan = off', 'timescaledb.enable_runtime_exclusion = off'] : []),
  ]
  return settings.map((setting) => `set ${setting}`).join('; ')
}

/** All four are on their way at once, so that the scope costs no round trip. Where one fails, COMMIT rolls back. */
async function runScoped(run: Ask, naming: pg.QueryConfig, query: pg.QueryConfig): Promise<pg.QueryResult> {
  const answers = [run({ text: 'begin' }), run(naming), run(query), run({ text: 'commit' })] as const
  return (await Promise.all(answers))[2]
}

type ScopedAsk = (query: pg.QueryConfig, scope: string) => Promise<pg.QueryResult>

function makeRunner(run: ScopedAsk, statements: Statements): Runner {
  async function query<Row extends object>(name: string, values: readonly unknown[]): Promise<pg.QueryResult<Row>> {
    const text = statements.get(name)
    if (text === undefined) throw new Error(`unknown statement ${name}`)
    const scope = readScope(name, text, values)
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

/** Ends a transaction. False where even that failed, so that the connection must be thrown away. */
async function end(run: Ask, how: 'commit' | 'rollback'): Promise<boolean> {
  try {
    await run({ text: how })
    return true
  } catch {
    // The work's own failure is already on its way to the caller, and what was read is good: this only says that the connection is gone.
    return false
  }
}
