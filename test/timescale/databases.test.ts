// What the start reports about the tables, on hypertables; and when the extension was installed after the tables.
import { randomBytes } from 'node:crypto'
import test from 'ava'
import { readConfig } from '../../src/config.ts'
import { openDatabases } from '../../src/roles/databases.ts'
import { makeDatabase, useTimescale } from '../_kit/db.ts'
import { keepLines } from '../roles/_log.ts'
import '../roles/databases.test.ts'

useTimescale()

test('if TimescaleDB was installed after the tables were created, the log says what to do', async (t) => {
  const base = await makeDatabase()
  for (const table of ['events', 'payload_blocks', 'tool_results']) {
    await base.query(`create table plain_${table} (like ${table} including all)`)
    await base.query(`drop table ${table}`)
    await base.query(`alter table plain_${table} rename to ${table}`)
  }
  const { log, lines } = keepLines()
  const config = readConfig({
    TRACEWRIGHT_DATABASE_URL: base.url,
    TRACEWRIGHT_SECRET: randomBytes(32).toString('base64url'),
  })
  const databases = await openDatabases(config, log, () => undefined)
  await databases.stop()
  t.is(
    lines.filter((line) => /^warn TimescaleDB was installed after the tables .*chunk_tables\(\)/.test(line)).length,
    1,
  )
  t.is(lines.filter((line) => line.includes('TimescaleDB')).length, 1)
  await base.stop()
})
