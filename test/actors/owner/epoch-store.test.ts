// The arbiter itself: claims and the fence of writes, on PostgreSQL, with a control that shows which writes a statement without the lock
// lets through.
import test, { type ExecutionContext } from 'ava'
import pg from 'pg'
import { type EpochStore, openEpochStore, type WantedPartition } from '../../../src/actors/owner/epoch-store.ts'
import { type Fence, Fenced, fenced } from '../../../src/actors/owner/fenced.ts'
import { partitionCount } from '../../../src/actors/partition.ts'
import { Outage } from '../../../src/base/fault.ts'
import { loadStatements } from '../../../src/store/statements.ts'
import { makeDatabase, openTestPool, type TestDatabase } from '../../_kit/db.ts'
import { until } from '../../_kit/until.ts'
import { isWhole, makeCluster } from './_cluster.ts'

const everything = (epoch: number, highest = 0): WantedPartition[] =>
  Array.from({ length: partitionCount }, (_, pid) => ({ pid, epoch, highest }))

async function open(t: ExecutionContext): Promise<{ base: TestDatabase; epochs: EpochStore }> {
  const base = await makeDatabase()
  t.teardown(base.stop)
  await base.query('create table written (pid integer)')
  return { base, epochs: await openEpochStore(base.db) }
}

/** Opens a connection for a transaction that must stay open, until the test ends, also where it fails. */
async function connect(t: ExecutionContext, base: TestDatabase): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: base.url })
  await client.connect()
  t.teardown(async () => await client.end())
  await client.query('begin')
  return client
}

const isSomeoneWaiting = async (base: TestDatabase): Promise<boolean> =>
  (await base.query(`select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`))
    .length > 0

/** Repeats the write if the machine stood still for the 2 s timeout of a claim, or of the statement after the fence. */
async function write(base: TestDatabase, fence: Fence): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await base.db.tx(async (tx) => {
        await fenced(tx, fence)
        tx.copy('copy written from stdin', [Buffer.from(`${fence.pid}\n`)])
      })
    } catch (error) {
      if (!(error instanceof Outage) || attempt === 10) throw error
    }
  }
}

test('if many processes claim the same epoch at once, one wins each partition, and epochs only grow', async (t) => {
  const { epochs } = await open(t)
  for (let epoch = 0; epoch < 5; epoch += 1) {
    const rivals = Array.from({ length: 8 }, (_, at) => epochs.claim(`m${at}`, `b${at}`, everything(epoch)))
    const won = (await Promise.all(rivals)).flat()
    // Rows that a rival had locked are skipped: the next attempt gets them.
    t.is(new Set(won.map(([pid]) => pid)).size, won.length)
    t.true(won.every(([, at]) => at === epoch + 1))
    const rest = everything(epoch).filter(({ pid }) => !won.some(([other]) => other === pid))
    await epochs.claim('m', 'b', rest)
    t.true((await epochs.list()).every((row) => row.epoch === epoch + 1))
  }
})

test('an epoch that is not current wins nothing; a new one is above all that was seen', async (t) => {
  const { epochs } = await open(t)
  await epochs.claim('a', 'a1', everything(0))
  t.deepEqual(await epochs.claim('b', 'b1', everything(0)), [])
  t.deepEqual(await epochs.claim('b', 'b1', [{ pid: 3, epoch: 1, highest: 40 }]), [[3, 41]])
  t.deepEqual((await epochs.list())[3], { pid: 3, epoch: 41, owner: 'b', boot: 'b1' })
})

test('only partitions that are still owned are released, and a released partition accepts no writes', async (t) => {
  const { base, epochs } = await open(t)
  await epochs.claim('a', 'a1', everything(0).slice(0, 2))
  await epochs.claim('b', 'b1', [{ pid: 1, epoch: 1, highest: 0 }])
  await epochs.release('a1', [
    [0, 1],
    [1, 1],
    [1, 2],
  ])
  const [zero, one] = await epochs.list()
  t.deepEqual(zero, { pid: 0, epoch: 1, owner: null, boot: null })
  t.deepEqual(one, { pid: 1, epoch: 2, owner: 'b', boot: 'b1' })
  await t.throwsAsync(write(base, { pid: 0, epoch: 1, boot: 'a1' }), { instanceOf: Fenced })
  await t.notThrowsAsync(write(base, { pid: 1, epoch: 2, boot: 'b1' }))
})

test('a database that was made with another number of partitions is refused', async (t) => {
  const { base } = await open(t)
  await base.query('update cluster_meta set partition_count = 64')
  await t.throwsAsync(openEpochStore(base.db), { message: /made with 64 partitions/ })
})

test('a write under another epoch, or of another start at the same epoch, is fenced and writes nothing', async (t) => {
  const { base, epochs } = await open(t)
  await epochs.claim('a', 'a1', everything(0).slice(0, 1))
  await write(base, { pid: 0, epoch: 1, boot: 'a1' })
  for (const fence of [
    { pid: 0, epoch: 0, boot: 'a1' },
    { pid: 0, epoch: 2, boot: 'a1' },
    { pid: 0, epoch: 1, boot: 'a2' },
    { pid: 1, epoch: 1, boot: 'a1' },
  ])
    await t.throwsAsync(write(base, fence), { instanceOf: Fenced })
  t.is((await base.query('select from written')).length, 1)
})

test('a process that hangs between the fence and the commit loses the write, and the partition can be claimed', async (t) => {
  const { base, epochs } = await open(t)
  await epochs.claim('a', 'a1', everything(0).slice(0, 1))
  const claim = async () => await epochs.claim('b', 'b1', [{ pid: 0, epoch: 1, highest: 1 }])
  const hanging = base.db.tx(async (tx) => {
    tx.copy('copy written from stdin', [Buffer.from('0\n')])
    await fenced(tx, { pid: 0, epoch: 1, boot: 'a1' })
    await until(async () => (await claim()).length === 1)
  })
  await t.throwsAsync(hanging, { instanceOf: Outage })
  t.deepEqual(await base.query('select from written'), [])
  t.like((await epochs.list())[0], { owner: 'b', epoch: 2 })
})

// Whether a zombie can write while a claim of its partition is about to commit.
const controls = {
  'without a lock': { lock: '', rows: 1 },
  'for share': { lock: 'for share', rows: 0 },
} as const

for (const [name, { lock, rows }] of Object.entries(controls))
  test(`a claim commits while a zombie writes: ${name}, ${rows} rows are written`, async (t) => {
    const { base, epochs } = await open(t)
    await epochs.claim('a', 'a1', everything(0).slice(0, 1))
    await base.query('insert into written values (0)')
    const claimer = await connect(t, base)
    const claim = loadStatements().get('actors/claim-partitions') ?? ''
    await claimer.query(claim, ['b', 'b1', [0], [1], [0]])
    const zombie = await connect(t, base)
    const writing = zombie.query(
      `with f as (select 1 from partitions where pid = 0 and epoch = 1 and boot = 'a1' ${lock})
       update written set pid = 1 where exists (select 1 from f)`,
    )
    if (lock === 'for share') await until(() => isSomeoneWaiting(base))
    else await writing
    await claimer.query('commit')
    t.is((await writing).rowCount, rows)
    await zombie.query('commit')
    t.is((await base.query('select from written where pid = 1')).length, rows)
  })

test('the fence of the service waits for a claim that is about to commit, and then writes nothing', async (t) => {
  const { base, epochs } = await open(t)
  await epochs.claim('a', 'a1', everything(0).slice(0, 1))
  const claimer = await connect(t, base)
  await claimer.query(loadStatements().get('actors/claim-partitions') ?? '', ['b', 'b1', [0], [1], [0]])
  const writing = t.throwsAsync(write(base, { pid: 0, epoch: 1, boot: 'a1' }), { instanceOf: Fenced })
  await until(() => isSomeoneWaiting(base))
  await claimer.query('commit')
  await writing
  t.is((await base.query('select from written')).length, 0)
})

test('a claim leaves a partition alone while a fenced write of it is open, and gets the others at once', async (t) => {
  const { base, epochs } = await open(t)
  await epochs.claim('a', 'a1', everything(0))
  const written = Promise.withResolvers<void>()
  const finish = Promise.withResolvers<void>()
  // The database is not stopped before the write has ended.
  t.teardown(() => finish.resolve())
  const statements = new Map([...loadStatements(), ['stay', 'set local idle_in_transaction_session_timeout = 0']])
  const patient = openTestPool(base.url, { statements })
  t.teardown(patient.stop)
  const writing = patient.tx(async (tx) => {
    const held = fenced(tx, { pid: 5, epoch: 1, boot: 'a1' })
    // For as long as the claim below takes; in the same round trip, so that a pause after the fence does not end the transaction.
    tx.send('stay')
    await held
    tx.copy('copy written from stdin', [Buffer.from('5\n')])
    written.resolve()
    await finish.promise
  })
  await Promise.race([written.promise, writing])
  t.is((await epochs.claim('b', 'b1', everything(1))).length, partitionCount - 1)
  finish.resolve()
  await writing
  t.deepEqual(await epochs.claim('b', 'b1', everything(1)), [[5, 2]])
  t.is((await base.query('select from written')).length, 1)
})

test('with many outdated owners and claimers at once, only writes under the current epoch commit', async (t) => {
  const { base, epochs } = await open(t)
  await base.query('create table log (seq bigserial, pid integer, epoch bigint)')
  let epoch = 0
  let refused = 0
  let committed = 0
  const stop = new AbortController()
  const writeAlways = async (): Promise<void> => {
    while (!stop.signal.aborted) {
      // The epoch of this writer may be out of date as soon as it has read it.
      const fence = { pid: 0, epoch, boot: `b${epoch}` }
      try {
        await base.db.tx(async (tx) => {
          await fenced(tx, fence)
          tx.copy('copy log (pid, epoch) from stdin', [Buffer.from(`0\t${fence.epoch}\n`)])
        })
        committed += 1
      } catch (error) {
        // An Outage: the machine stood still for 2 s between the fence and the commit.
        if (!(error instanceof Fenced || error instanceof Outage)) throw error
        refused += 1
      }
    }
  }
  const writers = [writeAlways(), writeAlways(), writeAlways()]
  t.teardown(() => stop.abort())
  while (epoch < 60) {
    const won = await epochs.claim('m', `b${epoch + 1}`, [{ pid: 0, epoch, highest: 0 }])
    if (won.length > 0) epoch += 1
    // Every second owner gets to write something before it is deposed.
    const before = committed
    if (epoch % 2 === 0) await until(() => committed > before)
  }
  stop.abort()
  await Promise.all(writers)
  const log = await base.query<{ epoch: string }>('select epoch from log order by seq')
  const written = log.map((row) => Number(row.epoch))
  t.true(written.length > 0 && refused > 0, `${written.length} written, ${refused} refused`)
  t.deepEqual(
    written,
    written.toSorted((a, b) => a - b),
    'an old epoch after a new one',
  )
})

test('members on PostgreSQL: a killed member is replaced, and epochs from before a restore are never reused', async (t) => {
  const { base, epochs } = await open(t)
  let underWay = 0
  const count = async <T>(work: Promise<T>): Promise<T> => {
    underWay += 1
    return await work.finally(() => {
      underWay -= 1
    })
  }
  const counted: EpochStore = {
    list: () => count(epochs.list()),
    claim: (owner, boot, wanted) => count(epochs.claim(owner, boot, wanted)),
    release: (boot, owned) => count(epochs.release(boot, owned)),
  }
  const cluster = makeCluster({ epochsOf: () => counted, idle: () => underWay === 0 })
  const [a, b] = [cluster.start('a'), cluster.start('b')]
  await cluster.clock.advance(2_000)
  t.true(isWhole(cluster))
  const early = await epochs.list()
  const mine = a.ownership.describe().owned
  b.kill()
  await cluster.clock.advance(2_200)
  t.true(isWhole(cluster))
  const late = await epochs.list()
  for (const [pid, epoch] of mine) t.is(late[pid]?.epoch, epoch)
  // The database is restored to an earlier state.
  for (const row of early)
    await base.query('update partitions set epoch = $2, owner = $3, boot = $4 where pid = $1', [
      row.pid,
      row.epoch,
      row.owner,
      row.boot,
    ])
  // The dead member owns partitions again, and must be detected again.
  await cluster.clock.advance(4_500)
  t.true(isWhole(cluster))
  for (const row of await epochs.list()) {
    const before = late[row.pid]?.epoch ?? 0
    t.is(row.owner, 'a')
    t.is(row.epoch, before === early[row.pid]?.epoch ? before : before + 1)
  }
  const stopping = a.stop()
  await cluster.clock.advance(100)
  await stopping
  t.true((await epochs.list()).every(({ owner }) => owner === null))
  t.deepEqual(cluster.faults, [])
})
