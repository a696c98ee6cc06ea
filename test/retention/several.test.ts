// Two processes that remove at the same time: together they remove what one alone removes in a pass.
import { openRetention } from '../../src/retention/open-retention.ts'
import type { Database } from '../../src/store/database.ts'
import { around } from '../_kit/around.ts'
import { insertWorkspaceRow } from '../_kit/batch.ts'
import { makeDatabase, type TestDatabase } from '../_kit/db.ts'
import { until } from '../_kit/until.ts'
import { intercept } from '../ingest/_intercept.ts'
import { makeOld, storeOld } from './_old.ts'

let base: TestDatabase
const test = around(
  async () => {
    base = await makeDatabase()
    const [first = '', last = ''] = [
      await insertWorkspaceRow(base.query, 'free'),
      await insertWorkspaceRow(base.query, 'free'),
    ].sort()
    // Keeps everything: then no chunk of a hypertable may be dropped, so that rows are removed there too. A pass processes it last.
    await base.query("update workspaces set plan = 'self_hosted' where id = $1", [last])
    await storeOld(base, first, makeOld(30, 60))
  },
  async () => await base.stop(),
)

/** Resolves when the first pass has ended. */
async function passOnce(db: Database): Promise<void> {
  let passes = 0
  let failure: unknown = null
  const retention = openRetention({
    db,
    keepDaysOf: (plan) => (plan === 'free' ? 7 : null),
    batchRows: 10,
    retryMs: 1,
    onRemoved: () => undefined,
    onPassed: () => {
      passes += 1
    },
    onError: (error) => {
      failure = error
    },
  })
  await until(() => passes > 0 || failure !== null)
  await retention.stop()
  if (failure !== null) throw failure
}

const countLeft = async (): Promise<number> => (await base.query('select from events')).length

test.serial('the control: one alone leaves nothing', async (t) => {
  await passOnce(base.actor)
  t.is(await countLeft(), 0)
})

test.serial('two processes that block each other both complete their removal in the same pass', async (t) => {
  const asked = { a: 0, b: 0 }
  const inside = { a: false, b: false }
  const a = intercept(base.actor, async (statement) => {
    if (statement === 'retention/begin-batch') {
      asked.a += 1
      // It has paused after its first batch, and the other one has taken the lock.
      if (asked.a === 2) await until(() => inside.b)
    } else if (!inside.a) {
      inside.a = true
      // The other one finds the lock taken once.
      await until(() => asked.b === 2)
    }
    return undefined
  })
  const b = intercept(base.actor, async (statement) => {
    if (statement === 'retention/begin-batch') {
      asked.b += 1
      if (asked.b === 1) await until(() => inside.a)
      if (asked.b === 2) await until(() => asked.a === 2)
    } else if (!inside.b) {
      inside.b = true
      await until(() => asked.a >= 3)
    }
    return undefined
  })
  await Promise.all([passOnce(a), passOnce(b)])
  t.is(await countLeft(), 0)
})

test.serial('a stop ends the wait for the other process', async (t) => {
  let isHeld = false
  let isStopped = false
  let asked = 0
  const waiting = intercept(base.actor, (statement) => {
    if (statement === 'retention/begin-batch') asked += 1
    return undefined
  })
  const holder = base.db.tx(async (tx) => {
    await tx.rows('retention/begin-batch', ['100ms'])
    isHeld = true
    await until(() => isStopped)
  })
  await until(() => isHeld)
  const retention = openRetention({
    db: waiting,
    keepDaysOf: () => 7,
    retryMs: 1,
    onRemoved: () => t.fail(),
    onError: (error) => t.fail(String(error)),
  })
  await until(() => asked > 10)
  await retention.stop()
  isStopped = true
  await holder
  t.is(await countLeft(), 60)
})

test.serial('a pass that is requested as another one ends takes place', async (t) => {
  for (let turns = 0; turns < 8; turns += 1) {
    let passes = 0
    const calls: Promise<void>[] = []
    const askIn = async (): Promise<void> => {
      for (let turn = 0; turn < turns; turn += 1) await Promise.resolve()
      const before = passes
      await retention.pass()
      t.true(passes > before, `${turns} turns after the end`)
    }
    const retention = openRetention({
      db: base.actor,
      keepDaysOf: () => null,
      onRemoved: () => t.fail(),
      onError: (error) => t.fail(String(error)),
      onPassed: () => {
        passes += 1
        if (calls.length === 0) calls.push(askIn())
      },
    })
    await until(() => calls.length > 0)
    await Promise.all(calls)
    await retention.stop()
  }
})
