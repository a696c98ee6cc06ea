import test from 'ava'
import { exportRequestType } from '../../../src/otlp/protobuf/schema.ts'
import { encodeRequest, makeAttributes, makeResourceSpans, makeSpan, makeTraceSpans } from '../../_kit/spans.ts'
import { decode, decodeOk, decodeOne, envelope, field, spanBytes, tag, varint } from '../../_kit/wire.ts'

const undecodable = (body: Uint8Array) => {
  const result = decode(body)
  return !result.ok && result.code === 'undecodable'
}

test('an empty body and an envelope without spans are accepted with nothing in them', (t) => {
  for (const body of [Buffer.alloc(0), field(1), field(1, field(2)), field(1, field(1))]) {
    const result = decodeOk(body)
    t.deepEqual([result.received, result.spans.length, result.rejections.total], [0, 0, 0])
  }
})

test('text that is no protobuf is undecodable', (t) => {
  t.true(undecodable(Buffer.from('<!doctype html><html><body>hello</body></html>')))
  t.true(undecodable(encodeRequest(makeTraceSpans(2), 'json')))
  t.true(undecodable(Buffer.from('{}')))
})

test('a length beyond the end of the body is undecodable', (t) => {
  t.true(undecodable(Buffer.concat([tag(1, 2), varint(100), Buffer.alloc(10)])))
  t.true(undecodable(Buffer.concat([tag(1, 2), varint(0xffffffff), Buffer.alloc(10)])))
  t.true(undecodable(Buffer.concat([tag(1, 2), varint(2n ** 63n), Buffer.alloc(10)])))
  t.true(undecodable(field(1, field(2, tag(2, 2), varint(9), Buffer.alloc(2)))))
})

test('wire types 6 and 7, field number 0 and stray group ends in the envelope are undecodable', (t) => {
  for (const broken of [tag(9, 6), tag(9, 7), Buffer.from([0x02, 0x00]), Buffer.from([0x80, 0x00]), tag(9, 4)]) {
    t.true(undecodable(Buffer.concat([broken, Buffer.alloc(4)])), broken.toString('hex'))
    t.true(undecodable(Buffer.concat([envelope(spanBytes()), field(1, field(2, broken))])), broken.toString('hex'))
  }
})

test('varints longer than they may be are undecodable', (t) => {
  t.true(undecodable(Buffer.concat([tag(9, 0), Buffer.alloc(10, 0xff), Buffer.from([0x01])])))
  t.true(undecodable(Buffer.concat([Buffer.alloc(5, 0xff), Buffer.from([0x01])])))
  t.true(undecodable(Buffer.concat([tag(9, 0), Buffer.from([0x80])])))
})

test('50,000 groups inside each other are undecodable and overflow no stack', (t) => {
  t.true(undecodable(Buffer.alloc(50_000, tag(9, 3))))
  t.true(undecodable(Buffer.concat([Buffer.alloc(50_000, tag(9, 3)), Buffer.alloc(50_000, tag(9, 4))])))
  const inSpan = decodeOk(envelope(spanBytes(Buffer.alloc(50_000, tag(99, 3))), spanBytes()))
  t.deepEqual([inSpan.spans.length, inSpan.rejections.counts.undecodable_span], [1, 1])
})

test('unknown fields of a newer protocol are passed over on every level', (t) => {
  const unknown = Buffer.concat([
    field(999, 'later'),
    Buffer.concat([tag(998, 0), varint(2n ** 64n - 1n)]),
    Buffer.concat([tag(997, 1), Buffer.alloc(8)]),
    Buffer.concat([tag(996, 5), Buffer.alloc(4)]),
    Buffer.concat([tag(995, 3), field(1, 'x'), tag(995, 4)]),
  ])
  const attribute = field(9, field(1, 'k'), field(2, field(1, 'v'), unknown), unknown)
  const span = field(2, spanBytes(attribute, unknown))
  const body = Buffer.concat([unknown, field(1, unknown, field(1, unknown), field(2, unknown, span, unknown)), unknown])
  t.is(decodeOne(body).attributes.get('k'), 'v')
})

test('a known field with another wire type is an unknown field', (t) => {
  const span = decodeOne(envelope(spanBytes(Buffer.concat([tag(5, 0), varint(7)]), field(6, 'x'))))
  t.deepEqual([span.name, span.spanKind], ['chat', 0])
})

test('a resource and a scope that follow their spans apply to them, and repeated ones are merged', (t) => {
  const attribute = (key: string, value: string) => field(1, field(1, key), field(2, field(1, value)))
  const body = field(
    1,
    field(1, attribute('a', '1'), attribute('b', '1')),
    field(2, field(2, spanBytes()), field(1, field(1, 'first'), field(2, '7')), field(1, field(1, 'second'))),
    field(3, 'https://schema/old'),
    field(1, attribute('b', '2')),
    field(3, 'https://schema/new'),
  )
  const { resource, scope } = decodeOne(body)
  t.deepEqual(
    [...resource.attributes],
    [
      ['a', '1'],
      ['b', '2'],
    ],
  )
  t.is(resource.schemaUrl, 'https://schema/new')
  t.deepEqual([scope.name, scope.version], ['second', '7'])
})

test('a repeated value is merged as protobuf defines it', (t) => {
  const list = (...texts: string[]) => field(5, ...texts.map((text) => field(1, field(1, text))))
  const read = (...values: Uint8Array[]) =>
    decodeOne(envelope(spanBytes(field(9, field(1, 'k'), ...values)))).attributes.get('k')
  t.is(read(field(2, field(1, 'first'), field(1, 'last'))), 'last')
  t.is(read(field(2, field(1, 'first')), field(2, field(1, 'last'))), 'last')
  t.deepEqual(read(field(2, list('a'), list('b', 'c'))), ['a', 'b', 'c'])
  t.deepEqual(read(field(2, list('a')), field(2, list('b'))), ['a', 'b'])
  t.deepEqual(read(field(2, list('a'), field(1, 'text'), list('b'))), ['b'])
  t.is(read(field(2, list('a'), field(1, 'text'))), 'text')
  t.is(read(field(2)), null)
  t.is(read(), null)
})

test('spans have the resource and scope that contain them', (t) => {
  const groups = ['one', 'two'].map((name) =>
    makeResourceSpans({ resource: { 'service.name': name }, scope: { name }, spans: makeTraceSpans(3) }),
  )
  const { spans } = decodeOk(encodeRequest(groups))
  t.deepEqual(
    spans.map((span) => [span.resource.attributes.get('service.name'), span.scope.name]),
    ['one', 'one', 'one', 'two', 'two', 'two'].map((name) => [name, name]),
  )
  t.is(spans[0]?.resource, spans[2]?.resource)
})

test('a resource or scope that cannot be decoded rejects its own spans only', (t) => {
  const good = exportRequestType.encode({ resourceSpans: [makeResourceSpans({ spans: makeTraceSpans(2) })] }).finish()
  const badKey = field(1, field(1, Buffer.from([0xc3, 0x28])), field(2, field(1, 'v')))
  const badResource = field(1, field(1, badKey), field(2, field(2, spanBytes()), field(2, spanBytes())))
  const badScope = field(
    1,
    field(2, field(1, field(1, Buffer.from([0xff]))), field(2, spanBytes())),
    field(2, field(2, spanBytes())),
  )
  const result = decodeOk(Buffer.concat([badResource, good, badScope]))
  t.deepEqual([result.received, result.spans.length], [6, 3])
  t.deepEqual(result.rejections.counts, { undecodable_resource: 3 })
})

test('corruption inside one span rejects that span and keeps 999 neighbours', (t) => {
  const spans = makeTraceSpans(1_000, { attributes: { k: 'v' } })
  const bytes = spans.map((_, index) => (index === 500 ? spanBytes(tag(9, 2), varint(77)) : spanBytes()))
  const result = decodeOk(envelope(...bytes))
  t.deepEqual([result.spans.length, result.received], [999, 1_000])
  t.deepEqual(result.rejections.counts, { undecodable_span: 1 })
})

test('the kit, protobufjs and the hand-written reader agree on every kind of value', (t) => {
  const attributes = {
    text: 'é😀',
    yes: true,
    no: false,
    whole: -7,
    part: 0.1,
    list: [1, 'a', null, [true]],
    map: { a: { b: 'c' } },
  }
  const span = makeSpan({ attributes })
  t.deepEqual(makeAttributes(attributes), span.attributes)
  t.deepEqual(
    [...decodeOne(encodeRequest([span])).attributes],
    [
      ['text', 'é😀'],
      ['yes', true],
      ['no', false],
      ['whole', -7],
      ['part', 0.1],
      ['list', [1, 'a', null, [true]]],
      ['map', new Map([['a', new Map([['b', 'c']])]])],
    ],
  )
})
