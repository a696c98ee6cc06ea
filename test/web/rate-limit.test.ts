import test from 'ava'
import { Outage } from '../../src/base/fault.ts'
import { ok } from '../../src/base/outcome.ts'
import { limitChanges, openRateLimit } from '../../src/web/rate-limit.ts'
import { type JsonRoute, type Route, route } from '../../src/web/route.ts'

const common = { path: '/v1/test', tag: 'Test', summary: 'Test', handle: async () => ok(undefined) } as const

/** Each user has one session. */
const open = (routes: readonly Route[]) => {
  const handles = (limitChanges(routes, openRateLimit(2, 3_600)) as JsonRoute[]).map(({ handle }) => handle)
  return (at: number, userId: string) => handles[at]?.({ who: { userId, sessionId: userId } } as never)
}

test('changes of a session have one rate for all routes, reads and other sessions have none of it', async (t) => {
  const call = open([
    route({ ...common, method: 'PATCH', auth: 'session', status: 204 }),
    route({ ...common, method: 'DELETE', auth: 'session', status: 204 }),
    route({ ...common, method: 'GET', auth: 'session', status: 200 }),
    route({ ...common, method: 'POST', auth: 'key', status: 204 }),
  ])
  await call(0, 'ada')
  await call(1, 'ada')
  const refused = await t.throwsAsync(async () => await call(1, 'ada'), { instanceOf: Outage })
  t.is(refused.status, 429)
  t.true((refused.retryAfterMs ?? 0) > 1_000)
  for (let at = 0; at < 3; at += 1) for (const nth of [2, 3]) t.like(await call(nth, 'ada'), { ok: true })
  t.like(await call(0, 'bob'), { ok: true })
})
