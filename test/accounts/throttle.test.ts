import test from 'ava'
import { defaultLimits, makeThrottle } from '../../src/accounts/throttle.ts'
import { Outage } from '../../src/base/fault.ts'
import type { Database } from '../../src/store/database.ts'

const nextTurn = async (): Promise<void> => await new Promise((done) => setImmediate(done))

/** The database answers a query with what the function returns. */
function openThrottle(answer: (statement: string) => unknown) {
  const asked: string[] = []
  const row = async (statement: string): Promise<unknown> => {
    asked.push(statement)
    return await answer(statement)
  }
  const nowMs = Date.UTC(2_026, 10, 28)
  const db = { row } as unknown as Database
  return { throttle: makeThrottle({ db, limits: defaultLimits, now: () => new Date(nowMs) }), asked, nowMs }
}

test('one address without a credential waits for two queries at a time, and others do not wait for it', async (t) => {
  const silent = Promise.withResolvers<unknown>()
  const { throttle, asked } = openThrottle(() => silent.promise)
  const flood = [
    ...Array.from({ length: 40 }, () => throttle.token('192.0.2.1')),
    ...Array.from({ length: 40 }, () => throttle.refresh('192.0.2.1')),
    ...Array.from({ length: 22 }, () => throttle.query('192.0.2.1', async () => await silent.promise)),
  ]
  await nextTurn()
  t.is(asked.length, 2)
  const refused = await t.throwsAsync(throttle.signup('192.0.2.1'), { instanceOf: Outage })
  t.is(refused?.status, 429)
  const other = throttle.token('192.0.2.2')
  await nextTurn()
  t.is(asked.length, 3)
  silent.resolve({ expires_at: new Date(0) })
  await Promise.all([...flood, other])
})

test('the addresses of an IPv6 /48 wait for two queries at a time together', async (t) => {
  const silent = Promise.withResolvers<unknown>()
  const { throttle, asked } = openThrottle(() => silent.promise)
  const flood = Array.from({ length: 10 }, (_, at) => throttle.token(`2001:db8:1:${at}::1`))
  await nextTurn()
  t.is(asked.length, 2)
  silent.resolve({ expires_at: new Date(0) })
  await Promise.all(flood)
})

test('a window that is full is refused from memory until it ends', async (t) => {
  const { throttle, asked, nowMs } = openThrottle((statement) =>
    statement === 'accounts/consume-throttle' ? null : { points: 60, expires_at: new Date(nowMs + 90_000) },
  )
  for (let attempt = 0; attempt < 5; attempt += 1) {
    const refused = await t.throwsAsync(throttle.token('192.0.2.1'), { instanceOf: Outage })
    t.like(refused, { status: 429, retryAfterMs: 90_000 })
  }
  t.deepEqual(asked, ['accounts/consume-throttle', 'accounts/read-throttle'])
})
