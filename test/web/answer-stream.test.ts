// Answers that are produced while the client reads them.
import { connect } from 'node:net'
import test from 'ava'
import { z } from 'zod'
import { Outage } from '../../src/base/fault.ts'
import { ok } from '../../src/base/outcome.ts'
import { streamRoute } from '../../src/web/route.ts'
import { until } from '../_kit/until.ts'
import { sendRaw, startServer } from './_server.ts'

const partBytes = 65_536
let asked = 0
let closed = 0

/** An answer of `count` parts, or without an end; `failure` is thrown after the part of that number. */
const makeRoute = (path: string, count: number, failure?: { readonly behind: number; readonly error: Error }) =>
  streamRoute({
    method: 'GET',
    path,
    tag: 'Test',
    summary: 'Test',
    auth: 'none',
    contentType: 'application/x-ndjson',
    response: z.unknown(),
    handle: async () => {
      let isEnded = false
      return ok({
        headers: { 'x-begin': 'first' },
        parts: (async function* () {
          for (let at = 0; at < count; at += 1) {
            if (at === failure?.behind) throw failure.error
            asked += 1
            yield Buffer.alloc(partBytes, `${at % 10}`)
          }
          isEnded = true
        })(),
        trailers: () => ({ 'x-end': isEnded ? 'last' : '' }),
        close: () => void (closed += 1),
      })
    },
  })

const routes = [
  makeRoute('/short', 3),
  makeRoute('/endless', Number.POSITIVE_INFINITY),
  makeRoute('/late-bug', 9, { behind: 2, error: new Error('a secret of the inside') }),
  makeRoute('/late-outage', 9, { behind: 2, error: new Outage('limit', 'not now') }),
  makeRoute('/late-failure', 9, { behind: 2, error: new Outage('failure', 'a secret of the inside') }),
  makeRoute('/outage', 9, { behind: 0, error: new Outage('limit', 'not now', { retryAfterMs: 3_000 }) }),
]
const server = await startServer(routes)
/** A machine that stands still makes a reading client look like one that does not read, so only the tests of that case use this server. */
const impatient = await startServer(routes, undefined, {
  timeouts: { headersTimeout: 60_000, requestTimeout: 60_000, connectionsCheckingInterval: 100, readTimeout: 400 },
})
test.after.always(async () => {
  await server.stop(100)
  await impatient.stop(100)
})
test.serial.beforeEach(() => {
  asked = 0
  closed = 0
})

const get = (path: string, more = ''): string => `GET ${path} HTTP/1.1\r\nhost: x\r\nconnection: close\r\n${more}\r\n`

test.serial('a whole answer ends with its trailers, and is compressed where that is accepted', async (t) => {
  const raw = await sendRaw(server.port, get('/short'))
  t.regex(raw, /^HTTP\/1\.1 200 /)
  t.regex(raw, /\r\nx-begin: first\r\n/i)
  t.regex(raw, /\r\ntrailer: x-end\r\n/i)
  t.regex(raw, /\r\n0\r\nx-end: last\r\n\r\n$/)
  const packed = await fetch(`${server.baseUrl}/short`, { headers: { 'accept-encoding': 'gzip' } })
  t.is(packed.headers.get('content-encoding'), 'gzip')
  t.is((await packed.text()).length, 3 * partBytes)
  await until(() => closed === 2)
  t.is(server.reports.at(-1)?.status, 200)
})

test.serial('for a client that does not read, no more parts are produced, and its connection is cut', async (t) => {
  const socket = connect(impatient.port, '127.0.0.1', () => socket.write(get('/endless')))
  socket.on('error', () => undefined)
  socket.pause()
  await until(() => closed === 1)
  // The system buffers less than 16 MiB for one connection, in both directions.
  t.true(asked * partBytes < 32 << 20, `${asked} parts`)
  t.true(impatient.ended.includes('unread_answer'))
  socket.destroy()
})

test.serial('control: a client that reads is given many more parts, until it goes away', async (t) => {
  async function readMany(): Promise<boolean> {
    asked = 0
    closed = 0
    let bytes = 0
    const socket = connect(impatient.port, '127.0.0.1', () => socket.write(get('/endless')))
    socket.on('error', () => undefined)
    socket.on('data', (data: Buffer) => {
      bytes += data.byteLength
      if (bytes > 36 << 20) socket.destroy()
    })
    await until(() => closed === 1)
    return asked * partBytes > 32 << 20
  }
  // A client that the machine let stand still for as long as a client may is cut; another one reads on.
  await until(readMany)
  t.is(impatient.reports.at(-1)?.error, undefined, 'a client that goes away is no failure')
})

test.serial('a failure before the first part gets the usual refusal; a later one cuts the connection', async (t) => {
  const early = await fetch(`${server.baseUrl}/outage`)
  t.is(early.status, 503)
  t.is(early.headers.get('retry-after'), '3')
  t.is(closed, 1)
  for (const [path, isReported] of [
    ['/late-bug', true],
    ['/late-outage', false],
    ['/late-failure', true],
  ] as const) {
    const cut = await sendRaw(server.port, get(path))
    t.regex(cut, /^HTTP\/1\.1 200 /)
    t.false(cut.includes('x-end: '))
    t.false(cut.includes('secret'))
    t.false(cut.endsWith('0\r\n\r\n'), 'the client sees that it is not whole')
    await until(() => server.reports.at(-1)?.route === path)
    t.is(server.reports.at(-1)?.error instanceof Error, isReported, path)
  }
  t.is(closed, 4)
})

test.serial('HEAD makes no part', async (t) => {
  const head = await fetch(`${server.baseUrl}/endless`, { method: 'HEAD' })
  t.is(head.status, 200)
  t.is(head.headers.get('content-type'), 'application/x-ndjson')
  await until(() => closed === 1)
  t.is(asked, 0)
})

test.serial('a stop of the service ends running exports', async (t) => {
  const other = await startServer([makeRoute('/endless', Number.POSITIVE_INFINITY)])
  const response = await fetch(`${other.baseUrl}/endless`)
  const reading = response.arrayBuffer()
  await other.stop(30_000)
  await t.throwsAsync(async () => await reading)
  t.is(closed, 1)
})
