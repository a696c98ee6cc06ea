// Clients that send a byte now and then, or do not read their answers, are disconnected.
import { connect, type Socket } from 'node:net'
import test from 'ava'
import type { Route } from '../../src/web/route.ts'
import { watchStandstill } from '../_kit/standstill.ts'
import { until } from '../_kit/until.ts'
import { makeRoutes, startServer } from './_server.ts'

// More than the system buffers for a client that does not read.
const largeBytes = 16 << 20
const large: Route = {
  kind: 'raw',
  method: 'GET',
  path: '/large',
  tag: 'Test',
  summary: 'Test',
  auth: 'none',
  operation: {},
  handle: async (ctx) => {
    ctx.body = Buffer.alloc(largeBytes, 'x')
  },
}
const limits = { headersTimeout: 1_500, requestTimeout: 4_000, connectionsCheckingInterval: 50, readTimeout: 8_000 }
// Of the tests about answers: a request that a slow machine receives late is still answered.
const unhurried = { ...limits, headersTimeout: 60_000, requestTimeout: 60_000 }
const routes = [...makeRoutes(), large]
const server = await startServer(routes, undefined, { timeouts: limits })
const patient = await startServer(routes, undefined, { timeouts: { ...unhurried, readTimeout: 600_000 } })
test.after.always(async () => {
  await server.stop(100)
  await patient.stop(100)
})

/** Sends a first part and then a letter every 20 ms, forever. Returns the answer when the server has closed, and the time that took. `stoodMs` of it this process could not run. */
function trickle(first: string): Promise<{ answer: string; tookMs: number; stoodMs: number }> {
  return new Promise((done) => {
    const startedAtMs = performance.now()
    const standstill = watchStandstill()
    const socket = connect(server.port, '127.0.0.1', () => socket.write(first))
    // Written after received data was read: on a connection that the server has reset, a failed write discards an unread answer.
    const drip = setInterval(() => setImmediate(() => socket.write('x')), 20)
    let answer = ''
    socket.on('data', (data: Buffer) => (answer += data.toString()))
    socket.on('error', () => undefined)
    socket.on('close', () => {
      clearInterval(drip)
      done({ answer, tookMs: performance.now() - startedAtMs, stoodMs: standstill.stop() })
    })
  })
}

test('headers that take too long are 408', async (t) => {
  const { answer, tookMs } = await trickle('GET /query HTTP/1.1\r\nhost: x\r\nx-slow: ')
  t.regex(answer, /^HTTP\/1\.1 408 /)
  t.true(tookMs >= limits.headersTimeout, `${tookMs} ms`)
})

test('a body that takes too long is 408, later than headers', async (t) => {
  const { answer, tookMs, stoodMs } = await trickle(
    'POST /body HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 16000\r\n\r\n{',
  )
  t.regex(answer, /^HTTP\/1\.1 408 /)
  // A server that could not run for that long has read the headers too late.
  t.true(tookMs >= limits.requestTimeout || stoodMs >= limits.headersTimeout, `${tookMs} ms`)
})

const askLarge = 'GET /large HTTP/1.1\r\nhost: x\r\n\r\n'

/** Sends a request and reads nothing. */
function askAndLeave(port: number): { readonly socket: Socket; readonly isClosed: () => boolean } {
  let isClosed = false
  const socket = connect(port, '127.0.0.1', () => socket.write(askLarge))
  socket.pause()
  socket.on('error', () => undefined)
  socket.on('close', () => (isClosed = true))
  return { socket, isClosed: () => isClosed }
}

test('a client that reads nothing of its answer loses the connection, and is counted', async (t) => {
  const left = askAndLeave(patient.port)
  const own = await startServer(routes, undefined, { timeouts: unhurried })
  t.teardown(async () => await own.stop(100))
  const { socket } = askAndLeave(own.port)
  await until(() => own.ended.length > 0)
  t.deepEqual(own.ended, ['unread_answer'])
  socket.resume()
  await until(() => socket.destroyed)
  t.true(socket.bytesRead < largeBytes)
  // The control: only the time limit ends the connection.
  t.deepEqual(patient.ended, [])
  t.false(left.isClosed())
  left.socket.destroy()
})

const pauseMs = 600

/** Reads a large answer with pauses until its end or the end of the connection. */
async function readSlowly(port: number): Promise<{ readBytes: number; tookMs: number; stoodMs: number }> {
  const startedAtMs = performance.now()
  const standstill = watchStandstill()
  const stepBytes = 1 << 20
  let readBytes = 0
  let pauses = 0
  const socket = connect(port, '127.0.0.1', () => socket.write(askLarge))
  socket.on('error', () => undefined)
  socket.on('data', ({ length }: Buffer) => {
    readBytes += length
    if (readBytes < (pauses + 1) * stepBytes) return
    pauses += 1
    socket.pause()
    setTimeout(() => socket.resume(), pauseMs)
  })
  await until(() => readBytes > largeBytes || socket.destroyed)
  socket.destroy()
  return { readBytes, tookMs: performance.now() - startedAtMs, stoodMs: standstill.stop() }
}

test('a client that reads slowly gets its whole answer, however long that takes', async (t) => {
  const own = await startServer(routes, undefined, { timeouts: unhurried })
  t.teardown(async () => await own.stop(100))
  let read = await readSlowly(own.port)
  // A client that could not run for so long has read nothing in that time.
  while (read.readBytes <= largeBytes && read.stoodMs > limits.readTimeout - pauseMs) read = await readSlowly(own.port)
  t.true(read.readBytes > largeBytes)
  t.true(read.tookMs > limits.readTimeout)
})
