import test from 'ava'
import { becomeSingleOwner } from '../../src/store/single-owner.ts'
import { makeDatabase } from '../_kit/db.ts'
import { openRelay } from '../_kit/relay.ts'
import { until } from '../_kit/until.ts'

// For a lock that becomes free: the session of a predecessor may hold it until the server has noticed its end.
const patienceMs = 60_000

test('the second process on a database refuses to start, and one on another does not', async (t) => {
  const [base, other] = await Promise.all([makeDatabase(), makeDatabase()])
  const onLost = (error: Error): void => t.fail(error.message)
  const owner = await becomeSingleOwner({ url: base.url, onLost })
  await t.throwsAsync(becomeSingleOwner({ url: base.url, onLost, waitMs: 150 }), {
    message: /already runs on this database/,
  })
  const elsewhere = await becomeSingleOwner({ url: other.url, onLost })
  await elsewhere.release()

  const successor = becomeSingleOwner({ url: base.url, onLost, waitMs: patienceMs })
  await owner.release()
  await (await successor).release()
  await Promise.all([base.stop(), other.stop()])
})

test('the processes of a cluster share a database with each other, but not with a process without NATS', async (t) => {
  const base = await makeDatabase()
  const onLost = (error: Error): void => t.fail(error.message)
  const join = (isShared: boolean, waitMs = patienceMs) =>
    becomeSingleOwner({ url: base.url, onLost, isShared, waitMs })
  const members = await Promise.all([join(true), join(true)])
  await t.throwsAsync(join(false, 150), { message: /already runs on this database/ })
  await Promise.all(members.map((member) => member.release()))
  const alone = await join(false)
  await t.throwsAsync(join(true, 150), { message: /without NATS/ })
  await alone.release()
  await base.stop()
})

const cutOwner = `select pg_terminate_backend(pid) from pg_stat_activity
  where datname = current_database() and application_name = 'tracewright-owner'`

test('an owner whose connection dies takes the lock again, as often as it has to', async (t) => {
  const base = await makeDatabase()
  let broken = 0
  let reclaimed = 0
  const owner = await becomeSingleOwner({
    url: base.url,
    onLost: (error) => t.fail(error.message),
    onBroken: () => void (broken += 1),
    onReclaimed: () => void (reclaimed += 1),
    reclaimWaitMs: patienceMs,
  })
  for (const _ of [1, 2]) {
    // On a busy machine, it may also be broken by itself.
    const before = reclaimed
    await base.query(cutOwner)
    await until(() => reclaimed > before && reclaimed === broken)
  }
  await t.throwsAsync(becomeSingleOwner({ url: base.url, onLost: () => t.fail(), waitMs: 0 }))
  await owner.release()
  const next = await becomeSingleOwner({ url: base.url, onLost: () => t.fail(), waitMs: patienceMs })
  await next.release()
  t.is(reclaimed, broken)
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
    // Later checks could meet a server that is slow, which would also count as broken.
    get checkMs() {
      return reclaimed > 0 ? 3_600_000 : 1
    },
    reclaimWaitMs: patienceMs,
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
