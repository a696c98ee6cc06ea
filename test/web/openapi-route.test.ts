// The document as it is served: made once, as bytes, with an ETag and as gzip.
import { gunzipSync } from 'node:zlib'
import test from 'ava'
import { describeRoutes } from '../../src/web/openapi.ts'
import { withOpenapi } from '../../src/web/openapi-route.ts'
import type { RawRoute } from '../../src/web/route.ts'
import { makeRoutes, sendRaw, useServer } from './_server.ts'

const routes = withOpenapi(makeRoutes())
const server = useServer(routes)

const get = async (headers: Record<string, string> = {}) =>
  await fetch(`${server.baseUrl}/openapi.json`, { headers: { 'accept-encoding': 'identity', ...headers } })

test('it is served as it was generated, and If-None-Match gets 304', async (t) => {
  const full = await get()
  t.is(full.status, 200)
  t.is(full.headers.get('content-type'), 'application/json; charset=utf-8')
  t.is(full.headers.get('cache-control'), 'no-cache')
  t.is(full.headers.get('vary'), 'Accept-Encoding')
  const etag = full.headers.get('etag') ?? ''
  t.regex(etag, /^"[\w-]+"$/)
  t.deepEqual(JSON.parse(await full.text()), JSON.parse(JSON.stringify(describeRoutes(routes))))
  const held = await get({ 'if-none-match': etag })
  t.is(held.status, 304)
  t.is(held.headers.get('etag'), etag)
  t.is(await held.text(), '')
  t.is((await get({ 'if-none-match': '"another"' })).status, 200)
})

test('it goes out as gzip, with a tag of its own, where that is asked for', async (t) => {
  const answer = await sendRaw(
    server.port,
    'GET /openapi.json HTTP/1.1\r\nhost: x\r\naccept-encoding: gzip\r\nconnection: close\r\n\r\n',
  )
  const [head = '', ...rest] = answer.split('\r\n\r\n')
  t.regex(head, /^content-encoding: gzip\r?$/im)
  t.regex(head, /^etag: "[\w-]+-gz"\r?$/im)
  const plain = await (await get()).text()
  t.is(gunzipSync(Buffer.from(rest.join('\r\n\r\n'), 'latin1')).toString(), plain)
})

test('every answer is of the same bytes', async (t) => {
  const own = routes.find(({ path }) => path === '/openapi.json') as RawRoute
  const bodies = new Set<unknown>()
  for (let nth = 0; nth < 2; nth += 1) {
    const ctx = { set: () => undefined, body: undefined as unknown, status: 0 }
    await own.handle(ctx as never, null, { header: () => undefined } as never)
    bodies.add(ctx.body)
  }
  t.is(bodies.size, 1)
  t.true([...bodies][0] instanceof Buffer)
})
