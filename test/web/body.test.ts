// JSON bodies that are too large, too deep, broken or hostile.
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib'
import test from 'ava'
import { z } from 'zod'
import { ok } from '../../src/base/outcome.ts'
import { route } from '../../src/web/route.ts'
import { makeRoutes, sendRaw, sessionToken, useServer } from './_server.ts'

const maxBytes = 65_536
const sessionRoute = route({
  method: 'POST',
  path: '/session-body',
  tag: 'Test',
  summary: 'Test',
  auth: 'session',
  body: z.object({ name: z.string() }),
  status: 201,
  response: z.unknown(),
  handle: async ({ body }) => ok(body),
})
const longRoute = { ...sessionRoute, path: '/long-body', maxBodyBytes: 2 * maxBytes }
const server = useServer([...makeRoutes(), sessionRoute, longRoute], maxBytes)

type Answer = { status: number; types: string[]; text: string }

async function post(body: string | Uint8Array<ArrayBuffer>, headers: Record<string, string> = {}): Promise<Answer> {
  const response = await fetch(`${server.baseUrl}/body`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body,
  })
  const text = await response.text()
  const { detail } = JSON.parse(text) as { detail?: unknown }
  return { status: response.status, types: Array.isArray(detail) ? detail.map(({ type }) => type as string) : [], text }
}

test('a valid body is accepted', async (t) => {
  t.deepEqual(await post('{"name":"x"}'), { status: 201, types: [], text: '{"name":"x"}' })
})

for (const [what, body] of [
  ['cut off', '{"name":'],
  ['with something behind it', '{"name":"x"} x'],
  ['in single quotes', "{'name':'x'}"],
  ['of bytes that are not text', Buffer.from([0xff, 0xfe, 0x00])],
  ['of blanks', '  '],
] as const) {
  test(`a body ${what} is 422 json_invalid`, async (t) => {
    const answer = await post(body)
    t.is(answer.status, 422)
    t.deepEqual(answer.types, ['json_invalid'])
  })
}

for (const [what, headers] of [
  ['without a charset', {}],
  ['that names its charset', { 'content-type': 'application/json; charset=iso-8859-1' }],
] as const) {
  test(`a body in Latin-1 ${what} is refused, not taken with other characters`, async (t) => {
    const answer = await post(Buffer.from('{"name":"caf\u00e9"}', 'latin1'), headers)
    t.is(answer.status, 422)
    t.deepEqual(answer.types, ['json_invalid'])
    t.regex(answer.text, /UTF-8/)
  })
}

test('a replacement character of the sender is kept, and a byte order mark is not', async (t) => {
  t.is((await post('\uFEFF{"name":"caf\uFFFD \u{1F600}"}')).text, '{"name":"caf\uFFFD \u{1F600}"}')
})

test('an empty request body is reported as missing', async (t) => {
  const answer = await post('')
  t.is(answer.status, 422)
  t.deepEqual(answer.types, ['missing'])
})

test('a body of another content type is not read as JSON', async (t) => {
  for (const type of ['text/plain', 'application/x-www-form-urlencoded']) {
    const answer = await post('{"name":"x"}', { 'content-type': type })
    t.is(answer.status, 422)
    t.deepEqual(answer.types, ['model_attributes_type'])
    t.regex(answer.text, /content type should be application\/json/)
  }
})

test('a client that announces a too large body with Expect: 100-continue gets 413 and never 100', async (t) => {
  const head = `POST /body HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: ${maxBytes + 1}\r\nexpect: 100-continue\r\n\r\n`
  const answer = await sendRaw(server.port, head)
  t.regex(answer, /^HTTP\/1\.1 413 /)
  t.false(answer.includes('100 Continue'))
})

test('a body over the limit is 413, declared or not', async (t) => {
  const large = JSON.stringify({ name: 'x', filler: 'y'.repeat(maxBytes) })
  t.is((await post(large)).status, 413)
  const chunked = `${large.length.toString(16)}\r\n${large}\r\n0\r\n\r\n`
  const head =
    'POST /body HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\nconnection: close\r\ntransfer-encoding: chunked\r\n\r\n'
  t.regex(await sendRaw(server.port, head + chunked), /^HTTP\/1\.1 413 /)
})

test('without a credential a body has at most 16 KiB, with one as much as the server allows', async (t) => {
  const body = JSON.stringify({ name: 'x', more: 'y'.repeat(16_363) })
  t.is(body.length, 16_385)
  const open = await fetch(`${server.baseUrl}/body`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body,
  })
  t.is(open.status, 413)
  t.deepEqual(await open.json(), { detail: 'The body is larger than 16384 bytes' })
  const signedIn = await fetch(`${server.baseUrl}/session-body`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${sessionToken}` },
    body,
  })
  t.is(signedIn.status, 201)
})

test('a route with a limit of its own takes a longer body than others', async (t) => {
  const send = async (path: string, length: number): Promise<number> => {
    const body = JSON.stringify({ name: 'x', more: 'y'.repeat(length - 22) })
    t.is(body.length, length)
    const headers = { 'content-type': 'application/json', authorization: `Bearer ${sessionToken}` }
    return (await fetch(`${server.baseUrl}${path}`, { method: 'POST', headers, body })).status
  }
  t.is(await send('/session-body', maxBytes + 1), 413)
  t.is(await send('/long-body', 2 * maxBytes), 201)
  t.is(await send('/long-body', 2 * maxBytes + 1), 413)
})

test('a small gzip of a large body is 413', async (t) => {
  const bomb = gzipSync(JSON.stringify({ name: 'x', filler: 'y'.repeat(50 * maxBytes) }))
  t.true(bomb.length < maxBytes)
  t.is((await post(new Uint8Array(bomb), { 'content-encoding': 'gzip' })).status, 413)
})

test('a damaged compressed body is refused, also where it exceeds the limit before the damage, and the service continues', async (t) => {
  for (const length of [10, 20_000, 49_152, 100_000, 50 * maxBytes]) {
    for (const [coding, compress] of [
      ['gzip', gzipSync],
      ['deflate', deflateSync],
      ['br', brotliCompressSync],
    ] as const) {
      const whole = compress(JSON.stringify({ name: 'x', filler: 'y'.repeat(length) }))
      const flipped = Uint8Array.from(whole, (byte, at) => (at === whole.length - 6 ? byte ^ 0xff : byte))
      for (const body of [flipped, new Uint8Array(whole.subarray(0, -2))]) {
        const { status, types } = await post(body, { 'content-encoding': coding })
        t.true(status === 413 || (status === 422 && types[0] === 'json_invalid'), `${coding} ${length}: ${status}`)
      }
    }
  }
  t.is((await post('{"name":"x"}')).status, 201)
})

test('the name of a content encoding is case-insensitive, and an unknown one has another error than malformed JSON', async (t) => {
  const body = new Uint8Array(gzipSync('{"name":"x"}'))
  for (const coding of ['gzip', 'GZIP']) t.is((await post(body, { 'content-encoding': coding })).status, 201, coding)
  const { status, types, text } = await post(body, { 'content-encoding': 'zstd' })
  t.is(status, 422)
  t.deepEqual(types, ['json_invalid'])
  t.regex(text, /the content encoding must be gzip, deflate, br or none/)
})

test('a body nested more than 32 levels deep is refused before it is parsed, brackets within text are not counted', async (t) => {
  const nest = (levels: number, inner = ''): string => '['.repeat(levels) + inner + ']'.repeat(levels)
  const objects = (levels: number): string => '{"a":'.repeat(levels) + '1' + '}'.repeat(levels)
  // Not even JSON: the parser would name a place.
  for (const body of [nest(33), nest(16, nest(17)), objects(33), '['.repeat(33), `{"name":"\\\\"${nest(33)}`]) {
    const { status, types, text } = await post(body)
    t.deepEqual([status, types], [422, ['json_invalid']])
    t.regex(text, /the body is nested more than 32 levels deep/)
  }
  for (const body of [nest(32), objects(32), `[${nest(31)},${nest(31)}]`])
    t.notRegex((await post(body)).text, /json_invalid/)
  for (const text of [nest(40), `\\"${nest(40)}`, `\\\\${nest(40)}`])
    t.is((await post(`{"name":"x","filler":"${text}"}`)).status, 201, text)
})

test('8,000 nested arrays get an answer, and the service continues', async (t) => {
  const answer = await post('['.repeat(8_000) + ']'.repeat(8_000))
  t.is(answer.status, 422)
  t.true(answer.text.length < 2_000)
  t.is((await post('{"name":"x"}')).status, 201)
})

test('8,000 nested arrays inside a field are answered too', async (t) => {
  const answer = await post(`{"name":"x","tags":${'['.repeat(8_000)}${']'.repeat(8_000)}}`)
  t.is(answer.status, 422)
})

test('__proto__ in a body changes no prototype', async (t) => {
  for (const body of [
    '{"__proto__":{"polluted":1},"name":"x"}',
    '{"name":"x","constructor":{"prototype":{"polluted":1}}}',
  ]) {
    const answer = await post(body)
    t.true([201, 422].includes(answer.status))
    t.false(answer.text.includes('polluted'))
    t.is(({} as { polluted?: number }).polluted, undefined)
  }
})

test('the last of two equal keys counts', async (t) => {
  t.is((await post('{"name":"a","name":"b"}')).text, '{"name":"b"}')
})

test('a client that disconnects in the middle of its body does not affect the service', async (t) => {
  const head = 'POST /body HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 100\r\n\r\n{"na'
  const { connect } = await import('node:net')
  await new Promise<void>((done) => {
    const socket = connect(server.port, '127.0.0.1', () => socket.write(head, () => socket.destroy()))
    socket.on('close', () => done())
  })
  t.is((await post('{"name":"x"}')).status, 201)
})

const foreignThing = '/v1/workspaces/01890000-0000-7000-8000-000000000001/thing'
for (const [what, line, status] of [
  ['without a credential', `DELETE ${foreignThing}`, 401],
  ['on a path that is nobody’s', 'PUT /nothing', 404],
  ['with a method that the path does not have', 'POST /things/summary', 405],
  ['that the route does not read', 'PATCH /things/other', 200],
] as const) {
  test(`a request ${what} is answered before its body arrives, and its connection is closed`, async (t) => {
    const answer = await sendRaw(server.port, `${line} HTTP/1.1\r\nhost: x\r\ncontent-length: 1000000\r\n\r\n`)
    t.regex(answer, new RegExp(`^HTTP/1\\.1 ${status} `))
    t.regex(answer, /\r\nconnection: close\r\n/i)
  })

  test(`a request ${what} whose body has arrived leaves its connection open, except for a stranger’s`, async (t) => {
    const both = await sendRaw(
      server.port,
      `${line} HTTP/1.1\r\nhost: x\r\ncontent-length: 2\r\n\r\n{}GET /things/last HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n`,
    )
    t.is(both.match(/HTTP\/1\.1 /g)?.length, status === 401 ? 1 : 2)
  })
}
