import test from 'ava'
import { becomeSingleOwner } from '../../src/store/single-owner.ts'
import { makeDatabase } from '../_kit/db.ts'
import { openRelay } from '../_kit/relay.ts'
import { until } from '../_kit/until.ts'

test('the second process on a database refuses to start, and one on another does not', async (t) => {
  const [base, other] = await Promise.all([makeDatabase(), makeDatabase()])
  const onLost = (error: Error): void => t.fail(error.message)
  const owner = await becomeSingleOwner({ url: base.url, onLost })
  await t.throwsAsync(becomeSingleOwner({ url: base.url, onLost, waitMs: 150 }), {
    message: /already runs on this database/,
  })
  const elsewhere = await becomeSingleOwner({ url: other.url, onLost })
  await elsewhere.release()

  const successor = becomeSingleOwner({ url: base.url, onLost, waitMs: 60_000 })
  await owner.release()
  await (await successor).release()
  await Promise.all([base.stop(), other.stop()])
})

test('the processes of a cluster share a database with each other, but not with a process without NATS', async (t) => {
  const base = await makeDatabase()
  const onLost = (error: Error): void => t.fail(error.message)
  const join = (isShared: boolean) => becomeSingleOwner({ url: base.url, onLost, isShared, waitMs: 150 })
  const members = await Promise.all([join(true), join(true)])
  await t.throwsAsync(join(false), { message: /already runs on this database/ })
  await Promise.all(members.map((member) => member.release()))
  const alone = await join(false)
  await t.throwsAsync(join(true), { message: /without NATS/ })
  await alone.release()
  await base.stop()
})

const cutOwner = `select pg_terminate_backend(pid) from pg_stat_activity
  where datname = current_database() and application_name = 'tracewright-owner'`

test('an owner whose connection dies takes the lock again, as often as it has to', async (t) => {
  const base = await makeDatabase()
  const broken: Error[] = []
  const owner = await becomeSingleOwner({
    url: base.url,
    onLost: (error) => t.fail(error.message),
    onBroken: (error) => broken.push(error),
  })
  const readHolder = async (): Promise<number | undefined> => {
    const [lock] = await base.query<{ pid: number }>(
      `select pid from pg_locks where locktype = 'advisory' and objid = 7277412 and granted
         and database = (select oid from pg_database where datname = current_database())`,
    )
    return lock?.pid
  }
  for (const times of [1, 2]) {
    // A terminated session may hold its lock for a moment longer.
    const before = await readHolder()
    await base.query(cutOwner)
    await until(() => broken.length === times)
    for (let holder = before; holder === undefined || holder === before; ) holder = await readHolder()
  }
  await t.throwsAsync(becomeSingleOwner({ url: base.url, onLost: () => t.fail(), waitMs: 0 }))
  await owner.release()
  const next = await becomeSingleOwner({ url: base.url, onLost: () => t.fail() })
  await next.release()
  t.is(broken.length, 2)
  await base.stop()
})

test('the loss of the lock to another process is reported once', async (t) => {
  const base = await makeDatabase()
  const lost: string[] = []
  const options = { url: base.url, onLost: (error: Error) => void lost.push(error.message), reclaimWaitMs: 150 }
  const owner = await becomeSingleOwner(options)
  const rival = base.query('select pg_advisory_lock(7277412), pg_sleep(1)')
  // In this database: concurrent tests wait for their own locks.
  const waiting = `select from pg_locks where locktype = 'advisory' and not granted
    and database = (select oid from pg_database where datname = current_database())`
  await until(async () => (await base.query(waiting)).length > 0)
  await base.query(cutOwner)
  await until(() => lost.length > 0)
  t.regex(lost.join(), /already runs on this database/)
  await rival
  await base.query('select pg_advisory_unlock_all()')
  await owner.release()
  t.is(lost.length, 1)
  await base.stop()
})

test('an owner whose server does not answer can still release the lock', async (t) => {
  const base = await makeDatabase()
  t.teardown(async () => await base.stop())
  const url = new URL(base.url)
  const relay = await openRelay(Number(url.port))
  t.teardown(async () => await relay.stop())
  url.port = String(relay.port)
  const owner = await becomeSingleOwner({ url: url.href, onLost: (error) => t.fail(error.message) })
  relay.set('silent')
  let isReleased = false
  void owner.release().then(() => {
    isReleased = true
  })
  await t.notThrowsAsync(until(() => isReleased))
})

test('a connection that is open and carries nothing any more is replaced, and the lock taken again', async (t) => {
  const base = await makeDatabase()
  t.teardown(async () => await base.stop())
  const url = new URL(base.url)
  const relay = await openRelay(Number(url.port))
  t.teardown(async () => await relay.stop())
  url.port = String(relay.port)
  let broken = 0
  let reclaimed = 0
  const owner = await becomeSingleOwner({
    url: url.href,
    checkMs: 1,
    onLost: (error) => t.fail(error.message),
    onBroken: () => void (broken += 1),
    onReclaimed: () => void (reclaimed += 1),
  })
  // Like a firewall that has forgotten an idle connection.
  relay.set('silent')
  await until(() => broken > 0)
  relay.set('open')
  await until(() => reclaimed > 0)
  await t.throwsAsync(becomeSingleOwner({ url: base.url, waitMs: 0, onLost: () => undefined }), {
    message: /already runs on this database/,
  })
  await owner.release()
  t.is(broken, 1)
})
