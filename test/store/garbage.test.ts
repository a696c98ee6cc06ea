// Memory that a query leaves is young garbage. If it survived until a full collection, the bytes of all queries would cause one every few
// seconds.
import test from 'ava'
import pg from 'pg'
import { makeDatabase, openTestPool } from '../_kit/db.ts'
import { measureLeft } from '../_kit/young-garbage.ts'

const valueBytes = 20_000
const warm = 50
const times = 100
const name = 'is-null'
const text = 'select $1::bytea is null as is_null'

test('a query leaves nothing that only a full collection frees, as one with a promise of node-pg does', async (t) => {
  const base = await makeDatabase()
  const db = openTestPool(base.url, { statements: new Map([[name, text]]), name: 'garbage', maxConnections: 1 })
  const alone = await measureLeft(warm, times, async () => await db.row(name, [Buffer.alloc(valueBytes)]))
  const inTx = await measureLeft(warm, times, async () => await db.tx((tx) => tx.row(name, [Buffer.alloc(valueBytes)])))
  t.true(alone < valueBytes / 2, `${alone} bytes a query`)
  t.true(inTx < valueBytes / 2, `${inTx} bytes a query in a transaction`)
  await db.stop()

  const client = new pg.Client({ connectionString: base.url })
  await client.connect()
  const driver = async (): Promise<unknown> => await client.query({ name, text, values: [Buffer.alloc(valueBytes)] })
  const byDriver = await measureLeft(warm, times, driver)
  t.true(byDriver > valueBytes / 2, `${byDriver} bytes a query by node-pg's promise`)
  await client.end()
  await base.stop()
})
