import { randomBytes } from 'node:crypto'
import test from 'ava'
import { readConfig } from '../../src/config.ts'
import { openDatabases } from '../../src/roles/databases.ts'
import { readChunking } from '../../src/store/chunks.ts'
import { readText } from '../../src/store/copy-out.ts'
import type { Database } from '../../src/store/database.ts'
import { makeDatabase } from '../_kit/db.ts'
import { untilFound } from '../_kit/until.ts'
import { keepLines } from './_log.ts'

/** Returns the time after which PostgreSQL ends a transaction that waits for its client. */
async function readIdleInTransaction(db: Database): Promise<string | null> {
  let setting: string | null = null
  const query = `select current_setting('idle_in_transaction_session_timeout')`
  await db.snapshot(async (tx) => await tx.copyOut([{ query, take: (row) => (setting = readText(row)) }]))
  return setting
}

test('the start says in one line what the tables of events are; a front that freezes holds rows for 1.5 s', async (t) => {
  const base = await makeDatabase()
  const { log, lines } = keepLines()
  const config = readConfig({
    TRACEWRIGHT_DATABASE_URL: base.url,
    TRACEWRIGHT_SECRET: randomBytes(32).toString('base64url'),
    TRACEWRIGHT_CHUNK_INTERVAL_H: '6',
  })
  const databases = await openDatabases(config, log, () => undefined)
  const { chunked } = await readChunking(databases.control)
  const idleMs = await readIdleInTransaction(databases.ingest)
  await databases.stop()
  t.is(idleMs, '1500ms')
  const told = lines.filter((line) => line.includes('TimescaleDB'))
  t.deepEqual(told, [
    chunked
      ? 'info TimescaleDB stores events in chunks'
      : 'info TimescaleDB is not installed: events are stored in plain tables',
  ])
  if (chunked)
    t.deepEqual(await base.query('select distinct time_interval::text as i from timescaledb_information.dimensions'), [
      { i: '06:00:00' },
    ])
  await base.stop()
})

test('a pool that does not close keeps nothing else from being released', async (t) => {
  const base = await makeDatabase()
  t.teardown(base.stop)
  const config = readConfig({
    TRACEWRIGHT_DATABASE_URL: base.url,
    TRACEWRIGHT_SECRET: randomBytes(32).toString('base64url'),
  })
  const { log } = keepLines()
  const databases = await openDatabases(config, log, () => undefined)
  // A pool can be closed only once.
  await databases.control.stop()
  await t.throwsAsync(databases.stop(), { message: 'some components did not stop' })
  // The lock of the database becomes free, once the server has noticed the end of its session.
  const next = await untilFound(
    async () =>
      await openDatabases(config, log, () => undefined).catch((error: Error) => {
        if (!error.message.includes('already runs on this database')) throw error
        return null
      }),
  )
  await next.stop()
})
