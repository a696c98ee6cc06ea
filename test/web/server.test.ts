// The common properties of every answer: request ids, methods, the 404, failures, security headers.
import test from 'ava'
import { keyToken, sendRaw, sessionToken, useServer, workspaceId } from './_server.ts'

const server = useServer()

const get = async (path: string, headers: Record<string, string> = {}, method = 'GET') =>
  await fetch(server.baseUrl + path, { method, headers })

test('every response has a request id, that of the caller if it is valid', async (t) => {
  t.is((await get('/refused', { 'x-request-id': 'abc-123.X:y_z' })).headers.get('x-request-id'), 'abc-123.X:y_z')
  for (const odd of ['', 'has blank', 'x'.repeat(129), '<script>', 'é']) {
    const id = (await get('/no-such-path', { 'x-request-id': odd })).headers.get('x-request-id') ?? ''
    t.regex(id, /^[0-9a-f-]{36}$/, odd)
  }
  for (const path of ['/bug', '/outage', '/key', '/query', '/slow']) {
    t.truthy((await get(path)).headers.get('x-request-id'), path)
  }
})

test('a method that a path does not have is 405 with Allow and a sentence', async (t) => {
  for (const method of ['PUT', 'POST', 'PATCH']) {
    const response = await get(`/v1/workspaces/${workspaceId}/thing`, {}, method)
    t.is(response.status, 405, method)
    t.deepEqual(new Set(response.headers.get('allow')?.split(', ')), new Set(['HEAD', 'GET', 'DELETE']))
    t.deepEqual(await response.json(), { detail: 'Method not allowed' })
  }
})

test('a fixed path beside a parameter has only its own methods', async (t) => {
  for (const method of ['PATCH', 'PUT', 'POST']) {
    const response = await get(`/things/summary`, {}, method)
    t.is(response.status, 405, method)
    t.deepEqual(new Set(response.headers.get('allow')?.split(', ')), new Set(['HEAD', 'GET']), method)
    t.deepEqual(await response.json(), { detail: 'Method not allowed' })
  }
  t.deepEqual(await (await get('/things/summary')).json(), { summary: true })
  t.deepEqual(await (await get('/things/other')).json(), { name: 'other' })
  t.deepEqual(await (await get('/things/other', {}, 'PATCH')).json(), { changed: 'other' })
})

test('a method that HTTP has but no route does is 405 too', async (t) => {
  const answer = await sendRaw(server.port, 'PROPFIND /query HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n')
  t.regex(answer, /^HTTP\/1\.1 405 /)
  t.regex(answer, /\r\nallow: /i)
})

test('OPTIONS returns the methods and nothing else', async (t) => {
  const response = await get('/query', {}, 'OPTIONS')
  t.is(response.status, 200)
  t.deepEqual(new Set(response.headers.get('allow')?.split(', ')), new Set(['HEAD', 'GET']))
  t.is(await response.text(), '')
  t.is(response.headers.get('access-control-allow-origin'), null)
})

test('an unknown path gets the common 404', async (t) => {
  for (const path of [
    '/',
    '/nothing',
    '/QUERY',
    '/v1',
    '/v1/workspaces//thing',
    '/%E0%A4%A',
    '/v1/..%2f..%2fetc/passwd',
  ]) {
    const response = await get(path)
    t.is(response.status, 404, path)
    t.is(response.headers.get('content-type'), 'application/json; charset=utf-8', path)
    t.is(await response.text(), '{"detail":"Not found"}', path)
  }
})

test('an unknown path of an OTLP exporter gets the right one', async (t) => {
  for (const path of [
    '/v1/traces',
    '/v1/otlp',
    '/v1/otlp/',
    '/v1/otlp/v1/metrics',
    '/otlp/v1/logs',
    '/v1/otlp/v1/traces/v1/traces',
  ]) {
    const response = await get(path, {}, 'POST')
    t.is(response.status, 404, path)
    t.regex(await response.text(), /accepted at \/v1\/otlp\/v1\/traces/, path)
  }
})

test('a foreign workspace gets the same bytes as an unknown path', async (t) => {
  const authorization = `Bearer ${sessionToken}`
  const foreign = await get('/v1/workspaces/01890000-0000-7000-8000-00000000beef/thing', { authorization })
  const nobody = await get('/nothing')
  t.is(foreign.status, 404)
  t.is(await foreign.text(), await nobody.text())
})

test('first the credential, then the shape, then the membership, then the role', async (t) => {
  const authorization = `Bearer ${sessionToken}`
  const foreign = '01890000-0000-7000-8000-00000000beef'
  t.is((await get(`/v1/workspaces/${foreign}/thing?limit=0`)).status, 401)
  t.is((await get(`/v1/workspaces/${foreign}/thing?limit=0`, { authorization })).status, 422)
  t.is((await get(`/v1/workspaces/nonsense/thing`, { authorization })).status, 422)
  t.is((await get(`/v1/workspaces/${foreign}/thing`, { authorization })).status, 404)
  t.is((await get(`/v1/workspaces/${foreign}/thing`, { authorization }, 'DELETE')).status, 404)
  t.is((await get(`/v1/workspaces/${workspaceId}/thing`, { authorization }, 'DELETE')).status, 403)
  t.is((await get(`/v1/workspaces/${workspaceId}/thing`, { authorization })).status, 200)
})

test('every 401 of a route is the same and names what it accepts: no credential, a broken one, one of the wrong kind', async (t) => {
  const bodies = new Set<string>()
  for (const authorization of [
    undefined,
    'Bearer',
    'Bearer ',
    'Basic eDp5',
    `Bearer ${sessionToken}`,
    `Bearer ${'x'.repeat(5_000)}`,
  ]) {
    const response = await get('/key', authorization === undefined ? {} : { authorization })
    t.is(response.status, 401)
    t.is(response.headers.get('www-authenticate'), 'Bearer')
    bodies.add(await response.text())
  }
  const ofKey = 'Not authenticated: the Authorization header must be Bearer and a valid API key'
  t.deepEqual([...bodies], [JSON.stringify({ detail: ofKey })])
  const session = await get(`/v1/workspaces/${workspaceId}/thing`, { authorization: `Bearer ${keyToken}` })
  t.is(session.status, 401)
  t.deepEqual(await session.json(), {
    detail:
      'Not authenticated: the Authorization header must be Bearer and a valid access token of a signed-in user; an API key does not work here',
  })
})

test('the scheme is read without regard to case', async (t) => {
  t.is((await get('/key', { authorization: `bearer ${keyToken}` })).status, 200)
})

test('a refusal has its own status and sentence', async (t) => {
  const response = await get('/refused')
  t.is(response.status, 409)
  t.deepEqual(await response.json(), { detail: 'It is taken' })
})

test('a bug is a 500 without details, and is reported once', async (t) => {
  const response = await get('/bug', { 'x-request-id': 'the-bug' })
  t.is(response.status, 500)
  t.deepEqual(await response.json(), {
    detail: 'Internal error: the log of the service has the cause, with the request id the-bug',
  })
  const reports = server.reports.filter(({ requestId }) => requestId === 'the-bug')
  t.is(reports.length, 1)
  t.regex(String(reports[0]?.error), /a secret of the inside/)
})

test('an outage is a 503 with Retry-After in whole seconds, without details; a failure is reported', async (t) => {
  const response = await get('/outage', { 'x-request-id': 'the-outage' })
  t.is(response.status, 503)
  t.is(response.headers.get('retry-after'), '2')
  t.is(await response.text(), '{"detail":"Temporarily unavailable"}')
  const report = server.reports.find(({ requestId }) => requestId === 'the-outage')
  t.regex(String(report?.error), /a secret of the inside/)
})

test('reports name the route’s pattern, never the path', async (t) => {
  await get(`/v1/workspaces/${workspaceId}/thing`, { 'x-request-id': 'pattern' })
  await get('/some/secret/path', { 'x-request-id': 'stray' })
  const byId = new Map(server.reports.map(({ requestId, route }) => [requestId, route]))
  t.is(byId.get('pattern'), '/v1/workspaces/{workspace_id}/thing')
  t.is(byId.get('stray'), 'unmatched')
})

test('every answer has the security headers', async (t) => {
  for (const path of ['/query?needed=x', '/nothing', '/bug', '/key', '/outage', '/query']) {
    const { headers } = await get(path)
    t.is(
      headers.get('content-security-policy'),
      "default-src 'none';frame-ancestors 'none';base-uri 'none';object-src 'none'",
      path,
    )
    t.is(headers.get('x-content-type-options'), 'nosniff', path)
    t.is(headers.get('referrer-policy'), 'no-referrer', path)
    t.regex(headers.get('strict-transport-security') ?? '', /max-age=31536000; includeSubDomains/, path)
    t.is(headers.get('x-powered-by'), null, path)
    t.is(headers.get('access-control-allow-origin'), null, path)
  }
})

test('HEAD answers as GET does, without the body', async (t) => {
  const response = await get('/query?needed=x', {}, 'HEAD')
  t.is(response.status, 200)
  t.is(await response.text(), '')
})

test('bytes that are not HTTP get 400, and headers of 100 KB get 431; both end the connection', async (t) => {
  t.regex(await sendRaw(server.port, 'nonsense\r\n\r\n'), /^HTTP\/1\.1 400 /)
  t.regex(
    await sendRaw(server.port, `GET /query HTTP/1.1\r\nhost: x\r\nx-long: x${' '.repeat(100_000)}x\r\n\r\n`),
    /^HTTP\/1\.1 431 /,
  )
})

test('an unknown expectation gets 417 in the usual form, whatever the route, and is reported', async (t) => {
  for (const path of ['/query?needed=x', '/none']) {
    const answer = await sendRaw(server.port, `GET ${path} HTTP/1.1\r\nhost: x\r\nexpect: a-miracle\r\n\r\n`)
    const [head = '', body = ''] = answer.split('\r\n\r\n')
    t.true(head.startsWith('HTTP/1.1 417 '), head)
    t.deepEqual(JSON.parse(body), { detail: 'The Expect header must be 100-continue' })
    const id = /^x-request-id: ([0-9a-f-]{36})\r$/im.exec(head)?.[1]
    t.like(
      server.reports.find(({ requestId }) => requestId === id),
      { status: 417 },
    )
  }
})

test('requests that Node cannot parse get a refusal in the usual form, and are reported', async (t) => {
  for (const [bytes, status, detail] of [
    ['nonsense\r\n\r\n', 400, 'The request is not valid HTTP'],
    [
      `GET /query?needed=${'x'.repeat(20_000)} HTTP/1.1\r\nhost: x\r\n\r\n`,
      431,
      'The URL and the headers are larger than 8192 bytes',
    ],
  ] as const) {
    const answer = await sendRaw(server.port, bytes)
    const [head = '', body = ''] = answer.split('\r\n\r\n')
    t.true(head.startsWith(`HTTP/1.1 ${status} `), head)
    t.regex(head, /^content-type: application\/json; charset=utf-8\r$/im)
    t.regex(head, /^x-content-type-options: nosniff\r?$/im)
    t.deepEqual(JSON.parse(body), { detail })
    const id = /^x-request-id: ([0-9a-f-]{36})\r$/im.exec(head)?.[1]
    t.like(
      server.reports.find(({ requestId }) => requestId === id),
      { route: 'unmatched', status },
      head,
    )
  }
})

test('a length and chunks at once are refused by the parser', async (t) => {
  const head =
    'POST /body HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 5\r\ntransfer-encoding: chunked\r\n\r\n'
  t.regex(await sendRaw(server.port, `${head}0\r\n\r\nGET /query HTTP/1.1\r\nhost: x\r\n\r\n`), /^HTTP\/1\.1 400 [^]*$/)
})
