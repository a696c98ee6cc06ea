import test from 'ava'
import {
  type AttributeInput,
  Double,
  encodeRequest,
  makeResourceSpans,
  makeSpan,
  type SpanInput,
} from '../../_kit/spans.ts'
import { decodeOk, decodeOne, envelope, field, spanBytes } from '../../_kit/wire.ts'

const formats = ['protobuf', 'json'] as const

function readBoth(input: SpanInput) {
  return formats.map((contentType) => decodeOne(encodeRequest([makeSpan(input)], contentType), { contentType }))
}

function nest(levels: number, wrap: (inner: AttributeInput) => AttributeInput): AttributeInput {
  let value: AttributeInput = 'leaf'
  for (let level = 1; level < levels; level++) value = wrap(value)
  return value
}

function depthOf(value: unknown): number {
  if (Array.isArray(value)) return 1 + depthOf(value[0])
  return value instanceof Map ? 1 + depthOf(value.get('k')) : 1
}

test('keys that mean something to JavaScript are only data', (t) => {
  const keys = ['__proto__', 'constructor', 'toString', 'then', 'hasOwnProperty']
  const entries = keys.map((key) => [key, { polluted: 'yes' }] as const)
  const inner = JSON.parse('{"__proto__":{"polluted":"yes"}}') as { [key: string]: AttributeInput }
  for (const span of readBoth({ attributes: [...entries, ['map', inner]] })) {
    t.deepEqual([...span.attributes.keys()], [...keys, 'map'])
    t.deepEqual(span.attributes.get('__proto__'), new Map([['polluted', 'yes']]))
    t.deepEqual(span.attributes.get('map'), new Map([['__proto__', new Map([['polluted', 'yes']])]]))
  }
  t.false('polluted' in {})
})

test('__proto__ as a field of a JSON span or value changes nothing', (t) => {
  const body = encodeRequest([makeSpan({ attributes: { k: 1 } })], 'json').toString()
  const laced = body.replaceAll('{"key"', '{"__proto__":{"polluted":1,"key":"x"},"constructor":{"prototype":5},"key"')
  t.not(laced, body)
  t.deepEqual([...decodeOne(Buffer.from(laced), { contentType: 'json' }).attributes], [['k', 1]])
  t.false('polluted' in {})
})

test('the last of several values for a key wins, and an empty key is dropped and counted', (t) => {
  const attributes = [
    ['k', 'first'],
    ['', 'nothing'],
    ['k', 'last'],
    ['', 'nothing'],
  ] as const
  for (const span of readBoth({ attributes, droppedAttributesCount: 10 })) {
    t.deepEqual([...span.attributes], [['k', 'last']])
    t.is(span.droppedAttributesCount, 12)
  }
})

test('a key over 256 bytes is dropped and counted', (t) => {
  const fits = 'é'.repeat(128)
  for (const span of readBoth({ attributes: { [fits]: 1, [`${fits}x`]: 2 } })) {
    t.deepEqual([...span.attributes], [[fits, 1]])
    t.is(span.droppedAttributesCount, 1)
    t.deepEqual([...span.flags], ['truncated'])
  }
})

test('300 attributes, 200 events and 200 links are cut and the rest counted', (t) => {
  const attributes = Object.fromEntries(Array.from({ length: 300 }, (_, index) => [`k${index}`, index]))
  const events = Array.from({ length: 200 }, (_, index) => (index === 0 ? { attributes } : {}))
  const links = Array.from({ length: 200 }, () => ({}))
  for (const span of readBoth({ attributes, events, links, droppedEventsCount: 1 })) {
    t.deepEqual([span.attributes.size, span.droppedAttributesCount], [256, 44])
    t.deepEqual([span.events.length, span.droppedEventsCount], [128, 73])
    t.deepEqual([span.links.length, span.droppedLinksCount], [128, 72])
    t.is(span.events[0]?.attributes.size, 256)
    t.deepEqual([...span.flags], ['truncated'])
  }
})

test('an attribute that is already stored is updated even if the limit of attributes is reached', (t) => {
  const keys = Array.from({ length: 256 }, (_, index) => [`k${index}`, index] as const)
  for (const span of readBoth({ attributes: [...keys, ['k0', 'last']] })) {
    t.is(span.attributes.get('k0'), 'last')
    t.deepEqual([span.droppedAttributesCount, span.flags.size], [0, 0])
  }
})

test('more than 4,096 attributes reject the span in either encoding', (t) => {
  const attributes = Object.fromEntries(Array.from({ length: 4_097 }, (_, index) => [`k${index}`, 1]))
  for (const contentType of formats) {
    const { rejections } = decodeOk(encodeRequest([makeSpan({ attributes })], contentType), { contentType })
    t.deepEqual(rejections.counts, { too_many_attributes: 1 })
  }
})

test('a span with too many attributes is told where they are, and how many are accepted', (t) => {
  const attributes = Object.fromEntries(Array.from({ length: 4_097 }, (_, index) => [`k${index}`, 1]))
  for (const contentType of formats) {
    for (const [holder, request] of [
      ['The span', encodeRequest([makeSpan({ attributes })], contentType)],
      ['An event of the span', encodeRequest([makeSpan({ events: [{ attributes }] })], contentType)],
      ['A link of the span', encodeRequest([makeSpan({ links: [{ attributes }] })], contentType)],
      [
        'The resource of the span cannot be decoded. The resource',
        encodeRequest([makeResourceSpans({ resource: attributes, spans: [makeSpan()] })], contentType),
      ],
      [
        'The scope of the span cannot be decoded. The scope',
        encodeRequest([makeResourceSpans({ scope: { attributes }, spans: [makeSpan()] })], contentType),
      ],
    ] as const) {
      const { rejections } = decodeOk(request, { contentType })
      t.is(rejections.examples[0]?.detail, `${holder} has more than 4096 attributes, the most that are accepted.`)
    }
  }
})

type Nesting = {
  what: string
  wrap: (inner: AttributeInput) => AttributeInput
  wire: (inner: Uint8Array) => Uint8Array
}

const nestings: Nesting[] = [
  { what: 'lists', wrap: (inner) => [inner], wire: (inner) => field(5, field(1, inner)) },
  {
    what: 'maps',
    wrap: (inner) => ({ k: inner }),
    wire: (inner) => field(6, field(1, field(1, 'k'), field(2, inner))),
  },
]

for (const { what, wrap, wire } of nestings) {
  const read = (levels: number) => {
    // Encoded by hand, since protobufjs encodes at most 100 nested messages.
    let bytes: Uint8Array = field(1, 'leaf')
    for (let level = 1; level < levels; level++) bytes = wire(bytes)
    const span = makeSpan({ attributes: { deep: nest(levels, wrap) } })
    return [
      decodeOk(envelope(spanBytes(field(9, field(1, 'deep'), field(2, bytes))), spanBytes())),
      decodeOk(encodeRequest([span, makeSpan()], 'json'), { contentType: 'json' }),
    ]
  }

  test(`values nested in ${what} are kept to 16 levels and cut below`, (t) => {
    for (const levels of [1, 16, 17, 32, 49]) {
      for (const { spans } of read(levels)) {
        // The marker replaces level 17.
        t.is(depthOf(spans[0]?.attributes.get('deep')), Math.min(levels, 17))
        t.is(spans[0]?.flags.has('truncated'), levels > 16)
      }
    }
  })

  test(`values nested in ${what} 50 levels deep reject their span only`, (t) => {
    for (const levels of [50, 90, 450]) {
      for (const { spans, rejections } of read(levels)) {
        t.deepEqual([spans.length, rejections.counts], [1, { undecodable_span: 1 }])
      }
    }
  })
}

test('integers keep every digit', (t) => {
  const integers = [0n, -1n, 2n ** 53n - 1n, 2n ** 53n, 2n ** 53n + 1n, 2n ** 63n - 1n, -(2n ** 63n), -(2n ** 53n) - 1n]
  for (const span of readBoth({ attributes: { integers } })) {
    const read = span.attributes.get('integers') as (number | bigint)[]
    t.deepEqual(read.map(String), integers.map(String))
    t.deepEqual(
      read.map((value) => typeof value),
      ['number', 'number', 'number', 'bigint', 'bigint', 'bigint', 'bigint', 'bigint'],
    )
  }
})

test('doubles that JSON cannot represent arrive as text', (t) => {
  const attributes = { a: Number.NaN, b: Infinity, c: -Infinity, d: new Double(5), e: 1e300, f: 5e-324 }
  for (const span of readBoth({ attributes })) {
    t.deepEqual([...span.attributes.values()], ['NaN', 'Infinity', '-Infinity', 5, 1e300, 5e-324])
  }
})

test('bytes are copied, and bytes over the limit are left out with a flag', (t) => {
  const attributes = {
    small: new Uint8Array([0, 1, 255]),
    large: new Uint8Array(65_537),
    'tracewright.tool.ciphertext': new Uint8Array(262_144).fill(7),
  }
  for (const span of readBoth({ attributes })) {
    t.deepEqual(span.attributes.get('small'), attributes.small)
    t.is((span.attributes.get('small') as Uint8Array).buffer.byteLength, 3)
    t.is(span.attributes.get('large'), '…[truncated]')
    // `deepEqual` would compare a quarter of a million bytes one by one.
    const { 'tracewright.tool.ciphertext': given } = attributes
    t.is(Buffer.compare(span.attributes.get('tracewright.tool.ciphertext') as Uint8Array, given), 0)
    t.deepEqual([...span.flags], ['truncated'])
  }
})

test('a ciphertext of 256 KiB fits as base64 too', (t) => {
  const text = Buffer.alloc(262_144, 7).toString('base64')
  for (const span of readBoth({ attributes: { 'tracewright.tool.ciphertext': text } })) {
    t.is(span.attributes.get('tracewright.tool.ciphertext'), text)
  }
})
