import test from 'ava'
import { sweepAccounts } from '../../src/accounts/sweep.ts'
import { makeDatabase, type TestDatabase } from '../_kit/db.ts'

let database: TestDatabase
test.before(async () => {
  database = await makeDatabase()
})
test.after.always(async () => await database.stop())

const signal = new AbortController().signal

test('one sweep removes all windows that have ended, however many, and no others', async (t) => {
  // More than a batch.
  await database.query(
    `insert into throttles (key, points, expires_at)
     select 'over ' || n, 1, timestamptz '2026-01-01T00:00:00Z' from generate_series(1, 10001) n
     union all select 'open', 1, '2026-01-01T01:00:00Z'`,
  )
  await sweepAccounts(database.db, new Date('2026-01-01T00:30:00Z'), signal)
  t.deepEqual(await database.query('select key from throttles'), [{ key: 'open' }])
})
