import test from 'ava'
import { becomeSingleOwner } from '../../src/store/single-owner.ts'
import { makeDatabase } from '../_kit/db.ts'
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

  const successor = becomeSingleOwner({ url: base.url, onLost, waitMs: 5_000 })
  await owner.release()
  await (await successor).release()
  await Promise.all([base.stop(), other.stop()])
})

test('an owner whose connection dies is told so, once, and the lock is free', async (t) => {
  const base = await makeDatabase()
  const lost: Error[] = []
  const owner = await becomeSingleOwner({ url: base.url, onLost: (error) => lost.push(error) })
  await base.query(`select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and application_name = 'tracewright-owner'`)
  await until(() => lost.length > 0)
  const next = await becomeSingleOwner({ url: base.url, onLost: () => t.fail() })
  await next.release()
  await owner.release()
  t.is(lost.length, 1)
  await base.stop()
})
