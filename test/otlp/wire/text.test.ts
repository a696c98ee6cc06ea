import test from 'ava'
import { exportRequestType } from '../../../src/otlp/protobuf/schema.ts'
import { encodeRequest, makeSpan, type SpanInput } from '../../_kit/spans.ts'
import { decodeOk, decodeOne, envelope, field, spanBytes } from '../../_kit/wire.ts'

const formats = ['protobuf', 'json'] as const

function readBoth(input: SpanInput) {
  return formats.map((contentType) => decodeOne(encodeRequest([makeSpan(input)], contentType), { contentType }))
}

const invalidUtf8 = ['c328', 'ff', 'c080', 'eda080', 'f4908080', 'e282', 'c3'].map((hex) => Buffer.from(hex, 'hex'))
const long = Buffer.alloc(100, 'a')

for (const bad of invalidUtf8) {
  test(`text with the bytes ${bad.toString('hex')} rejects its span only, wherever it stands`, (t) => {
    const texts = [bad, Buffer.concat([long, bad]), Buffer.concat([bad, long])]
    const spans = texts.flatMap((text) => [
      spanBytes(field(5, text)),
      spanBytes(field(3, text)),
      spanBytes(field(9, field(1, text), field(2, field(1, 'v')))),
      spanBytes(field(9, field(1, 'k'), field(2, field(1, text)))),
      spanBytes(field(9, field(1, 'k'), field(2, field(5, field(1, field(1, text)))))),
      spanBytes(field(11, field(2, text))),
      spanBytes(field(15, field(2, text))),
    ])
    const { received, rejections } = decodeOk(envelope(...spans, spanBytes()))
    t.deepEqual([received, rejections.counts], [spans.length + 1, { undecodable_span: spans.length }])
  })
}

test('invalid UTF-8 rejects a span of a JSON request only', (t) => {
  const body = encodeRequest([makeSpan({ name: 'MARK' }), makeSpan()], 'json')
  body.write('\xff', body.indexOf('MARK'), 'latin1')
  const { spans, rejections } = decodeOk(body, { contentType: 'json' })
  t.deepEqual([spans.length, rejections.counts], [1, { undecodable_span: 1 }])
})

test('invalid UTF-8 in text that is cut also rejects the span', (t) => {
  const text = Buffer.concat([Buffer.alloc(70_000, 'a'), Buffer.from([0xff])])
  t.is(decodeOk(envelope(spanBytes(field(9, field(1, 'k'), field(2, field(1, text)))))).rejections.total, 1)
})

test('protobufjs refuses the same bytes in a message of its own', (t) => {
  for (const bad of invalidUtf8) {
    t.throws(() => exportRequestType.decode(envelope(spanBytes(field(5, bad)))), undefined, bad.toString('hex'))
  }
})

test('U+FFFD that the sender wrote is kept without a flag', (t) => {
  for (const span of readBoth({ name: 'a\uFFFDb' })) t.deepEqual([span.name, span.flags.size], ['a\uFFFDb', 0])
})

test('U+0000 becomes U+FFFD in names, keys, values, events and status, with a flag', (t) => {
  const input: SpanInput = {
    name: 'a\0b',
    attributes: { 'k\0': 'v\0', list: ['\0'], map: { '\0': '\0' } },
    events: [{ name: '\0e', attributes: { '\0': '\0' } }],
    status: { code: 2, message: 'm\0' },
  }
  for (const span of readBoth(input)) {
    t.deepEqual([span.name, span.statusMessage], ['a\uFFFDb', 'm\uFFFD'])
    t.deepEqual(
      [...span.attributes],
      [
        ['k\uFFFD', 'v\uFFFD'],
        ['list', ['\uFFFD']],
        ['map', new Map([['\uFFFD', '\uFFFD']])],
      ],
    )
    t.deepEqual([span.events[0]?.name, [...(span.events[0]?.attributes ?? [])]], ['\uFFFDe', [['\uFFFD', '\uFFFD']]])
    t.deepEqual([...span.flags], ['text_cleaned'])
  }
})

test('corrections of a resource or scope are flagged on its spans', (t) => {
  const attribute = field(1, field(1, 'k'), field(2, field(1, 'a\0')))
  const body = field(1, field(1, attribute), field(2, field(2, spanBytes()), field(2, spanBytes())))
  for (const span of decodeOk(body).spans) t.deepEqual([...span.flags], ['text_cleaned'])
})

test('a lone surrogate in JSON becomes U+FFFD, with a flag', (t) => {
  const body = encodeRequest([makeSpan({ name: 'MARK', attributes: { k: 'a😀b' } })], 'json').toString()
  const span = decodeOne(Buffer.from(body.replace('MARK', '\\ud800x\\udc00')), { contentType: 'json' })
  t.deepEqual([span.name, span.attributes.get('k')], ['\uFFFDx\uFFFD', 'a😀b'])
  t.deepEqual([...span.flags], ['text_cleaned'])
})

test('the literal text backslash-u0000 is kept as it is', (t) => {
  const text = String.raw`\u0000 \\u0000`
  for (const span of readBoth({ name: text, attributes: { k: text } })) {
    t.deepEqual([span.name, span.attributes.get('k'), span.flags.size], [text, text, 0])
  }
})

test('long text is cut between code points, with a marker and a flag', (t) => {
  for (const text of ['a', 'é', '€', '😀'].map((piece) => piece.repeat(66_000))) {
    for (const span of readBoth({ name: text, attributes: { k: text, 'gen_ai.input.messages': text } })) {
      for (const [kept, limit] of [
        [span.name, 1_024],
        [span.attributes.get('k') as string, 65_536],
      ] as const) {
        t.true(Buffer.byteLength(kept) <= limit && Buffer.byteLength(kept) > limit / 2 - 16)
        t.true(kept.endsWith('…[truncated]') && kept.isWellFormed() && !kept.includes('\uFFFD'))
        t.true(text.startsWith(kept.slice(0, -'…[truncated]'.length)))
      }
      t.deepEqual([...span.flags], ['truncated'])
    }
  }
})

test('content attributes keep four times as much', (t) => {
  const text = 'x'.repeat(262_144)
  for (const span of readBoth({ attributes: { 'gen_ai.input.messages': text, k: text.slice(0, 65_536) } })) {
    t.is(span.attributes.get('gen_ai.input.messages'), text)
    t.is((span.attributes.get('k') as string).length, 65_536)
    t.deepEqual([...span.flags], [])
  }
})

test('text of exactly the limit that grows by cleaning still ends within it', (t) => {
  for (const span of readBoth({ name: '\0'.repeat(1_024), attributes: { k: '\0'.repeat(65_536) } })) {
    t.true(Buffer.byteLength(span.name) <= 1_024)
    t.true(Buffer.byteLength(span.attributes.get('k') as string) <= 65_536)
    t.deepEqual([...span.flags].toSorted(), ['text_cleaned', 'truncated'])
  }
})

test('a text of 1 MiB in an attribute or as the name is cut, and its span is kept', (t) => {
  const text = 'y'.repeat(1_048_576)
  for (const span of [...readBoth({ attributes: { k: text } }), ...readBoth({ name: text })]) {
    t.true(span.flags.has('truncated'))
  }
})

test('texts that differ in one byte, at any position, are distinguished', (t) => {
  for (const length of [1, 2, 13, 14, 20, 63, 64, 65]) {
    const plain = 'a'.repeat(length)
    const names = Array.from({ length }, (_, at) => [plain, `${plain.slice(0, at)}b${plain.slice(at + 1)}`]).flat()
    const read = decodeOk(encodeRequest(names.map((name) => makeSpan({ name })))).spans.map(({ name }) => name)
    t.deepEqual(read, names)
  }
})
