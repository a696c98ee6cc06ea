import { randomBytes } from 'node:crypto'
import test from 'ava'
import pg from 'pg'
import { loadMigrations, migrate } from '../../src/store/migrate.ts'

async function makeEmptyDatabase(): Promise<{ url: string; drop: () => Promise<void> }> {
  const adminUrl = process.env['TEST_DATABASE_URL'] ?? ''
  const name = `empty_${randomBytes(6).toString('hex')}`
  const run = async (statement: string): Promise<void> => {
    const client = new pg.Client({ connectionString: adminUrl })
    await client.connect()
    await client.query(statement)
    await client.end()
  }
  await run(`create database ${name}`)
  const url = new URL(adminUrl)
  url.pathname = `/${name}`
  return { url: url.href, drop: () => run(`drop database ${name} with (force)`) }
}

test('ten processes that migrate at once apply each migration once', async (t) => {
  const { url, drop } = await makeEmptyDatabase()
  const runs = await Promise.all(Array.from({ length: 10 }, () => migrate(url)))
  t.deepEqual(
    runs.flat().sort(),
    loadMigrations().map(({ name }) => name),
  )
  await drop()
})

test('a database that is newer than the code is refused', async (t) => {
  const { url, drop } = await makeEmptyDatabase()
  const all = loadMigrations()
  await migrate(url, all)
  await t.throwsAsync(migrate(url, all.slice(0, -1)), { message: /newer version/ })
  await drop()
})

test('a migration that was changed after it had been applied is refused', async (t) => {
  const { url, drop } = await makeEmptyDatabase()
  await migrate(url, loadMigrations().slice(0, 1))
  const changed = loadMigrations().map((migration) =>
    migration.version === 1 ? { ...migration, digest: 'other' } : migration,
  )
  await t.throwsAsync(migrate(url, changed), { message: /was changed/ })
  await drop()
})

test('a migration that fails leaves nothing behind and can be repeated', async (t) => {
  const { url, drop } = await makeEmptyDatabase()
  const good = { version: 1, name: '0001_good', sql: 'create table a (id int)', digest: 'x' }
  const bad = { version: 2, name: '0002_bad', sql: 'create table b (id int); select 1/0', digest: 'y' }
  await t.throwsAsync(migrate(url, [good, bad]), { message: /0002_bad failed/ })
  t.deepEqual(await migrate(url, [good, { ...bad, sql: 'create table b (id int)' }]), ['0002_bad'])
  await drop()
})
