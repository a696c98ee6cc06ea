import { isDeepStrictEqual } from 'node:util'
import { gzipSync } from 'node:zlib'
import test from 'ava'
import fc from 'fast-check'
import protobuf from 'protobufjs'
import { exportRequestType } from '../../src/otlp/protobuf/schema.ts'
import { anyText } from '../_kit/any-text.ts'
import { inSoak, seed } from '../_kit/soak.ts'
import { type AttributeInput, encodeRequest, makeResourceSpans, makeTraceSpans, type SpanInput } from '../_kit/spans.ts'
import { type DecodedRequest, decode, decodeOk, envelope, spanBytes, tag } from '../_kit/wire.ts'

const runs = { numRuns: inSoak(30, 150), seed }

const value: fc.Arbitrary<AttributeInput> = fc.letrec<{ value: AttributeInput }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    anyText(),
    fc.integer(),
    fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
    fc.boolean(),
    fc.constant(null),
    fc.uint8Array({ maxLength: 20 }),
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(fc.string({ minLength: 1, maxLength: 8 }), tie('value'), { maxKeys: 4 }),
  ),
})).value

const attributes = fc.array(fc.tuple(anyText(12), value), { maxLength: 8 })

const spanInput: fc.Arbitrary<SpanInput> = fc.record(
  {
    name: anyText(),
    kind: fc.integer({ min: -1, max: 9 }),
    attributes,
    parentSpanId: fc.uint8Array({ maxLength: 9 }),
    traceId: fc.oneof(fc.uint8Array({ maxLength: 17 }), fc.uint8Array({ minLength: 16, maxLength: 16 })),
    events: fc.array(fc.record({ name: fc.string(), attributes }), { maxLength: 2 }),
    links: fc.array(fc.record({ attributes }), { maxLength: 2 }),
    durationMs: fc.integer({ min: -5, max: 5_000_000 }),
  },
  { requiredKeys: [] },
)

const groups = fc
  .array(fc.tuple(attributes, fc.array(spanInput, { maxLength: 4 })), { maxLength: 3 })
  .map((parts) =>
    parts.map(([resource, inputs]) =>
      makeResourceSpans({ resource, spans: makeTraceSpans(inputs.length, (at) => inputs[at] ?? {}) }),
    ),
  )

const format = fc.constantFrom('protobuf' as const, 'json' as const)

/** Bytes changed, removed, doubled or inserted at a few positions. */
const damages = fc.array(
  fc.record({ at: fc.nat(), drop: fc.integer({ min: 0, max: 6 }), put: fc.uint8Array({ maxLength: 6 }) }),
  { minLength: 1, maxLength: 4 },
)

function damage(body: Buffer, changes: readonly { at: number; drop: number; put: Uint8Array }[]): Buffer {
  return changes.reduce((bytes, { at, drop, put }) => {
    const place = bytes.length === 0 ? 0 : at % bytes.length
    return Buffer.concat([bytes.subarray(0, place), put, bytes.subarray(place + drop)])
  }, body)
}

const isAccountedFor = (result: DecodedRequest): boolean => {
  if (!result.ok) return result.detail.length > 0
  const counted = Object.values(result.rejections.counts).reduce((sum, count) => sum + count, 0)
  return counted === result.rejections.total && result.received === result.spans.length + counted
}

test('no bytes make walkRequest throw or lose count', (t) => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 300 }), format, fc.boolean(), (body, contentType, gzip) =>
      isAccountedFor(decode(body, { contentType, gzip })),
    ),
    runs,
  )
  t.pass()
})

test('no damage to a valid request makes decodeRequest throw or lose count', (t) => {
  fc.assert(
    fc.property(groups, format, damages, (input, contentType, changes) =>
      isAccountedFor(decode(damage(encodeRequest(input, contentType), changes), { contentType })),
    ),
    runs,
  )
  t.pass()
})

test('no damage to a gzipped request makes decodeRequest throw or lose count', (t) => {
  const zipped = gzipSync(encodeRequest(makeTraceSpans(3, { attributes: { k: 'v' } })))
  fc.assert(
    fc.property(damages, (changes) => isAccountedFor(decode(damage(zipped, changes), { gzip: true }))),
    runs,
  )
  t.pass()
})

test('no JSON value makes decodeRequest throw or lose count', (t) => {
  const spans = fc.array(fc.oneof(fc.jsonValue(), fc.record({ attributes: fc.jsonValue(), name: fc.jsonValue() })))
  fc.assert(
    fc.property(spans, fc.jsonValue(), (given, resource) => {
      const body = { resourceSpans: [{ resource, scopeSpans: [{ spans: given }] }] }
      const result = decode(Buffer.from(JSON.stringify(body)), { contentType: 'json' })
      return result.ok && result.received === given.length && isAccountedFor(result)
    }),
    runs,
  )
  t.pass()
})

test('JSON that JSON.parse refuses is refused, and other JSON is judged only by its envelope', (t) => {
  const text = fc.oneof(
    fc
      .json()
      .chain((json) => damages.map((changes) => damage(Buffer.from(json), changes.slice(0, 1)).toString('latin1'))),
    fc.json(),
  )
  fc.assert(
    fc.property(text, (inner) => {
      const parses = (() => {
        try {
          JSON.parse(inner)
          return true
        } catch {
          return false
        }
      })()
      return (
        decode(Buffer.from(`{"resourceSpans":[],"unknown":${inner}}`, 'latin1'), { contentType: 'json' }).ok === parses
      )
    }),
    { numRuns: inSoak(100, 500), seed },
  )
  t.pass()
})

/** `received` differs between encodings. */
const readAll = (request: ReturnType<typeof decodeOk> | undefined) => ({
  ...request,
  spans: request?.spans.map((span) => ({ ...span, received: null })),
})

test('both encodings of a request are read equally', (t) => {
  fc.assert(
    fc.property(groups, (input) => {
      const nowMs = Date.now()
      const [protobuf, json] = (['protobuf', 'json'] as const).map((contentType) =>
        decodeOk(encodeRequest(input, contentType), { contentType, nowMs }),
      )
      // A comparison by ava takes twenty times as long.
      return isDeepStrictEqual(readAll(protobuf), readAll(json))
    }),
    runs,
  )
  t.pass()
})

/**
 * Where protobufjs skips an unknown field, it accepts a varint of any length. The wire format allows at most ten bytes, so `walkRequest`
 * refuses a span with a longer one, as protobufjs does in a known field.
 */
class StrictReader extends protobuf.BufferReader {
  override skip(length?: number): this {
    const from = this.pos
    super.skip(length)
    if (length === undefined && this.pos - from > 10) throw new Error('a varint is longer than 10 bytes')
    return this
  }
}

test('walkRequest accepts what protobufjs decodes, with as many spans', (t) => {
  fc.assert(
    fc.property(groups, damages, (input, changes) => {
      const body = damage(encodeRequest(input), changes)
      let spans = 0
      try {
        const request = exportRequestType.decode(new StrictReader(body)) as unknown as {
          resourceSpans: { scopeSpans: { spans: unknown[] }[] }[]
        }
        for (const { scopeSpans } of request.resourceSpans) for (const scope of scopeSpans) spans += scope.spans.length
      } catch {
        return true
      }
      const result = decode(body)
      return result.ok && result.received === spans && result.rejections.counts.undecodable_span === undefined
    }),
    { numRuns: inSoak(100, 500), seed },
  )
  t.pass()
})

test('an unknown field whose varint is longer than ten bytes costs its span, and no other', (t) => {
  const unknown = (bytes: number): Buffer => Buffer.concat([tag(99, 0), Buffer.alloc(bytes - 1, 0x80), Buffer.of(0)])
  const result = decodeOk(envelope(spanBytes(unknown(10)), spanBytes(unknown(11)), spanBytes()))
  t.is(result.spans.length, 2)
  t.deepEqual(result.rejections.counts, { undecodable_span: 1 })
})
