// CORS: closed unless the settings name an origin, never with cookies, and never for calls with keys.
import test from 'ava'
import { keyToken, sessionToken, useServer, workspaceId } from './_server.ts'

const friend = 'https://tools.example.com'
const server = useServer(undefined, undefined, { corsOrigins: [friend, 'http://localhost:5173'] })
const closed = useServer()

const thing = `/v1/workspaces/${workspaceId}/thing`

type Headers = Record<string, string>

const call = async (path: string, headers: Headers, method = 'GET', to = server) =>
  await fetch(to.baseUrl + path, { method, headers })

const preflight = async (path: string, method: string, origin = friend, to = server) =>
  await call(path, { origin, 'access-control-request-method': method }, 'OPTIONS', to)

const listCors = (response: Response): string[] =>
  [...response.headers.keys()].filter((name) => name.startsWith('access-control-'))

test('a preflight of a listed origin is accepted', async (t) => {
  for (const origin of [friend, 'http://localhost:5173']) {
    const response = await preflight(thing, 'DELETE', origin)
    t.is(response.status, 204)
    t.is(response.headers.get('access-control-allow-origin'), origin)
    t.is(response.headers.get('access-control-allow-methods'), 'DELETE')
    t.regex(response.headers.get('access-control-allow-headers') ?? '', /authorization, content-type/)
    t.is(response.headers.get('access-control-max-age'), '600')
    t.is(response.headers.get('access-control-allow-credentials'), null)
    t.is(response.headers.get('vary'), 'Origin')
  }
})

test('a listed origin can read every response', async (t) => {
  const authorization = `Bearer ${sessionToken}`
  for (const [path, headers, status] of [
    [thing, { authorization }, 200],
    [thing, {}, 401],
    [`${thing}?limit=0`, { authorization }, 422],
    ['/refused', {}, 409],
    ['/bug', {}, 500],
    ['/outage', {}, 503],
  ] as const) {
    const response = await call(path, { origin: friend, ...headers })
    t.is(response.status, status, path)
    t.is(response.headers.get('access-control-allow-origin'), friend, path)
    t.regex(response.headers.get('access-control-expose-headers') ?? '', /retry-after, x-request-id/)
    t.is(response.headers.get('access-control-allow-credentials'), null)
    t.is(response.headers.get('vary'), 'Origin')
  }
})

test('a similar origin that is not listed gets no CORS headers', async (t) => {
  for (const origin of [
    'https://tools.example.com.evil.example',
    'http://tools.example.com',
    'null',
    `${friend}:444`,
  ]) {
    t.deepEqual(listCors(await preflight(thing, 'GET', origin)), [], origin)
    t.deepEqual(listCors(await call('/refused', { origin })), [], origin)
  }
  t.is((await call('/refused', { origin: 'https://evil.example' })).headers.get('vary'), 'Origin', 'caches are told')
})

test('routes with API keys get no CORS headers', async (t) => {
  t.deepEqual(listCors(await preflight('/key', 'GET')), [])
  const response = await call('/key', { origin: friend, authorization: `Bearer ${keyToken}` })
  t.is(response.status, 200)
  t.deepEqual(listCors(response), [])
})

test('a preflight for an unknown path or method gets no CORS headers', async (t) => {
  t.is((await preflight('/nothing', 'GET')).status, 404)
  const response = await preflight(thing, 'PUT')
  t.is(response.status, 200)
  t.deepEqual(listCors(response), [])
})

test('without a list no origin gets CORS headers', async (t) => {
  t.deepEqual(listCors(await preflight(thing, 'GET', friend, closed)), [])
  const response = await call('/refused', { origin: friend }, 'GET', closed)
  t.deepEqual(listCors(response), [])
  t.is(response.headers.get('vary'), null)
})
