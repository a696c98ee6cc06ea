import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import test from 'ava'
import { ApiFault, isPassing, isTimeout } from '../../src/api/fault.ts'
import { transfer } from '../../src/api/transfer.ts'

const server = createServer((request, response) => {
  if (request.url === '/none') return response.writeHead(204).end()
  if (request.url === '/silent') return
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': 10, 'x-request-id': 'req-1' })
  response.write('[1,2,')
  if (request.url === '/whole') return response.end('3,4 ]')
  // As where the service is restarted while it answers.
  if (request.url === '/broken') return setImmediate(() => response.destroy())
})
server.listen(0, '127.0.0.1')
await once(server, 'listening')
test.after.always(() => {
  server.closeAllConnections()
  server.close()
})
const ask = async (path: string, signal?: AbortSignal, limitMs?: number): Promise<Response> =>
  await transfer(
    new Request(`http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`, { signal: signal ?? null }),
    limitMs,
  )

test('a response is returned as the service sent it', async (t) => {
  const response = await ask('/whole')
  t.is(response.headers.get('x-request-id'), 'req-1')
  t.deepEqual(await response.json(), [1, 2, 3, 4])
  const none = await ask('/none')
  t.deepEqual([none.status, await none.text()], [204, ''])
})

test('a response that is cut off counts as none: the request may be repeated', async (t) => {
  const fault = await t.throwsAsync(ask('/broken'), { instanceOf: ApiFault })
  t.is(fault?.detail, 'The service cannot be reached')
  t.true(isPassing(fault))
})

test('a request that is aborted during its response is not an error', async (t) => {
  const ending = new AbortController()
  const asked = ask('/endless', ending.signal)
  ending.abort(new Error('left'))
  await t.throwsAsync(asked, { message: 'left' })
})

test('a request fails if its response does not begin or end in time', async (t) => {
  for (const path of ['/silent', '/endless']) {
    const fault = await t.throwsAsync(ask(path, undefined, 100), { instanceOf: ApiFault })
    t.is(fault?.detail, 'The service has not answered within 0.1 s')
    t.true(isTimeout(fault))
    t.true(isPassing(fault))
  }
  t.false(isTimeout(await t.throwsAsync(ask('/broken'))))
})
