// The server of a call is kept in every content mode; credentials and personal data in a URL are not.
import { zstdDecompressSync } from 'node:zlib'
import test from 'ava'
import { makeUuidV7 } from '../../src/base/ids.ts'
import { openBatchDecoder } from '../../src/decode/decode-batch.ts'
import { readStoredPayload } from '../../src/encode/stored-span.ts'
import { defaultIngestLimits } from '../../src/otlp/intake/limits.ts'
import { openPriceBook } from '../../src/pricing/price-book.ts'
import { readCopyRows } from '../_kit/copy-rows.ts'
import { type AttributesInput, encodeRequest, makeResourceSpans, makeSpan } from '../_kit/spans.ts'

const decode = openBatchDecoder(openPriceBook())
const client = 3
const llm = { 'gen_ai.operation.name': 'chat', 'gen_ai.request.model': 'gpt-4.1-mini' }
const modes = ['none', 'redacted'] as const
const encodings = ['protobuf', 'json'] as const

/** Returns the attributes that are stored of a span. */
function store(
  mode: (typeof modes)[number],
  encoding: (typeof encodings)[number],
  kind: number,
  attributes: AttributesInput,
): Record<string, unknown> {
  const batch = decode({
    body: encodeRequest([makeResourceSpans({ spans: [makeSpan({ kind, attributes })] })], encoding),
    encoding,
    gzip: false,
    nowMs: Date.now(),
    limits: defaultIngestLimits,
    workspaceId: makeUuidV7(),
    contentMode: mode,
    redactionSecret: new Uint8Array(32).fill(7),
    prices: null,
  })
  if (!batch.ok) throw new Error(batch.detail)
  const [block] = readCopyRows(batch.blocks, batch.blockOffsets)
  return readStoredPayload(zstdDecompressSync(block?.[3] as Buffer), 0).payload.attributes
}

const kept: AttributesInput = {
  'server.address': '10.20.30.40',
  'server.port': 11_434,
  'url.full': 'http://10.20.30.40:11434/v1/chat/completions',
  'http.url': 'https://[2001:db8::8a2e:370:7334]/v1?api-version=2026-01-01',
}

/** The path of a URL may contain anything, so no URL is kept without content. */
const keptIn: Record<(typeof modes)[number], AttributesInput> = {
  none: { 'server.address': '10.20.30.40', 'server.port': 11_434 },
  redacted: kept,
}

test('without content no URL is kept', (t) => {
  const left = store('none', 'protobuf', client, kept)
  t.deepEqual({ ...left }, keptIn.none)
})

test('without content only the host of an address that is a URL is kept', (t) => {
  for (const [address, host] of [
    ['https://gw.example/v1/patients/anna-mueller?diagnosis=f32', 'gw.example'],
    ['https://gw.example?diagnosis=f32', 'gw.example'],
    ['gw.example:8443/v1/patients/anna-mueller', 'gw.example'],
    ['wss://anna:mueller@gw.example:8443#f32', 'gw.example'],
    ['http://[2001:db8::8a2e:370:7334]:8080/v1', '2001:db8::8a2e:370:7334'],
    ['2001:db8::8a2e:370:7334', '2001:db8::8a2e:370:7334'],
    ['gw.example:8443', 'gw.example:8443'],
    ['gw.example', 'gw.example'],
    ['/v1/patients/anna-mueller', undefined],
  ] as const)
    for (const encoding of encodings)
      t.is(store('none', encoding, client, { 'server.address': address })['server.address'], host, address)
})

for (const mode of modes) {
  for (const encoding of encodings) {
    test(`${mode}, ${encoding}: a model call and a client keep the host of their server`, (t) => {
      t.like(store(mode, encoding, 0, { ...kept, ...llm }), keptIn[mode])
      t.like(store(mode, encoding, client, kept), keptIn[mode])
      t.is(
        store(mode, encoding, 0, { ...llm, 'server.address': '2001:db8::8a2e:370:7334' })['server.address'],
        '2001:db8::8a2e:370:7334',
      )
      const url = 'http://10.20.30.40:11434/v1/'
      t.is(
        store(mode, encoding, 0, { ...llm, 'server.address': url })['server.address'],
        mode === 'none' ? '10.20.30.40' : url,
      )
    })

    test(`${mode}, ${encoding}: another span, and another attribute, keep no address`, (t) => {
      const tool = store(mode, encoding, 1, { 'gen_ai.operation.name': 'execute_tool', ...kept })
      for (const name of Object.keys(keptIn[mode]).filter((name) => name !== 'server.port'))
        t.regex(String(tool[name]), /\[redacted:ip:[0-9a-f]{8}\]/, name)
      const others = {
        'client.address': '10.20.30.40',
        note: 'http://10.20.30.40/',
        'server.address': 'from 10.20.30.40',
      }
      for (const [name, value] of Object.entries(store(mode, encoding, client, others)))
        t.regex(String(value), /\[redacted:ip:[0-9a-f]{8}\]/, name)
    })

    if (mode === 'none') continue
    test(`${mode}, ${encoding}: credentials and what is personal in a URL go, its host stays`, (t) => {
      const mark = String.raw`\[redacted:\w+:[0-9a-f]{8}\]`
      for (const [url, expected] of [
        ['https://ada:hunter2@10.0.0.5:8443/v1', `^https://${mark}@10\\.0\\.0\\.5:8443/v1$`],
        ['https://sk-live-1234567890abcdef@api.example.com/v1', `^https://${mark}@api\\.example\\.com/v1$`],
        [
          'http://10.0.0.5/v1?api_key=abcdef123456&user=ada@example.com#x',
          `^http://10\\.0\\.0\\.5/v1\\?api_key=${mark}&user=${mark}#x$`,
        ],
        ['http://10.0.0.5/users/ada@example.com/from/10.0.0.6', `^http://10\\.0\\.0\\.5/users/${mark}/from/${mark}$`],
        ['http://10.0.0.5', '^http://10\\.0\\.0\\.5$'],
      ] as const) {
        t.regex(String(store(mode, encoding, client, { 'url.full': url })['url.full']), new RegExp(expected), url)
        t.regex(String(store(mode, encoding, 0, { ...llm, 'http.url': url })['http.url']), new RegExp(expected), url)
      }
    })
  }
}
