// The stop: requests in flight are answered, waiting ones are woken, idle connections are closed, and nothing delays it forever.
import { connect } from 'node:net'
import { Worker } from 'node:worker_threads'
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
  const isRefused = async (): Promise<boolean> =>
    await fetch(`${server.baseUrl}/refused`).then(
      () => false,
      () => true,
    )
  await until(isRefused)
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

// Connects several times while the other thread is blocked, and reports what each connection receives.
const lateClient = `
  const { connect } = require('node:net')
  const { parentPort, workerData: { port, arrived, connections } } = require('node:worker_threads')
  for (let nth = 0; nth < connections; nth += 1) {
    const socket = connect(port, '127.0.0.1')
    let text = ''
    socket.on('data', (data) => (text += data))
    socket.on('error', (error) => (text += error.code))
    socket.on('close', () => parentPort.postMessage(text))
    socket.write('GET /refused HTTP/1.1\\r\\nhost: x\\r\\n\\r\\n', () => {
      if (Atomics.add(arrived, 0, 1) === connections - 1) Atomics.notify(arrived, 0)
    })
  }`
const connections = 5
/** Only a client that failed takes this long; its error is then reported. */
const maxConnectMs = 20_000

test('requests that arrived while the process could not run are answered, though the time to stop had come', async (t) => {
  const server = await startServer()
  const arrived = new Int32Array(new SharedArrayBuffer(4))
  const client = new Worker(lateClient, { eval: true, workerData: { port: server.port, arrived, connections } })
  const received: string[] = []
  const allReceived = new Promise<void>((done, fail) =>
    client
      .on('message', (text: string) => {
        if (received.push(text) === connections) done()
      })
      .once('error', fail),
  )
  await new Promise<void>((done) =>
    setTimeout(() => {
      for (let seen = 0; seen < connections; seen = Atomics.load(arrived, 0))
        if (Atomics.wait(arrived, 0, seen, maxConnectMs) === 'timed-out') break
      done(server.stop(60_000))
    }, 0),
  )
  await allReceived
  for (const text of received) t.regex(text, /^HTTP\/1\.1 [1-5]\d\d .*connection: close/is)
})
