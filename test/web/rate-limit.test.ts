import { gzipSync } from 'node:zlib'
import test from 'ava'
import { z } from 'zod'
import { Outage } from '../../src/base/fault.ts'
import { ok } from '../../src/base/outcome.ts'
import { limitChanges, openRateLimit } from '../../src/web/rate-limit.ts'
import { type JsonRoute, type Route, route } from '../../src/web/route.ts'
import { sendRaw, sessionToken, startServer } from './_server.ts'

const common = { path: '/v1/test', tag: 'Test', summary: 'Test', handle: async () => ok(undefined) } as const

const limit = (routes: readonly Route[], ofSession: number, ofUser: number): JsonRoute[] =>
  limitChanges(routes, {
    ofSession: openRateLimit(ofSession, 3_600),
    ofUser: openRateLimit(ofUser, 3_600),
  }) as JsonRoute[]

/** Returns a function that asks the route at an index of the list to admit a session of a user. */
const open = (routes: readonly Route[], ofUser = 100) => {
  const admits = limit(routes, 2, ofUser).map(({ admit }) => admit)
  return async (at: number, userId: string, sessionId = userId) => await admits[at]?.({ userId, sessionId }, 1)
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
  for (let at = 0; at < 3; at += 1) for (const nth of [2, 3]) await t.notThrowsAsync(call(nth, 'ada'))
  await t.notThrowsAsync(call(0, 'bob'))
})

test('sessions of a user share a rate, which what ends sessions neither needs nor uses up', async (t) => {
  const call = open(
    [
      route({ ...common, method: 'PATCH', auth: 'session', status: 204 }),
      route({ ...common, method: 'DELETE', auth: 'session', status: 204, endsSessions: true }),
    ],
    3,
  )
  await call(1, 'ada', 'first')
  await call(0, 'ada', 'first')
  await call(0, 'ada', 'second')
  await call(0, 'ada', 'second')
  const refused = await t.throwsAsync(call(0, 'ada', 'third'), { instanceOf: Outage })
  t.is(refused.status, 429)
  await t.notThrowsAsync(call(1, 'ada', 'third'))
  await t.notThrowsAsync(call(0, 'bob'))
})

const withBody = route({ ...common, method: 'PUT', auth: 'session', body: z.array(z.int()), status: 204 })

test('a change above the rate is refused before its body is read, and one that is refused counts', async (t) => {
  const server = await startServer(limit([withBody], 2, 100))
  const put = async (body: string): Promise<number> => {
    const headers = { authorization: `Bearer ${sessionToken}`, 'content-type': 'application/json' }
    return (await fetch(`${server.baseUrl}/v1/test`, { method: 'PUT', headers, body })).status
  }
  t.is(await put('['), 422)
  t.is(await put('[1]'), 204)
  const head = `PUT /v1/test HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${sessionToken}\r\ncontent-length: 9\r\nexpect: 100-continue\r\n\r\n`
  const answer = await sendRaw(server.port, head)
  t.regex(answer, /^HTTP\/1\.1 429 /)
  t.regex(answer, /retry-after: /i)
  await server.stop()
})

test('a long body counts by its size after decompression, before it is parsed', async (t) => {
  const server = await startServer(limit([withBody], 6, 100))
  const put = async (bytes: number): Promise<number> => {
    const headers = {
      authorization: `Bearer ${sessionToken}`,
      'content-type': 'application/json',
      'content-encoding': 'gzip',
    }
    const body = new Uint8Array(gzipSync(`[1${' '.repeat(bytes - 3)}]`))
    return (await fetch(`${server.baseUrl}/v1/test`, { method: 'PUT', headers, body })).status
  }
  t.is(await put(16_383), 204)
  t.is(await put(3 * 16_384), 204)
  t.is(await put(16_384), 429)
  await server.stop()
})

test('a change that is refused for its length leaves the rest of the rate to short ones', async (t) => {
  const rate = openRateLimit(10, 3_600)
  await rate.consume('ada', 8)
  await t.throwsAsync(rate.consume('ada', 3), { instanceOf: Outage })
  await t.notThrowsAsync(rate.consume('ada'))
  await t.notThrowsAsync(rate.consume('ada'))
  await t.throwsAsync(rate.consume('ada'), { instanceOf: Outage })
})
