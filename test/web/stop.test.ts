// The stop: requests in flight are answered, waiting ones are woken, idle connections are closed, and nothing delays it forever.
import { connect } from 'node:net'
import test from 'ava'
import { measure } from '../_kit/standstill.ts'
import { until } from '../_kit/until.ts'
import { makeRoutes, startServer } from './_server.ts'

/** A promise that a test resolves, and the number of calls that wait for it. */
function openGate() {
  let waiting = 0
  let open: () => void = () => undefined
  const opened = new Promise<void>((done) => (open = done))
  return {
    open: () => open(),
    waiting: () => waiting,
    wait: async () => {
      waiting += 1
      await opened
    },
  }
}

test('a request in flight is answered with Connection: close', async (t) => {
  const gate = openGate()
  const server = await startServer(makeRoutes(gate.wait))
  const answer = fetch(`${server.baseUrl}/slow`)
  await until(() => gate.waiting() === 1)
  let stopped = false
  const stop = server.stop(60_000).then(() => (stopped = true))
  await t.throwsAsync(fetch(`${server.baseUrl}/refused`))
  t.false(stopped)
  gate.open()
  const response = await answer
  t.is(response.status, 200)
  t.deepEqual(await response.json(), { slow: true })
  t.is(response.headers.get('connection'), 'close')
  await stop
})

test('a parked request is woken and answered at once', async (t) => {
  const gate = openGate()
  const server = await startServer(makeRoutes(undefined, () => void gate.wait()))
  const answer = fetch(`${server.baseUrl}/parked`)
  await until(() => gate.waiting() === 1)
  // A handler that is not woken would be cut off after this time.
  await server.stop(60_000)
  t.is((await answer).status, 200)
})

test('an idle connection does not delay the stop', async (t) => {
  const server = await startServer()
  await fetch(`${server.baseUrl}/refused`)
  const { tookMs } = await measure(() => server.stop(60_000))
  // The client would keep the connection for a minute.
  t.true(tookMs < 5_000, `${tookMs} ms`)
})

test('requests that are not finished by the deadline are cut', async (t) => {
  const gate = openGate()
  const server = await startServer(makeRoutes(gate.wait))
  const answer = fetch(`${server.baseUrl}/slow`)
  answer.catch(() => undefined)
  await until(() => gate.waiting() === 1)
  await server.stop(100)
  await t.throwsAsync(answer)
  gate.open()
})

test('a client that never finishes its headers does not delay the stop beyond the deadline', async (t) => {
  const server = await startServer()
  const socket = connect(server.port, '127.0.0.1')
  await new Promise<void>((done) => socket.write('GET /query HTTP/1.1\r\nhost:', () => done()))
  const closed = new Promise<void>((done) => socket.on('close', () => done()))
  socket.on('error', () => undefined)
  await server.stop(200)
  await closed
  t.pass()
})
