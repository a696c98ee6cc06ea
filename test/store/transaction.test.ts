// Transactions whose statements are sent without waiting for each other: all of them take effect or none, whatever fails.
import { Outage } from '../../src/base/fault.ts'
import type { Database } from '../../src/store/database.ts'
import { around } from '../_kit/around.ts'
import { makeDatabase, openTestPool, type TestDatabase } from '../_kit/db.ts'
import { openLink } from '../_kit/link.ts'

const add = 'insert into numbers (n) values ($1)'
const copyNumbers = 'copy numbers (n) from stdin'
const statements = new Map([
  ['add', add],
  ['count', 'select count(*)::int as n from numbers'],
  ['fail', 'insert into numbers (n) select 1 / $1::int'],
  ['pid', 'select pg_backend_pid() as pid'],
  ['begun', 'select pg_current_xact_id_if_assigned() is null as fresh'],
])

const openPool = (url: string, name = 'transactions'): Database =>
  openTestPool(url, { statements, name, maxConnections: 1 })

let base: TestDatabase
let db: Database
const test = around(async () => void (await base.query('truncate numbers')))
test.before(async () => {
  base = await makeDatabase()
  await base.query('create table numbers (n int check (n < 100))')
  db = openPool(base.url)
})
test.after.always(async () => {
  await db.stop()
  await base.stop()
})

const list = async (): Promise<number[]> =>
  (await base.query<{ n: number }>('select n from numbers order by n')).map(({ n }) => n)

const bytes = (text: string): Buffer => Buffer.from(text)

test.serial('queries of a transaction are committed together, in the order of the calls', async (t) => {
  const seen = await db.tx(async (tx) => {
    tx.send('add', [1])
    tx.copy(copyNumbers, [bytes('2\n'), bytes('3\n')])
    const count = await tx.row<{ n: number }>('count')
    tx.send('add', [4])
    return count?.n
  })
  t.is(seen, 3)
  t.deepEqual(await list(), [1, 2, 3, 4])
})

test.serial(
  'a sent statement that fails fails the transaction with its own error, and the connection serves on',
  async (t) => {
    for (const fail of [
      (tx: Parameters<Parameters<Database['tx']>[0]>[0]) => tx.send('fail', [0]),
      (tx: Parameters<Parameters<Database['tx']>[0]>[0]) => tx.send('add', [100]),
      (tx: Parameters<Parameters<Database['tx']>[0]>[0]) =>
        tx.copy(copyNumbers, [bytes('1\nx\n'), bytes('2\n'.repeat(50_000))]),
      (tx: Parameters<Parameters<Database['tx']>[0]>[0]) => tx.copy('copy nothing from stdin', [bytes('1\n')]),
    ]) {
      const error = await t.throwsAsync(
        db.tx(async (tx) => {
          tx.send('add', [1])
          fail(tx)
          tx.send('add', [2])
          tx.copy(copyNumbers, [bytes('3\n')])
        }),
      )
      t.regex(
        (error as { code?: string }).code ?? '',
        /^(22012|23514|22P02|42P01)$/,
        'not that the transaction is aborted',
      )
      t.deepEqual(await list(), [])
    }
    t.is(db.counts().total, 1)
    t.is((await db.row<{ n: number }>('count'))?.n, 0)
  },
)

test.serial('a statement that the driver refuses prevents the commit of the others', async (t) => {
  const unreadable = {
    toPostgres: () => {
      throw new Error('no such value')
    },
  }
  const failed = db.tx(async (tx) => {
    tx.send('add', [1])
    tx.send('add', [unreadable])
    tx.send('add', [2])
  })
  await t.throwsAsync(failed, { message: 'no such value' })
  t.deepEqual(await list(), [])
})

test.serial('work that throws after it has sent statements stores nothing', async (t) => {
  const failed = db.tx(async (tx) => {
    tx.send('fail', [0])
    tx.send('add', [1])
    throw new Error('the work failed')
  })
  await t.throwsAsync(failed, { message: 'the work failed' })
  t.deepEqual(await list(), [])
  t.is(db.counts().total, 1)
})

test.serial('a connection that is lost between what was sent and its answer is an Outage', async (t) => {
  const failed = db.tx(async (tx) => {
    tx.send('add', [1])
    const row = await tx.row<{ pid: number }>('pid')
    tx.copy(copyNumbers, [bytes('2\n')])
    await base.query('select pg_terminate_backend($1, 5000)', [row?.pid])
  })
  await t.throwsAsync(failed, { instanceOf: Outage })
  t.deepEqual(await list(), [])
  t.is((await db.row<{ n: number }>('count'))?.n, 0)
})

test.serial('BEGIN goes with the first statement, and the commit with the last ones', async (t) => {
  const link = await openLink(base.url)
  const far = openPool(link.url(base.url))
  const trips = async (work: () => Promise<unknown>): Promise<number> => {
    const before = link.roundTrips()
    await work()
    return link.roundTrips() - before
  }
  const write = async (readsFirst: boolean): Promise<void> =>
    await far.tx(
      async (tx) => {
        await Promise.all([tx.row('begun'), tx.row('count')])
        tx.copy(copyNumbers, [bytes('1\n')])
        tx.send('add', [2])
        tx.send('add', [3])
      },
      { readsFirst },
    )
  await write(true)
  t.is(await trips(async () => await write(true)), 2)
  t.is(await trips(async () => await write(false)), 3)
  t.is(await trips(async () => await far.snapshot(async (tx) => await tx.row('count'))), 1)
  await far.stop()
  await link.stop()
})
