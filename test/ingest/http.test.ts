// Ingest over HTTP: credentials, formats, size limits and answers.
import { gzipSync } from 'node:zlib'
import test from 'ava'
import { exportRequestType } from '../../src/otlp/protobuf/schema.ts'
import { lingerMs } from '../../src/web/linger.ts'
import { runInTime } from '../_kit/in-time.ts'
import { startService, type TestService } from '../_kit/serve.ts'
import { encodeRequest, makeSpan, makeTraceSpans } from '../_kit/spans.ts'
import { sendRaw } from '../web/_server.ts'
import { count, json, listDifferences, post, postOnce, protobuf, tracesPath } from './_http.ts'
import { lockTable } from './_lock.ts'

let service: TestService
let port: number
test.before(async () => {
  service = await startService()
  port = Number(new URL(service.baseUrl).port)
})
test.after.always(async () => await service.stop())

// Serial: the tests share this thread with the service, and those that strain it would starve the others.

const one = (): Buffer => encodeRequest([makeSpan()])
const head = (lines: readonly string[]): string =>
  [`POST ${tracesPath} HTTP/1.1`, 'host: x', `authorization: Bearer ${service.key}`, ...lines, '', ''].join('\r\n')

/** Makes a new tenant, so that concurrent tests do not count each other's spans. */
async function makeTenant() {
  const tenant = await service.addWorkspace()
  return { ...tenant, counts: async () => await count(service.query, tenant.workspaceId) }
}

test.serial('every 401 is the same, whatever is wrong with the credential', async (t) => {
  const revoked = await makeTenant()
  const { json: listed } = await service.call('GET', `/v1/keys?workspace_id=${revoked.workspaceId}`, {
    token: revoked.accessToken,
  })
  await service.call('DELETE', `/v1/keys/${(listed as { id: string }[])[0]?.id}`, { token: revoked.accessToken })
  const brokenCheck = `${service.key.slice(0, -1)}${service.key.endsWith('a') ? 'b' : 'a'}`
  const answers = new Set<string>()
  for (const key of [null, 'junk', 'x'.repeat(5_000), service.accessToken, revoked.key, brokenCheck]) {
    const reply = await post(service, one(), { key })
    t.is(reply.status, 401)
    t.is(reply.code, 16)
    t.is(reply.headers.get('www-authenticate'), 'Bearer')
    t.is(reply.headers.get('connection'), 'close')
    answers.add(reply.raw.toString('hex'))
  }
  t.is(answers.size, 1)
})

test.serial('a request without a valid credential is refused before its body arrives', async (t) => {
  const answer = await sendRaw(
    port,
    `POST ${tracesPath} HTTP/1.1\r\nhost: x\r\ncontent-type: ${protobuf}\r\ncontent-length: 1000000\r\n\r\n`,
  )
  t.regex(answer, /^HTTP\/1\.1 401 /)
})

test.serial(
  'a key with a wrong check never reaches the database; where the database cannot be asked, a good key is 503',
  async (t) => {
    const { key } = await makeTenant()
    const broken = `${key.slice(0, -1)}${key.endsWith('a') ? 'b' : 'a'}`
    const lock = await lockTable(service, 'api_keys')
    try {
      t.is((await post(service, one(), { key: broken })).status, 401)
      const asked = postOnce(service, one(), { key })
      await lock.waitedFor('control')
      await lock.cancelWaiting()
      const reply = await asked
      t.is(reply.status, 503)
      t.is(reply.code, 14)
      t.true(Number(reply.headers.get('retry-after')) >= 1)
    } finally {
      await lock.release()
    }
    t.is((await post(service, one(), { key })).status, 200)
  },
)

test.serial('an unsupported content type is 415, whatever its parameters', async (t) => {
  for (const contentType of [null, 'text/plain', 'application/grpc', '']) {
    const reply = await post(service, one(), { contentType })
    t.is(reply.status, 415, String(contentType))
    t.is(reply.code, 3)
    // A person reads this answer, since no exporter sends such a type.
    t.is(reply.headers.get('content-type'), 'application/json', String(contentType))
  }
  for (const contentType of [`${protobuf}; charset=utf-8`, 'Application/X-Protobuf', 'application/protobuf']) {
    t.is((await post(service, one(), { contentType })).status, 200, contentType)
  }
})

test.serial('an unsupported content encoding is 415', async (t) => {
  for (const encoding of ['br', 'zstd', 'deflate', 'gzip, gzip', 'x']) {
    t.is((await post(service, one(), { headers: { 'content-encoding': encoding } })).status, 415, encoding)
  }
  for (const encoding of ['identity', '']) {
    t.is((await post(service, one(), { headers: { 'content-encoding': encoding } })).status, 200, encoding)
  }
})

test.serial('gzip that is malformed, truncated, fails its check or is followed by other bytes is 400', async (t) => {
  const headers = { 'content-encoding': 'gzip' }
  const good = gzipSync(one())
  t.is((await post(service, good, { headers })).status, 200)
  const flipped = Buffer.from(good)
  flipped[flipped.length - 5] = (flipped[flipped.length - 5] ?? 0) ^ 0xff
  const bad = {
    plain: one(),
    empty: Buffer.alloc(0),
    cut: good.subarray(0, -10),
    flipped,
    twice: gzipSync(good),
    more: Buffer.concat([good, Buffer.from('trailing garbage')]),
  }
  for (const [what, body] of Object.entries(bad)) {
    const reply = await post(service, body, { headers })
    t.is(reply.status, 400, what)
    t.is(reply.code, 3, what)
  }
})

test.serial('gzip in several members is one body', async (t) => {
  const tenant = await makeTenant()
  const whole = encodeRequest(makeTraceSpans(10))
  const members = Buffer.concat([gzipSync(whole.subarray(0, 300)), gzipSync(whole.subarray(300))])
  const reply = await post(service, members, { key: tenant.key, headers: { 'content-encoding': 'gzip' } })
  t.is(reply.status, 200)
  t.is((await tenant.counts()).events, 10)
})

// Made before the tests run, since they share this thread with the service.
const bomb = gzipSync(Buffer.alloc(70 * 1_048_576), { level: 1 })

test.serial('a gzip bomb is 413', async (t) => {
  const reply = await post(service, bomb, { headers: { 'content-encoding': 'gzip' } })
  t.is(reply.status, 413)
})

test.serial('a body whose Content-Length is too large is 413 before it is sent', async (t) => {
  const tooLong = head([`content-type: ${protobuf}`, `content-length: ${17 * 1_048_576}`])
  t.regex(await sendRaw(port, tooLong), /^HTTP\/1\.1 413 /)
  const asks = head([`content-type: ${protobuf}`, `content-length: ${17 * 1_048_576}`, 'expect: 100-continue'])
  const answer = await sendRaw(port, asks)
  t.regex(answer, /^HTTP\/1\.1 413 /)
  t.notRegex(answer, /100 Continue/)
})

test.serial('a client that sends Expect: 100-continue gets 100', async (t) => {
  const body = one()
  const asks = head([
    `content-type: ${protobuf}`,
    `content-length: ${body.length}`,
    'expect: 100-continue',
    'connection: close',
  ])
  const answer = await sendRaw(port, Buffer.concat([Buffer.from(asks), body]))
  t.regex(answer, /^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 200 /)
})

test.serial('a client that sends 17 MiB regardless reads its 413', async (t) => {
  const body = Buffer.alloc(17 * 1_048_576)
  const reply = await runInTime(lingerMs, async () => await post(service, body).catch((error: Error) => error))
  if (reply instanceof Error) throw reply
  t.is(reply.status, 413)
  t.regex(reply.message, /lower the batch size/)
})

test.serial('chunks without end are 413 at the cap, and the connection ends', async (t) => {
  const chunk = Buffer.concat([Buffer.from('100000\r\n'), Buffer.alloc(1_048_576), Buffer.from('\r\n')])
  const body = Buffer.concat(Array.from({ length: 17 }, () => chunk))
  const request = Buffer.concat([Buffer.from(head([`content-type: ${protobuf}`, 'transfer-encoding: chunked'])), body])
  const answer = await runInTime(lingerMs, async () => await sendRaw(port, request))
  t.regex(answer, /^HTTP\/1\.1 413 /)
})

test.serial('two lengths, or lines that end in a bare LF, are 400 by the parser', async (t) => {
  const both = head([`content-type: ${protobuf}`, 'content-length: 5', 'transfer-encoding: chunked'])
  t.regex(await sendRaw(port, `${both}0\r\n\r\n`), /^HTTP\/1\.1 400 /)
  t.regex(await sendRaw(port, head(['content-length: 0']).replaceAll('\r\n', '\n')), /^HTTP\/1\.1 400 /)
})

test.serial('headers of 100 KB are 431', async (t) => {
  t.regex(await sendRaw(port, head([`x-long: ${'x'.repeat(100_000)}`])), /^HTTP\/1\.1 431 /)
})

test.serial('an empty body, or a body without spans, is a full success', async (t) => {
  const noSpans = Buffer.from(exportRequestType.encode({ resourceSpans: [{ scopeSpans: [{ spans: [] }] }] }).finish())
  for (const body of [Buffer.alloc(0), noSpans]) {
    const reply = await post(service, body)
    t.is(reply.status, 200)
    t.is(reply.raw.length, 0)
  }
})

test.serial('any other method is 405 with Allow', async (t) => {
  for (const method of ['GET', 'PUT', 'DELETE', 'PATCH']) {
    const response = await fetch(service.baseUrl + tracesPath, { method })
    t.is(response.status, 405, method)
    t.is(response.headers.get('allow'), 'POST', method)
    await response.text()
  }
})

test.serial('10,001 spans are 413 with a hint', async (t) => {
  const span = makeSpan()
  const reply = await post(service, encodeRequest(Array.from({ length: 10_001 }, () => span)))
  t.is(reply.status, 413)
  t.regex(reply.message, /batch/)
})

test.serial('responses have the encoding of the request, errors included', async (t) => {
  const mixed = [makeSpan(), makeSpan({ traceId: '00'.repeat(16) })]
  for (const [contentType, format] of [
    [protobuf, 'protobuf'],
    [json, 'json'],
  ] as const) {
    const good = await post(service, encodeRequest([makeSpan()], format), { contentType })
    t.is(good.status, 200)
    t.is(good.headers.get('content-type'), contentType)
    t.is(good.raw.toString(), format === 'json' ? '{}' : '')
    const partial = await post(service, encodeRequest(mixed, format), { contentType })
    t.is(partial.status, 200)
    t.is(partial.headers.get('content-type'), contentType)
    t.is(partial.rejected, 1)
    t.regex(partial.message, /trace_id/)
    const broken = await post(service, Buffer.from('<html>'), { contentType })
    t.is(broken.status, 400)
    t.is(broken.headers.get('content-type'), contentType)
    t.is(broken.code, 3)
    t.true(broken.message.length > 10)
    const stranger = await post(service, Buffer.alloc(0), { contentType, key: null })
    t.is(stranger.status, 401)
    t.is(stranger.headers.get('content-type'), contentType)
    t.is(stranger.code, 16)
  }
})

test.serial('counters are equal to rows after everything', async (t) => {
  const tenant = await makeTenant()
  for (const size of [1, 50, 300]) {
    t.is((await post(service, encodeRequest(makeTraceSpans(size)), { key: tenant.key })).status, 200)
  }
  const counts = await tenant.counts()
  t.is(counts.events, 351)
  t.deepEqual(listDifferences(counts), [])
})
