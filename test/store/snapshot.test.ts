// Reads in one snapshot: opened by the first statement, ended without waiting, over connections that are reused.
import test from 'ava'
import { Outage } from '../../src/base/fault.ts'
import { type CopiedRow, readBoolean, readDouble, readText, required } from '../../src/store/copy-out.ts'
import type { Database, Snapshot } from '../../src/store/database.ts'
import { makeDatabase, openTestPool, type TestDatabase } from '../_kit/db.ts'

let base: TestDatabase
test.before(async () => {
  base = await makeDatabase()
  await base.query('create table numbers (n int)')
})
test.after.always(async () => await base.stop())

async function copy<T>(tx: Snapshot, query: string, read: (row: CopiedRow) => T): Promise<T[]> {
  const seen: T[] = []
  await tx.copyOut([{ query, take: (row) => seen.push(read(row)) }])
  return seen
}

const count = async (tx: Snapshot): Promise<number[]> =>
  await copy(tx, 'select count(*)::float8 from numbers', (row) => required(readDouble(row)))

const openPool = (url: string): Database => openTestPool(url, { name: 'snapshots', maxConnections: 1 })

test.serial(
  'all its statements see the database as the first one did, and the next snapshot what came since',
  async (t) => {
    await base.query('delete from numbers')
    await base.db.snapshot(async (tx) => {
      t.deepEqual(await count(tx), [0])
      await base.query('insert into numbers values (1)')
      t.deepEqual(await count(tx), [0])
      t.deepEqual(await copy(tx, `select current_setting('transaction_isolation')`, readText), ['repeatable read'])
    })
    t.deepEqual(await base.db.snapshot(count), [1])
  },
)

test.serial('a statement by name opens it too', async (t) => {
  await base.query('delete from numbers')
  await base.db.snapshot(async (tx) => {
    await tx.rows('store/read-chunking')
    await base.query('insert into numbers values (1)')
    t.deepEqual(await count(tx), [0])
  })
})

test.serial('its one connection is available again after reads and after failures', async (t) => {
  const db = openPool(base.url)
  t.teardown(async () => await db.stop())
  for (let nth = 0; nth < 20; nth += 1) {
    t.deepEqual((await db.snapshot(count)).length, 1)
    await t.throwsAsync(db.snapshot(async (tx) => await tx.copyOut([{ query: 'select 1/0', take: () => undefined }])))
    await t.throwsAsync(
      db.snapshot(async (tx) => {
        await count(tx)
        throw new Error('the reader failed')
      }),
      { message: 'the reader failed' },
    )
    t.is(await db.snapshot(() => Promise.resolve(nth)), nth)
  }
  t.is(db.counts().total, 1)
  const own = await db.snapshot(
    async (tx) => await copy(tx, 'select pg_current_xact_id_if_assigned() is null', readBoolean),
  )
  t.deepEqual(own, [true])
})

test.serial('a lost connection is an Outage and is replaced', async (t) => {
  const db = openPool(base.url)
  t.teardown(async () => await db.stop())
  const lost = db.snapshot(async (tx) => {
    const [pid] = await copy(tx, 'select pg_backend_pid()::float8', readDouble)
    await base.query('select pg_terminate_backend($1, 5000)', [pid])
    return await count(tx)
  })
  await t.throwsAsync(lost, { instanceOf: Outage })
  t.is((await db.snapshot(count)).length, 1)
})
