// Clients that send a byte now and then are not waited for.
import { connect } from 'node:net'
import test from 'ava'
import { startServer } from './_server.ts'

const limits = { headersTimeout: 300, requestTimeout: 900, connectionsCheckingInterval: 50 }
const server = await startServer(undefined, undefined, { patience: limits })
test.after.always(async () => await server.stop(100))

/** Sends a first part and then a letter every 20 ms, for ever; gives what came back when the server closed, and after how long. */
function trickle(first: string): Promise<{ answer: string; tookMs: number }> {
  return new Promise((done) => {
    const startedAtMs = performance.now()
    const socket = connect(server.port, '127.0.0.1', () => socket.write(first))
    // After what has come was read: on a connection that the server has reset, a write that fails takes an unread answer along.
    const drip = setInterval(() => setImmediate(() => socket.write('x')), 20)
    let answer = ''
    socket.on('data', (data: Buffer) => (answer += data.toString()))
    socket.on('error', () => undefined)
    socket.on('close', () => {
      clearInterval(drip)
      done({ answer, tookMs: performance.now() - startedAtMs })
    })
  })
}

test('headers that take too long are 408', async (t) => {
  const { answer, tookMs } = await trickle('GET /query HTTP/1.1\r\nhost: x\r\nx-slow: ')
  t.regex(answer, /^HTTP\/1\.1 408 /)
  t.true(tookMs >= limits.headersTimeout, `${tookMs} ms`)
})

test('a body that takes too long is 408, later than headers', async (t) => {
  const { answer, tookMs } = await trickle(
    'POST /body HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 60000\r\n\r\n{',
  )
  t.regex(answer, /^HTTP\/1\.1 408 /)
  t.true(tookMs >= limits.requestTimeout, `${tookMs} ms`)
})
