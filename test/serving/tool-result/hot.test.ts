import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import test from 'ava'
import { firstOf } from '../../../src/serving/fast-path.ts'
import { refusal } from '../../../src/serving/tool-result/answer.ts'
import { makeResultsFastPath } from '../../../src/serving/tool-result/fast-path.ts'
import type { Question } from '../../../src/serving/tool-result/match.ts'
import type { RequestReport } from '../../../src/web/server.ts'

const id = '0190a0b0-0000-7000-8000-00000000000a'
const path = '/v1/apply/tool-result'

async function listen(): Promise<{ server: Server; url: string; asked: Question[]; reports: RequestReport[] }> {
  const asked: Question[] = []
  const reports: RequestReport[] = []
  const hot = makeResultsFastPath({
    results: {
      peek: (workspaceId, question) => {
        asked.push(question)
        return workspaceId === 'w' ? refusal : null
      },
    },
    peekKey: (token) =>
      token === 'good' || token === 'cold' ? { keyId: 'k', workspaceId: token === 'good' ? 'w' : 'c' } : undefined,
    headers: { 'x-content-type-options': 'nosniff' },
    onRequest: (report) => void reports.push(report),
  })
  const answer = firstOf(() => false, hot)
  // As the service. With Node's five seconds, a request after a pause meets a connection that closes.
  const server = createServer({ keepAliveTimeout: 65_000 }, (request, response) => {
    if (!answer(request, response)) response.writeHead(418).end()
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  return { server, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked, reports }
}

const close = (server: Server): void => {
  server.close()
  server.closeAllConnections()
}

test('a known key is answered from memory, however the query is encoded', async (t) => {
  const { server, url, asked, reports } = await listen()
  const headers = { authorization: 'Bearer good', 'x-request-id': 'mine-1' }
  const spellings: [string, inputHash: string | null, scopeHash: string | null][] = [
    [`decision_id=${id}&input_hash=sha256:ab`, 'sha256:ab', null],
    [`decision_id=${id}&input_hash=sha256%3Aab&scope_hash=s%3A1`, 'sha256:ab', 's:1'],
    [`input_hash=a+b&decision_id=${id.toUpperCase()}&more=1`, 'a b', null],
    [`decision_id=${id}`, null, null],
  ]
  for (const [query] of spellings) {
    const answer = await fetch(`${url}${path}?${query}`, { headers })
    t.is(answer.status, 404)
    t.is(await answer.text(), '{"detail":"Not found"}')
    t.is(answer.headers.get('cache-control'), 'no-store')
    t.is(answer.headers.get('x-request-id'), 'mine-1')
    t.is(answer.headers.get('x-content-type-options'), 'nosniff')
  }
  t.deepEqual(
    asked,
    spellings.map(([, inputHash, scopeHash]) => ({ decisionId: id, inputHash, scopeHash })),
  )
  t.deepEqual(
    reports.map(({ route, status, requestId }) => ({ route, status, requestId })),
    spellings.map(() => ({ route: path, status: 404, requestId: 'mine-1' })),
  )
  close(server)
})

test('the fast path passes every other request to the route', async (t) => {
  const { server, url, asked, reports } = await listen()
  const good = { authorization: 'Bearer good' }
  const left: [string, RequestInit][] = [
    [path, { headers: good }],
    [`${path}?`, { headers: good }],
    [`${path}?decision_id=x`, { headers: good }],
    [`${path}?decision_id=${id}&decision_id=${id}`, { headers: good }],
    [`${path}?decision_id=${id}&input_hash=a&input_hash=b`, { headers: good }],
    [`${path}?decision_id=${id}&input_hash=${'h'.repeat(129)}`, { headers: good }],
    [`${path}?decision_id=${id}&scope_hash=a&scope_hash=b`, { headers: good }],
    [`${path}?decision_id=${id}&scope_hash=${'h'.repeat(129)}`, { headers: good }],
    [`${path}/?decision_id=${id}`, { headers: good }],
    [`${path}?decision_id=${id}`, { headers: good, method: 'HEAD' }],
    [`${path}?decision_id=${id}`, { headers: good, method: 'POST' }],
    [`${path}?decision_id=${id}`, {}],
    [`${path}?decision_id=${id}`, { headers: { authorization: 'Basic good' } }],
    [`${path}?decision_id=${id}`, { headers: { authorization: 'Bearer unknown' } }],
    [`${path}?decision_id=${id}`, { headers: { authorization: 'Bearer cold' } }],
  ]
  for (const [rest, init] of left)
    t.is((await fetch(`${url}${rest}`, init)).status, 418, `${init.method ?? 'GET'} ${rest}`)
  // Only the unknown result was requested.
  t.is(asked.length, 1)
  t.deepEqual(reports, [])
  close(server)
})
