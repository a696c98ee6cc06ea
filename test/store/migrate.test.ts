import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import test from 'ava'
import { endWithClient, migrate } from '../../src/store/migrate.ts'
import { loadMigrations, type Migration } from '../../src/store/schema.ts'
import { until } from '../_kit/until.ts'
import { makeEmptyDatabase } from './_empty-database.ts'

const write = (version: number, sql: string, minSchema = 0): Migration => {
  const name = `000${version}_made`
  return { version, name, sql, digest: `digest of ${sql}`, minSchema }
}

test('ten processes that migrate at once apply each migration once', async (t) => {
  const { url, stop } = await makeEmptyDatabase()
  const runs = await Promise.all(Array.from({ length: 10 }, () => migrate(url)))
  t.deepEqual(
    runs.flatMap(({ applied }) => applied).sort(),
    loadMigrations().map(({ name }) => name),
  )
  await stop()
})

test('on a newer schema that it runs on, an older version does nothing and says what it found', async (t) => {
  const { url, query, stop } = await makeEmptyDatabase()
  const [first, second] = [write(1, 'create table a (id int)'), write(2, 'alter table a add column note text')]
  await migrate(url, { migrations: [first, second] })
  t.deepEqual(await migrate(url, { migrations: [first] }), { applied: [], newer: ['0002_made'], grantFault: null })
  t.is((await query('select from schema_migrations')).length, 2)
  await stop()
})

test('an older version is refused by a schema that has taken away what it uses, and the one before that is not', async (t) => {
  const { url, stop } = await makeEmptyDatabase()
  const first = write(1, 'create table a (id int, old int)')
  const second = write(2, 'select 1 -- this release uses a.old no longer')
  await migrate(url, { migrations: [first, second, write(3, 'alter table a drop column old', 2)] })
  await t.throwsAsync(migrate(url, { migrations: [first] }), {
    name: 'SchemaFault',
    message:
      /has migration 0003_made, which needs a version that knows migration 2, but this version knows only 1: run a newer version/,
  })
  t.deepEqual(await migrate(url, { migrations: [first, second] }), {
    applied: [],
    newer: ['0003_made'],
    grantFault: null,
  })
  await stop()
})

test('a migration record from before there were min-schemas is read, and gets them with the next migration', async (t) => {
  const { url, query, stop } = await makeEmptyDatabase()
  await query(`create table schema_migrations (
    version integer primary key, name text not null, digest text not null, applied_at timestamptz not null default now())`)
  const first = write(1, 'select 1')
  await query(`insert into schema_migrations values (1, '0001_made', '${first.digest}')`)
  t.deepEqual(await migrate(url, { migrations: [first] }), { applied: [], newer: [], grantFault: null })
  const second = write(2, 'select 2', 1)
  t.deepEqual((await migrate(url, { migrations: [first, second] })).applied, ['0002_made'])
  t.deepEqual(await query('select version, min_schema from schema_migrations order by 1'), [
    { version: 1, min_schema: 0 },
    { version: 2, min_schema: 1 },
  ])
  await stop()
})

test('a migration that was changed after it had been applied is refused', async (t) => {
  const { url, stop } = await makeEmptyDatabase()
  await migrate(url, { migrations: [write(1, 'select 1')] })
  const changed = [write(1, 'select 1, 1'), write(2, 'create table a (id int)')]
  await t.throwsAsync(migrate(url, { migrations: changed }), { message: /0001_made was changed/ })
  await stop()
})

test('a migration that fails leaves nothing behind and can be repeated', async (t) => {
  const { url, stop } = await makeEmptyDatabase()
  const good = write(1, 'create table a (id int)')
  const bad = write(2, 'create table b (id int); select 1/0')
  await t.throwsAsync(migrate(url, { migrations: [good, bad] }), {
    message: '0002_made failed'.replace(/^/, 'migration '),
  })
  const { applied } = await migrate(url, { migrations: [good, write(2, 'create table b (id int)')] })
  t.deepEqual(applied, ['0002_made'])
  await stop()
})

test('a migration whose connection the server ends reports the message of the server', async (t) => {
  const { url, query, stop } = await makeEmptyDatabase()
  const end = write(1, 'create table a (id int); select pg_terminate_backend(pg_backend_pid())')
  const error = await t.throwsAsync(migrate(url, { migrations: [end] }), { message: 'migration 0001_made failed' })
  t.regex(String(error.cause), /terminating connection due to administrator command/)
  t.deepEqual(await query('select from schema_migrations'), [])
  await stop()
})

test('a migration waits for a table in use a few times; other sessions run in between, and then it is applied', async (t) => {
  const { url, connect, query, stop } = await makeEmptyDatabase()
  const first = write(1, 'create table a (id int)')
  await migrate(url, { migrations: [first] })
  const holder = await connect()
  await holder.query('begin; select from a')
  const tries: number[] = []
  const migrating = migrate(url, {
    migrations: [first, write(2, 'alter table a add column note text')],
    lockTimeoutMs: 200,
    pauseMs: 200,
    tries: 50,
    onBusy: (_name, attempt) => tries.push(attempt),
  })
  await until(() => tries.length >= 2)
  // Between two attempts it blocks no one.
  await query('insert into a values (1)')
  await holder.query('commit')
  await holder.end()
  t.deepEqual((await migrating).applied, ['0002_made'])
  t.deepEqual(tries.slice(0, 2), [1, 2])
  await stop()
})

test('a migration fails as a whole, with a clear error, if a table stays in use', async (t) => {
  const { url, connect, query, stop } = await makeEmptyDatabase()
  const first = write(1, 'create table a (id int)')
  await migrate(url, { migrations: [first] })
  const holder = await connect()
  await holder.query('begin; select from a')
  const second = write(2, 'create table b (id int); alter table a add column note text')
  await t.throwsAsync(migrate(url, { migrations: [first, second], lockTimeoutMs: 50, pauseMs: 1, tries: 3 }), {
    message: /0002_made is not applied: it did not get its locks in 3 attempts of 50 ms. Look in pg_stat_activity/,
  })
  await holder.end()
  t.deepEqual(await query("select to_regclass('b') as b"), [{ b: null }])
  t.deepEqual((await migrate(url, { migrations: [first, second] })).applied, ['0002_made'])
  await stop()
})

const concurrent = `-- no-transaction
-- An index that is built while others write; a half-built one of before goes first.
drop index concurrently if exists a_by_id;
create index concurrently a_by_id on a (id);`

test('an index is built concurrently beside rivals that wait to migrate', async (t) => {
  const { url, query, stop } = await makeEmptyDatabase()
  const migrations = [write(1, 'create table a (id int)'), write(2, concurrent)]
  const runs = await Promise.all(Array.from({ length: 4 }, () => migrate(url, { migrations })))
  t.deepEqual(runs.flatMap(({ applied }) => applied).sort(), ['0001_made', '0002_made'])
  t.deepEqual(await query("select indisvalid from pg_index where indexrelid = 'a_by_id'::regclass"), [
    { indisvalid: true },
  ])
  await stop()
})

test('an index that was left half-built is built again', async (t) => {
  const { url, query, stop } = await makeEmptyDatabase()
  const migrations = [write(1, 'create table a (id int)'), write(2, concurrent)]
  await migrate(url, { migrations: migrations.slice(0, 1) })
  await query('create index a_by_id on a (id)')
  await query("update pg_index set indisvalid = false where indexrelid = 'a_by_id'::regclass")
  t.deepEqual((await migrate(url, { migrations })).applied, ['0002_made'])
  t.deepEqual(await query("select indisvalid from pg_index where indexrelid = 'a_by_id'::regclass"), [
    { indisvalid: true },
  ])
  await stop()
})

test('an index on events is built in the way that their tables allow', async (t) => {
  const { url, query, stop } = await makeEmptyDatabase()
  const known = loadMigrations()
  const sql = `-- no-transaction
-- Chunks have no concurrent index.
-- on plain tables
drop index concurrently if exists events_by_model;
create index concurrently events_by_model on events (workspace_id, model);
-- on chunks
drop index if exists events_by_model;
create index events_by_model on events (workspace_id, model) with (timescaledb.transaction_per_chunk);`
  const next = { ...write(9, sql), version: known.length + 1 }
  t.is((await migrate(url, { migrations: [...known, next] })).applied.at(-1), '0009_made')
  t.deepEqual(await query("select indisvalid from pg_index where indexrelid = 'events_by_model'::regclass"), [
    { indisvalid: true },
  ])
  await stop()
})

test('a server that cannot notice closed connections is migrated all the same, and no other error is ignored', async (t) => {
  const asked: string[] = []
  const failWith = (code: string) => ({
    query: async (sql: string) => {
      asked.push(sql)
      if (sql.includes('client_connection_check_interval')) throw Object.assign(new Error('refused'), { code })
    },
  })
  await endWithClient(failWith('22023'))
  t.deepEqual(asked, [
    'set tcp_keepalives_idle = 30; set tcp_keepalives_interval = 10; set tcp_keepalives_count = 3',
    "set client_connection_check_interval = '2s'",
  ])
  await t.throwsAsync(endWithClient(failWith('57P01')), { message: 'refused' })
})

const module = fileURLToPath(new URL('../../src/store/migrate.ts', import.meta.url))

test('PostgreSQL ends a migration whose process was killed', async (t) => {
  const { url, query, stop } = await makeEmptyDatabase()
  const script = `import { migrate } from ${JSON.stringify(module)}
    await migrate(${JSON.stringify(url)}, { migrations: [${JSON.stringify(write(1, 'select pg_sleep(600)'))}] })`
  const child = spawn(process.execPath, ['--input-type=module', '--eval', script], { stdio: 'inherit' })
  t.teardown(() => child.kill('SIGKILL'))
  const list = () =>
    query("select from pg_stat_activity where datname = current_database() and query ~ '^select pg_sleep'")
  await until(async () => (await list()).length === 1)
  child.kill('SIGKILL')
  await until(async () => (await list()).length === 0)
  // The next attempt gets the lock at once, and the interrupted one has left nothing.
  t.deepEqual((await migrate(url, { migrations: [write(1, 'select 1')], rivalMs: 5_000 })).applied, ['0001_made'])
  await stop()
})
