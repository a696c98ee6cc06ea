// The reason that is counted for an ingest request that is refused and may be retried.
import test from 'ava'
import { makeByteBudget } from '../../src/base/byte-budget.ts'
import { Outage } from '../../src/base/fault.ts'
import { countFullBudget, countOutages, countRateLimited } from '../../src/roles/ingest-outages.ts'
import { openRateLimit } from '../../src/web/rate-limit.ts'

type Stages = Parameters<typeof countOutages>[0]
type Batch = Parameters<Stages['store']['store']>[0]
type Task = Parameters<Stages['pool']['decode']>[0]

/** Every stage fails with this. */
const failing = (failure: Error): Stages => ({
  facts: { read: () => Promise.reject(failure), forget: () => undefined, forgetAll: () => undefined },
  pool: { decode: () => Promise.reject(failure) },
  store: { store: () => Promise.reject(failure) },
})

async function listReasons(failure: Error): Promise<{ reasons: string[]; thrown: unknown[] }> {
  const reasons: string[] = []
  const { facts, pool, store } = countOutages(failing(failure), (reason) => void reasons.push(reason))
  const results = await Promise.allSettled([facts.read('w'), pool.decode({} as Task), store.store({} as Batch)])
  return {
    reasons,
    thrown: results.map((result) => (result.status === 'rejected' ? (result.reason as unknown) : null)),
  }
}

test('a limit of ours and a failure of something else are different reasons, and both are thrown again', async (t) => {
  const full = new Outage('limit', 'full', { cause: new Error('the last conflict') })
  t.deepEqual(await listReasons(full), {
    reasons: ['database', 'decode_queue', 'commit_queue'],
    thrown: [full, full, full],
  })
  const failed = new Outage('failure', 'no answer in time')
  t.deepEqual(await listReasons(failed), {
    reasons: ['database', 'decode_failed', 'database'],
    thrown: [failed, failed, failed],
  })
})

test('a bug in a stage of ingest is not counted as a refusal', async (t) => {
  t.deepEqual((await listReasons(new Error('bug'))).reasons, [])
})

test('a hold without room is counted and holds no more than before, and one that is cut is counted once', (t) => {
  const reasons: string[] = []
  const budget = countFullBudget(makeByteBudget(10), (reason) => void reasons.push(reason))
  const large = budget.open('large', () => undefined)
  t.true(large.take(8))
  t.deepEqual(reasons, [])
  t.false(large.take(3))
  t.deepEqual(reasons, ['body_bytes'])
  t.is(budget.taken(), 8)
  t.true(budget.open('small', () => undefined).take(3))
  t.false(large.take(1))
  t.deepEqual(reasons, ['body_bytes', 'body_bytes'])
  t.is(budget.taken(), 3)
})

test('a task whose hold is cut is not counted a second time', async (t) => {
  const reasons: string[] = []
  const cut = new AbortController()
  cut.abort(new Outage('limit', 'full'))
  const { pool } = countOutages(failing(cut.signal.reason as Outage), (reason) => void reasons.push(reason))
  const hold = { cut: cut.signal, keep: () => undefined, release: () => undefined }
  await t.throwsAsync(pool.decode({} as Task, hold), { is: cut.signal.reason as Outage })
  t.deepEqual(reasons, [])
})

test('a request above the rate is counted and refused', async (t) => {
  const reasons: string[] = []
  const limit = countRateLimited(openRateLimit(1), (reason) => void reasons.push(reason))
  // Both in the same second, however slow the machine is.
  const [first, second] = [limit.consume('w'), limit.consume('w')]
  await first
  await t.throwsAsync(second, { instanceOf: Outage })
  t.deepEqual(reasons, ['rate_limit'])
})
