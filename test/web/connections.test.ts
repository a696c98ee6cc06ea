// What one connection and one address may use, and which headers are allowed.
import { once } from 'node:events'
import { createServer } from 'node:http'
import { connect, Socket } from 'node:net'
import test from 'ava'
import { watchConnections } from '../../src/web/connections.ts'
import { until } from '../_kit/until.ts'
import { sendRaw, startServer, useServer } from './_server.ts'

const server = useServer()
// The control: Node by itself, with the same limit.
const bare = createServer({ maxHeaderSize: 8_192 }, (_request, response) => response.end('taken')).listen(
  0,
  '127.0.0.1',
)
let barePort = 0
test.before(async () => {
  if (!bare.listening) await once(bare, 'listening')
  barePort = (bare.address() as { port: number }).port
})
test.after.always(() => void bare.close())

const close = 'connection: close\r\n'
const ask = (headers: string): string => `GET /query?needed=x HTTP/1.1\r\n${headers}${close}\r\n`
const blanks = ' '.repeat(1 << 20)

for (const [where, request] of [
  ['a header value', ask(`host: x\r\nx-long:${blanks}v\r\n`)],
  ['a header value, as tabs', ask(`host: x\r\nx-long:${'\t'.repeat(1 << 20)}v\r\n`)],
  ['the URL', `GET ${blanks}/query?needed=x HTTP/1.1\r\nhost: x\r\n${close}\r\n`],
  ['the request line', '\r\n'.repeat(1 << 19) + ask('host: x\r\n')],
] as const)
  test(`blanks before ${where} count as header; Node takes them`, async (t) => {
    const answer = await sendRaw(server.port, request)
    t.regex(answer, /^HTTP\/1\.1 431 [^]*"detail":"The URL and the headers are larger than 8192 bytes"/)
    t.regex(await sendRaw(barePort, request), /^HTTP\/1\.1 200 /)
  })

test('blanks that do not end are refused while they come', async (t) => {
  const socket = connect(server.port, '127.0.0.1')
  socket.write('GET / HTTP/1.1\r\nhost: x\r\nx-long:')
  // Written after received data was read: on a connection that the server has reset, a failed write discards an unread answer.
  const more = setInterval(() => setImmediate(() => socket.write(' '.repeat(4_096))), 5)
  let answer = ''
  socket.on('data', (data: Buffer) => (answer += data.toString()))
  // Writes until the server has ended the connection.
  socket.on('error', () => undefined)
  await new Promise<void>((done) => socket.once('close', () => done()))
  clearInterval(more)
  t.regex(answer, /^HTTP\/1\.1 431 /)
})

test('bodies do not count as headers, in any order of requests', async (t) => {
  const text = JSON.stringify({ name: 'x', filler: 'y'.repeat(16_000) })
  const post = (end: string): string =>
    `POST /body HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: ${text.length}\r\n${end}\r\n${text}`
  const chunked = `POST /body HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n${text.length.toString(16)}\r\n${text}\r\n0\r\n\r\n`
  const get = 'GET /query?needed=x HTTP/1.1\r\nhost: x\r\n\r\n'
  const answer = await sendRaw(server.port, post('') + chunked + get + post('') + get + post(close))
  t.deepEqual(
    [...answer.matchAll(/HTTP\/1\.1 (\d+) /g)].map(([, status]) => status),
    ['201', '201', '200', '201', '200', '201'],
  )
})

test('a body in parts over a keep-alive connection does not count as a header', async (t) => {
  const text = JSON.stringify({ name: 'x', filler: 'y'.repeat(16_000) })
  const socket = connect(server.port, '127.0.0.1')
  let answer = ''
  socket.on('data', (data: Buffer) => (answer += data.toString()))
  const count = (): number => answer.match(/HTTP\/1\.1 201 /g)?.length ?? 0
  const head = `POST /body HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: ${text.length}\r\n\r\n`
  for (let nth = 1; nth <= 3; nth += 1) {
    socket.write(head)
    for (let at = 0; at < text.length; at += 8_000) {
      await new Promise<void>((done) => socket.write(text.slice(at, at + 8_000), () => done()))
    }
    await until(() => count() === nth)
  }
  t.notRegex(answer, /HTTP\/1\.1 431 /)
  socket.destroy()
})

const oneHost = 'The request must have exactly one Host header'
const oneCredential = 'The request must not have more than one Authorization header'
const onlyChunked = 'The Transfer-Encoding header must be chunked'
for (const [what, headers, status, detail] of [
  ['two Host headers', 'host: x\r\nHOST: y\r\n', 400, oneHost],
  ['two equal Host headers', 'host: x\r\nhost: x\r\n', 400, oneHost],
  ['no Host header', '', 400, oneHost],
  [
    'two Authorization headers',
    'host: x\r\nauthorization: Bearer a\r\nAuthorization: Bearer b\r\n',
    400,
    oneCredential,
  ],
  ['another transfer coding', 'host: x\r\ntransfer-encoding: gzip, chunked\r\n', 501, onlyChunked],
  ['two transfer codings', 'host: x\r\ntransfer-encoding: gzip\r\ntransfer-encoding: chunked\r\n', 501, onlyChunked],
] as const)
  test(`${what}: ${status} in the form of every other refusal`, async (t) => {
    const answer = await sendRaw(server.port, ask(`${headers}x-request-id: of-${headers.length}\r\n`))
    const [head = '', body = ''] = answer.split('\r\n\r\n')
    t.true(head.startsWith(`HTTP/1.1 ${status} `), head)
    t.regex(head, /^connection: close\r?$/im)
    t.regex(head, /^x-content-type-options: nosniff\r?$/im)
    t.deepEqual(JSON.parse(body), { detail })
    t.like(
      server.reports.find(({ requestId }) => requestId === `of-${headers.length}`),
      { route: 'unmatched', status },
    )
  })

test('Node uses the first of two Host headers, and HTTP/1.0 needs none', async (t) => {
  t.regex(await sendRaw(barePort, ask('host: x\r\nhost: y\r\n')), /^HTTP\/1\.1 200 /)
  t.regex(await sendRaw(server.port, 'GET /query?needed=x HTTP/1.0\r\n\r\n'), /^HTTP\/1\.1 200 /)
})

test('the fast path does not answer requests with an ambiguous host', async (t) => {
  const answered: string[] = []
  const hot = await startServer(undefined, undefined, {
    fastPath: (request, response) => {
      answered.push(request.url ?? '')
      response.end('hot')
      return true
    },
  })
  t.regex(await sendRaw(hot.port, ask('host: x\r\nhost: y\r\n')), /^HTTP\/1\.1 400 /)
  t.deepEqual(answered, [])
  t.regex(await sendRaw(hot.port, ask('host: x\r\n')), /hot$/)
  await hot.stop()
})

/** Opens connections that stay open until the test ends. */
async function connectMany(port: number, count: number): Promise<Socket[]> {
  const sockets = Array.from({ length: count }, () => connect(port, '127.0.0.1'))
  for (const socket of sockets) socket.on('error', () => undefined)
  await Promise.all(sockets.map((socket) => once(socket, 'connect')))
  return sockets
}

test('an IPv6 /48 may have twice the connections of a /64, until one of them ends', async (t) => {
  const server = createServer()
  const ended: string[] = []
  const limits = { perAddress: 2, headerBytes: 8_192, readTimeoutMs: 30_000 }
  watchConnections(server, limits, { onEnded: (by) => void ended.push(by), onHeaderTooLarge: () => undefined })
  const open = (remoteAddress: string): Socket => {
    const socket = Object.defineProperty(new Socket(), 'remoteAddress', { value: remoteAddress })
    server.emit('connection', socket)
    return socket
  }
  const isOpen = (remoteAddress: string): boolean => !open(remoteAddress).destroyed
  t.deepEqual(
    ['1', '1', '1', '2', '3', '4'].map((group) => isOpen(`2001:db8:1:${group}::1`)),
    [true, true, false, true, true, false],
  )
  t.true(isOpen('2001:db8:2::1'))
  const last = open('2001:db8:3:1::1')
  for (const group of ['1', '2', '2']) t.true(isOpen(`2001:db8:3:${group}::1`))
  t.false(isOpen('2001:db8:3:3::1'))
  last.destroy()
  await once(last, 'close')
  t.true(isOpen('2001:db8:3:3::1'))
  t.deepEqual(
    [1, 2, 3].map(() => isOpen('192.0.2.1')),
    [true, true, false],
  )
  t.deepEqual(new Set(ended), new Set(['connections_of_address']))
})

test('the connections of an address are limited, until one of them ends', async (t) => {
  const few = await startServer(undefined, undefined, { connectionsPerAddress: 2 })
  const [first, second] = await connectMany(few.port, 2)
  const request = ask('host: x\r\n')
  t.is(await sendRaw(few.port, request), '')
  t.deepEqual(few.ended, ['connections_of_address'])
  first?.destroy()
  await until(async () => (await sendRaw(few.port, request)).startsWith('HTTP/1.1 200 '))
  second?.destroy()
  await few.stop(100)
  // The control: without a limit of its own, an address may use all connections.
  const many = await connectMany(server.port, 50)
  t.regex(await sendRaw(server.port, request), /^HTTP\/1\.1 200 /)
  for (const socket of many) socket.destroy()
  t.deepEqual(server.ended, [])
})
