import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import test from 'ava'
import { makeRulesFastPath, type RulesFastPathDeps } from '../../src/serving/rules-fast-path.ts'
import { makeServedRules, type ServedRules } from '../../src/serving/rules-representation.ts'
import type { RequestReport } from '../../src/web/server.ts'

const text = JSON.stringify({ version: 'mark.3', rules: Array.from({ length: 50 }, () => ({ tool_name: 'search' })) })

async function listen(
  deps: Partial<RulesFastPathDeps>,
): Promise<{ server: Server; url: string; reports: RequestReport[]; rules: ServedRules }> {
  const rules = await makeServedRules({ version: 'mark.3', text })
  const reports: RequestReport[] = []
  const hot = makeRulesFastPath({
    rules: { peek: (workspaceId) => (workspaceId === 'w' ? rules : null) },
    peekKey: (token) =>
      token === 'good'
        ? { keyId: 'k', workspaceId: 'w' }
        : token === 'cold'
          ? { keyId: 'c', workspaceId: 'c' }
          : undefined,
    headers: { 'x-content-type-options': 'nosniff' },
    onRequest: (report) => void reports.push(report),
    ...deps,
  })
  // As the service. With Node's five seconds, a request after a pause meets a connection that closes.
  const server = createServer({ keepAliveTimeout: 65_000 }, (request, response) => {
    if (!hot(request, response)) response.writeHead(418).end()
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  return { server, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, reports, rules }
}

const close = (server: Server): void => {
  server.close()
  server.closeAllConnections()
}

test('a known key and rules in memory are answered at once, as the route would', async (t) => {
  const { server, url, reports, rules } = await listen({})
  const headers = { authorization: 'Bearer good', 'x-request-id': 'mine-1' }
  const full = await fetch(`${url}/v1/apply/rules`, { headers })
  t.is(full.status, 200)
  t.is(await full.text(), text)
  t.is(full.headers.get('content-encoding'), 'gzip')
  t.is(full.headers.get('x-request-id'), 'mine-1')
  t.is(full.headers.get('x-content-type-options'), 'nosniff')
  for (const [name, value] of Object.entries(rules.gzip?.fullHeaders ?? {})) t.is(full.headers.get(name), value, name)

  const current = await fetch(`${url}/v1/apply/rules`, {
    headers: { ...headers, 'if-none-match': full.headers.get('etag') ?? '' },
  })
  t.is(current.status, 304)
  t.is(current.headers.get('etag'), full.headers.get('etag'))
  t.is(current.headers.get('content-length'), null)
  t.is(await current.text(), '')
  t.deepEqual(
    reports.map(({ route, status, requestId }) => ({ route, status, requestId })),
    [200, 304].map((status) => ({ route: '/v1/apply/rules', status, requestId: 'mine-1' })),
  )
  close(server)
})

test('an invalid request id is replaced', async (t) => {
  const { server, url } = await listen({})
  const answer = await fetch(`${url}/v1/apply/rules`, {
    headers: { authorization: 'Bearer good', 'x-request-id': 'a b' },
  })
  t.regex(answer.headers.get('x-request-id') ?? '', /^[0-9a-f-]{36}$/)
  close(server)
})

test('the fast path passes every other request to the route', async (t) => {
  const { server, url, reports } = await listen({})
  const good = { authorization: 'Bearer good' }
  const left: [string, RequestInit][] = [
    ['/v1/apply/rules?wait=5', { headers: good }],
    ['/v1/apply/rules/', { headers: good }],
    ['/v1/apply/rules', { headers: good, method: 'POST' }],
    ['/v1/apply/rules', { headers: good, method: 'HEAD' }],
    ['/v1/apply/rules', {}],
    ['/v1/apply/rules', { headers: { authorization: 'Basic good' } }],
    ['/v1/apply/rules', { headers: { authorization: 'Bearer unknown' } }],
    ['/v1/apply/rules', { headers: { authorization: 'Bearer cold' } }],
  ]
  for (const [path, init] of left)
    t.is((await fetch(`${url}${path}`, init)).status, 418, `${init.method ?? 'GET'} ${path}`)
  t.deepEqual(reports, [])
  close(server)
})
