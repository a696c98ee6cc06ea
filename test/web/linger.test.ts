// What a client sees if it is refused while it still sends.
import { connect } from 'node:net'
import test from 'ava'
import { lingerMs } from '../../src/web/linger.ts'
import { serve } from '../../src/web/server.ts'
import { runInTime } from '../_kit/in-time.ts'
import { authenticator } from './_server.ts'

const bodyBytes = 32 << 20

const server = await serve({
  host: '127.0.0.1',
  port: 0,
  routes: [
    {
      kind: 'raw',
      method: 'POST',
      path: '/refused',
      tag: 'Test',
      summary: 'Test',
      auth: 'none',
      operation: {},
      handle: async (ctx) => {
        ctx.set('Connection', 'close')
        ctx.status = 413
        ctx.body = 'too large'
      },
    },
  ],
  authenticator,
  maxJsonBodyBytes: 1_024,
  trustedProxies: 0,
  onRequest: () => undefined,
})
test.after.always(async () => await server.stop(1_000))

type Sent = { readonly error: string | null; readonly written: number; readonly answer: string }

/** Sends like a client that reads the answer only after sending everything. */
async function send(head: string, body: Buffer): Promise<Sent> {
  const socket = connect(server.port, '127.0.0.1')
  let error: string | null = null
  let answer = ''
  socket.on('error', (cause) => (error = cause.message))
  socket.write(`POST /refused HTTP/1.1\r\nhost: x\r\n${head}\r\n\r\n`)
  await new Promise<void>((done) => socket.write(body, () => done()))
  socket.on('data', (data) => (answer += data.toString()))
  await new Promise<void>((done) => socket.once('close', () => done()))
  return { error, written: socket.bytesWritten, answer }
}

test('a client that sends all of its body first reads why it was refused', async (t) => {
  const { error, answer } = await runInTime(lingerMs, () =>
    send(`content-length: ${bodyBytes}`, Buffer.alloc(bodyBytes)),
  )
  t.is(error, null)
  t.regex(answer, /^HTTP\/1\.1 413 [^]*too large$/)
})

test('a client without a Content-Length also reads why its body was refused', async (t) => {
  const chunk = Buffer.concat([
    Buffer.from(`${bodyBytes.toString(16)}\r\n`),
    Buffer.alloc(bodyBytes),
    Buffer.from('\r\n0\r\n\r\n'),
  ])
  const { error, answer } = await runInTime(lingerMs, () => send('transfer-encoding: chunked', chunk))
  t.is(error, null)
  t.regex(answer, /^HTTP\/1\.1 413 [^]*too large$/)
})
