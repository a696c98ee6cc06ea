// Behind PgBouncer: session mode works with its defaults, transaction mode is refused.
import test from 'ava'
import pg from 'pg'
import { migrate } from '../../src/store/migrate.ts'
import { refuseTransactionPooler } from '../../src/store/refuse-pooler.ts'
import { loadMigrations } from '../../src/store/schema.ts'
import { becomeSingleOwner } from '../../src/store/single-owner.ts'
import { loadStatements } from '../../src/store/statements.ts'
import { openTestPool } from '../_kit/db.ts'
import { startPgBouncer } from '../_kit/pgbouncer.ts'
import { type EmptyDatabase, makeEmptyDatabase } from './_empty-database.ts'

/** Returns the sessions of one database that hold the advisory lock of a migration or of a service. */
const listLockers = ({ query }: EmptyDatabase): Promise<object[]> =>
  query(`select pid from pg_locks where locktype = 'advisory' and objid in (7277411, 7277412)
           and database = (select oid from pg_database where datname = current_database())`)

const refusal = { message: /^the database URL points to a connection pooler in transaction mode/ }

/** PgBouncer's rules for assigning sessions, and their maximum. */
const transactionModes = {
  'the session that was used last': {},
  'all sessions in turn': { server_round_robin: '1' },
  'one session for all': { default_pool_size: '1' },
  'single statements': { pool_mode: 'statement' },
}

for (const [rule, settings] of Object.entries(transactionModes))
  test(`a pooler in transaction mode is refused before anything is done: ${rule}`, async (t) => {
    const database = await makeEmptyDatabase()
    const { url, query, stop } = database
    t.teardown(stop)
    const pooler = await startPgBouncer(url, { pool_mode: 'transaction', ...settings })
    t.teardown(pooler.stop)
    // It has several free sessions to choose from.
    const clients = await Promise.all(
      [0, 1, 2].map(async () => {
        const client = new pg.Client({ connectionString: pooler.url })
        await client.connect()
        return client
      }),
    )
    await Promise.all(clients.map((client) => client.query('select pg_sleep(0.1)')))
    await t.throwsAsync(migrate(pooler.url), refusal)
    await t.throwsAsync(becomeSingleOwner({ url: pooler.url, onLost: () => t.fail() }), refusal)
    await Promise.all(clients.map((client) => client.end()))
    t.deepEqual(await query("select to_regclass('schema_migrations') as made"), [{ made: null }])
    t.deepEqual(await listLockers(database), [])
  })

test('a pooler in session mode with its defaults serves migrations, the lock of a process and its pools', async (t) => {
  const { url, stop } = await makeEmptyDatabase()
  t.teardown(stop)
  const pooler = await startPgBouncer(url, {})
  t.teardown(pooler.stop)
  t.is((await migrate(pooler.url)).applied.length, loadMigrations().length)
  const owner = await becomeSingleOwner({ url: pooler.url, onLost: () => t.fail() })
  const db = openTestPool(pooler.url, {
    statements: new Map([
      ...loadStatements(),
      [
        'settings',
        `select current_setting('statement_timeout') as timeout, current_setting('idle_in_transaction_session_timeout') as idle, current_setting('timezone') as zone, current_setting('enable_seqscan') as seqscan, current_setting('plan_cache_mode') as plans, current_setting('timescaledb.max_tuples_decompressed_per_dml_transaction') as decompressed`,
      ],
    ]),
    name: 'test',
    maxConnections: 2,
    statementTimeoutMs: 7_000,
    idleInTransactionMs: 1_500,
    keyLookups: true,
  })
  const expected = {
    timeout: '7s',
    idle: '1500ms',
    zone: 'UTC',
    seqscan: 'off',
    plans: 'auto',
    decompressed: '0',
  }
  t.deepEqual(await db.row('settings'), expected)
  // The first statement of a new connection has them too; no transaction is idle while the connection is opened, which may take longer than
  // the idle limit.
  t.deepEqual(await Promise.all([db.row('settings'), db.row('settings')]), [expected, expected])
  t.is(db.counts().total, 2)
  await db.stop()
  await owner.release()
})

test('a pooler in session mode whose sessions are all in use is no pooler in transaction mode', async (t) => {
  const { url, stop } = await makeEmptyDatabase()
  t.teardown(stop)
  const pooler = await startPgBouncer(url, { default_pool_size: '1' })
  t.teardown(pooler.stop)
  await t.notThrowsAsync(refuseTransactionPooler(pooler.url))
})

test('a process that waits to migrate reports at once which one it waits for, and the lock is free when a migration ends', async (t) => {
  const database = await makeEmptyDatabase()
  const { url, connect, stop } = database
  t.teardown(stop)
  const holder = await connect()
  await holder.query("set application_name = 'forgotten'; select pg_advisory_lock(7277411)")
  const told: { pid: number; application: string | null; state: string | null }[] = []
  const migrations = loadMigrations().slice(0, 1)
  await t.throwsAsync(migrate(url, { migrations, rivalMs: 0, onRival: (one) => told.push(one) }), {
    message:
      /for 0 s: session \d+ of forgotten at 127\.0\.0\.1 has its lock \(idle since 20.*pg_terminate_backend\(\d+\)/,
  })
  t.like(told, [{ application: 'forgotten', state: 'idle' }])
  t.is(told.length, 1)
  await holder.end()

  // The session outlives the migration, as a pooler keeps it.
  const pooler = await startPgBouncer(url, { server_reset_query: '' })
  t.teardown(pooler.stop)
  await migrate(pooler.url, { migrations })
  t.deepEqual(await listLockers(database), [])
})
