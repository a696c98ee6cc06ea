// Brings a database to the schema of this code: numbered files, forward only, one at a time, while a service may be running.
import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { connectInTime, makeBriefClient } from './brief-client.ts'
import { endClient } from './end-client.ts'
import { applyGrants } from './grants.ts'
import { type LockHolder, releaseMigrationLock, takeMigrationLock } from './migration-lock.ts'
import { refuseTransactionPooler } from './refuse-pooler.ts'
import { loadMigrations, type Migration, readSchema } from './schema.ts'
import { chooseStatements, hasTableVariants } from './split-sql.ts'
import { isLockedOut, readSqlstate, sqlstate } from './sqlstate.ts'

export type MigrateOptions = {
  /** Replaces the migrations of this code. Their tables get no grants. */
  readonly migrations?: readonly Migration[]
  /** How long a statement waits for a lock. Statements of other sessions that queue behind it on that table wait as long. */
  readonly lockTimeoutMs?: number
  /** How often a migration is attempted while its tables are in use. */
  readonly tries?: number
  /** The pause between two attempts, in which sessions that queued behind the first can run. */
  readonly pauseMs?: number
  /** How long to wait for another process that migrates. */
  readonly rivalMs?: number
  /** Called when another process migrates and is waited for. */
  readonly onRival?: (holder: LockHolder) => void
  /** Called when a table was in use and the migration will be tried again. */
  readonly onBusy?: (migration: string, attempt: number) => void
}

export type Migrated = {
  /** Names of the migrations that this call applied. */
  readonly applied: readonly string[]
  /** Names of the migrations that a newer release has applied. */
  readonly newer: readonly string[]
  /** Why the roles and privileges of sql/grants.sql could not be brought up to date; null if they are. */
  readonly grantFault: string | null
}

const patient = { lockTimeoutMs: 5_000, tries: 10, pauseMs: 1_000 }

/**
 * Applies the missing migrations; several processes may call it at once. A file whose first line says `-- no-transaction` runs outside a
 * transaction, one statement at a time, and must be repeatable. On a newer schema that this code supports, applies nothing. Throws
 * SchemaFault if the code does not support the schema or an applied file was changed. Throws if tables stay in use during all attempts.
 * Refuses a URL that leads through a pooler in transaction mode, which would keep the lock after the connection has ended.
 */
export async function migrate(url: string, options: MigrateOptions = {}): Promise<Migrated> {
  const { migrations = loadMigrations(), rivalMs = 15 * 60_000, onRival, ...timeouts } = { ...patient, ...options }
  await refuseTransactionPooler(url)
  const client = makeBriefClient(url, 'tracewright-migrate')
  await connectInTime(client)
  try {
    // The role may have limits that suit requests.
    await client.query(
      `set statement_timeout = 0; set idle_in_transaction_session_timeout = 0; set lock_timeout = ${timeouts.lockTimeoutMs}`,
    )
    await endWithClient(client)
    await takeMigrationLock(client, { waitMs: rivalMs, ...(onRival === undefined ? {} : { onRival }) })
    const { missing, newer } = await readSchema(client, migrations)
    if (missing.length > 0) await makeRecord(client)
    for (const migration of missing) await applyWithRetries(client, migration, timeouts)
    // A newer release has already granted the privileges that it needs.
    const isOurs = options.migrations === undefined && newer.length === 0
    const grantFault = isOurs ? await retryWhileLocked('the grants', timeouts, () => applyGrants(client)) : null
    return { applied: missing.map(({ name }) => name), newer, grantFault }
  } finally {
    await releaseMigrationLock(client)
    await endClient(client)
  }
}

/**
 * Makes PostgreSQL end a statement whose client is gone: within seconds if the process was killed, within a minute if its machine was lost.
 * By default it would complete the statement, keep the lock from the next attempt meanwhile, and then roll the migration back. A server whose
 * system does not report closed connections (Windows) refuses the first setting, and keeps the default.
 */
export async function endWithClient(client: { readonly query: (sql: string) => Promise<unknown> }): Promise<void> {
  await client.query('set tcp_keepalives_idle = 30; set tcp_keepalives_interval = 10; set tcp_keepalives_count = 3')
  try {
    await client.query("set client_connection_check_interval = '2s'")
  } catch (error) {
    if (readSqlstate(error) !== sqlstate.invalidParameterValue) throw error
  }
}

async function makeRecord(client: pg.Client): Promise<void> {
  await client.query(
    `create table if not exists schema_migrations (
       version integer primary key, name text not null, digest text not null, applied_at timestamptz not null default now())`,
  )
  await client.query('alter table schema_migrations add column if not exists min_schema integer not null default 0')
}

type LockRetries = typeof patient & Pick<MigrateOptions, 'onBusy'>

async function applyWithRetries(client: pg.Client, migration: Migration, timeouts: LockRetries): Promise<void> {
  const apply = migration.sql.startsWith('-- no-transaction') ? applySteps : applyWhole
  await retryWhileLocked(`migration ${migration.name}`, timeouts, () =>
    apply(client, migration, timeouts.lockTimeoutMs),
  )
}

async function retryWhileLocked<T>(what: string, timeouts: LockRetries, apply: () => Promise<T>): Promise<T> {
  const { lockTimeoutMs, tries, pauseMs, onBusy } = timeouts
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await apply()
    } catch (error) {
      if (!isLockedOut(error)) throw new Error(`${what} failed`, { cause: error })
      if (attempt >= tries)
        throw new Error(
          `${what} is not applied: it did not get its locks in ${tries} attempts of ${lockTimeoutMs} ms. Look in pg_stat_activity for the session that locks a table, then run the migration again`,
          { cause: error },
        )
      onBusy?.(what.replace(/^migration /, ''), attempt)
      await sleep(pauseMs)
    }
  }
}

async function applyWhole(client: pg.Client, migration: Migration): Promise<void> {
  await client.query('begin')
  try {
    // The record is written first: a rival that slipped past the lock conflicts here before it changes anything.
    await record(client, migration)
    await client.query(migration.sql)
    await client.query('commit')
  } catch (error) {
    // On a lost connection the rollback fails too, with an error that says less than the original one.
    await client.query('rollback').catch(() => undefined)
    throw error
  }
}

/** Sends one statement at a time: several in one message would be a transaction. */
async function applySteps(client: pg.Client, migration: Migration, lockTimeoutMs: number): Promise<void> {
  const isChunked = hasTableVariants(migration.sql) && (await hasChunks(client))
  for (const statement of chooseStatements(migration.sql, isChunked)) {
    // A CONCURRENTLY statement blocks no other session while it waits, and would leave half an index behind if it timed out.
    await client.query(`set lock_timeout = ${/\bconcurrently\b/i.test(statement) ? 0 : lockTimeoutMs}`)
    await client.query(statement)
  }
  await client.query(`set lock_timeout = ${lockTimeoutMs}`)
  await record(client, migration)
}

async function hasChunks(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query('select from list_chunked_tables() limit 1')
  return rows.length > 0
}

async function record(client: pg.Client, { version, name, digest, minSchema }: Migration): Promise<void> {
  await client.query('insert into schema_migrations (version, name, digest, min_schema) values ($1, $2, $3, $4)', [
    version,
    name,
    digest,
    minSchema,
  ])
}
