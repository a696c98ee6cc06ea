// What deploy/count-rows.sql counts, by which a backup and its restore are compared.
import { readFileSync } from 'node:fs'
import test from 'ava'
import { makeDatabase, type TestDatabase } from '../_kit/db.ts'

const file = readFileSync(new URL('../../deploy/count-rows.sql', import.meta.url), 'utf8')

let database: TestDatabase
test.before(async () => {
  database = await makeDatabase()
})
test.after.always(async () => await database.stop())

/** Does what psql does at `\gexec`: runs the query, then each statement that it returns. */
async function countRows(): Promise<Map<unknown, unknown>> {
  const statements = await database.query<{ format: string }>(file.replace('\\gexec', ''))
  const counted = new Map<unknown, unknown>()
  for (const { format } of statements) {
    const [row] = await database.query(format)
    counted.set(...(Object.values(row ?? {}) as [unknown, unknown]))
  }
  return counted
}

test('the rows of the tables of all schemas are counted, those of public by their bare names and first', async (t) => {
  const before = await countRows()
  t.true(before.has('workspaces') && before.has('events'))
  t.deepEqual(
    [...before.keys()].filter((name) => String(name).includes('.')),
    [],
    'none of the system',
  )
  await database.query('create schema "timescaledb_ and others"')
  await database.query('create table "timescaledb_ and others".events as select generate_series(1, 3) as id')
  const after = await countRows()
  t.deepEqual([...after], [...before, ['timescaledb_ and others.events', '3']])
})
