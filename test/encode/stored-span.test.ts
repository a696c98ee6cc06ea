import { zstdDecompressSync } from 'node:zlib'
import test from 'ava'
import fc from 'fast-check'
import { makeUuidV7 } from '../../src/base/ids.ts'
import { openBatchDecoder } from '../../src/decode/decode-batch.ts'
import { attributesToJson } from '../../src/encode/attribute-json.ts'
import { eventColumnNames } from '../../src/encode/row.ts'
import { readStoredPayload } from '../../src/encode/stored-span.ts'
import { readContent } from '../../src/normalise/normalise.ts'
import { defaultIngestLimits } from '../../src/otlp/intake/limits.ts'
import { openPriceBook } from '../../src/pricing/price-book.ts'
import { anyText } from '../_kit/any-text.ts'
import { readCopyRows } from '../_kit/copy-rows.ts'
import { inSoak, seed } from '../_kit/soak.ts'
import { type AttributeInput, encodeRequest, makeResourceSpans, makeSpan, type OtlpSpan } from '../_kit/spans.ts'
import { decodeOk } from '../_kit/wire.ts'

const prices = openPriceBook()
const flagsPlace = eventColumnNames.indexOf('flags')

type Encoding = 'protobuf' | 'json'

/** Stores spans and reads the payloads back, in the order of their rows. */
function storeAndRead(
  spans: readonly OtlpSpan[],
  contentMode: 'none' | 'redacted' | 'full',
  encoding: Encoding,
  resource: Record<string, AttributeInput> = { 'service.name': 'shop' },
) {
  const body = encodeRequest([makeResourceSpans({ spans, resource })], encoding)
  const shared = { body, nowMs: Date.now(), gzip: false, limits: defaultIngestLimits }
  const secret = new Uint8Array(32).fill(7)
  const batch = openBatchDecoder(prices)({
    ...shared,
    encoding,
    workspaceId: makeUuidV7(),
    contentMode,
    redactionSecret: secret,
    prices: null,
  })
  if (!batch.ok) throw new Error(batch.detail)
  const blocks = readCopyRows(batch.blocks, batch.blockOffsets).map((row) => zstdDecompressSync(row[3] as Buffer))
  const rows = readCopyRows(batch.rows, batch.offsets)
  const read = decodeOk(body, { contentType: encoding, nowMs: shared.nowMs })
  const payloads = rows.map((row, at) => {
    const no = (row.at(-1) as Buffer).readInt16BE()
    return readStoredPayload(blocks[batch.blockOfRow[at] as number] as Buffer, no)
  })
  return { payloads, spans: read.spans, blocks, batch }
}

const text = anyText(40)
const value: fc.Arbitrary<AttributeInput> = fc.letrec<{ value: AttributeInput }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    text,
    fc.boolean(),
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.maxSafeInteger(),
    fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
    fc.uint8Array({ maxLength: 20 }),
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(fc.string({ minLength: 1, maxLength: 10 }), tie('value'), { maxKeys: 4 }),
  ),
})).value
const attributes = fc.dictionary(fc.string({ minLength: 1, maxLength: 20 }), value, { maxKeys: 30 })
const span = fc
  .record({
    attributes,
    events: fc.array(fc.record({ name: text, attributes }), { maxLength: 3 }),
    links: fc.array(fc.record({ attributes }), { maxLength: 2 }),
    status: fc.record({ code: fc.constantFrom(0, 1, 2), message: text }),
    droppedAttributesCount: fc.nat(1_000),
  })
  .map((given) => makeSpan(given))

/** JSON of a view in which −0 and 0 are the same, since −0 is stored as 0. */
const show = (shown: unknown): unknown => JSON.parse(JSON.stringify(shown))

for (const encoding of ['protobuf', 'json'] as const) {
  test(`what is stored of a span in ${encoding} is read back as it was received`, (t) => {
    fc.assert(
      fc.property(fc.array(span, { minLength: 1, maxLength: 4 }), (given) => {
        const { payloads, spans } = storeAndRead(given, 'full', encoding)
        t.is(payloads.length, spans.length)
        for (const [at, { payload, flags }] of payloads.entries()) {
          const sent = spans[at]
          if (sent === undefined) throw new Error('a payload has no span')
          t.deepEqual(show(payload.attributes), show(attributesToJson(sent.attributes)))
          t.deepEqual(
            show(payload.events.map(({ attributes: of, name }) => ({ name, of }))),
            show(sent.events.map(({ attributes: of, name }) => ({ name, of: attributesToJson(of) }))),
          )
          t.deepEqual(
            payload.links.map(({ trace_id }) => trace_id),
            sent.links.map(({ traceId }) => traceId),
          )
          t.deepEqual(payload.resource, { attributes: { 'service.name': 'shop' }, schema_url: '' })
          t.is(payload.dropped.attributes, sent.droppedAttributesCount)
          for (const flag of flags) t.true(sent.flags.has(flag) || flag === 'truncated')
        }
      }),
      { numRuns: inSoak(15, 30), seed },
    )
  })
}

test('a span that needs no change is stored as the very bytes that came', (t) => {
  const plain = makeSpan({
    attributes: { 'gen_ai.operation.name': 'chat', 'gen_ai.input.messages': 'How are you today?', count: 3, ok: true },
  })
  const { blocks, spans } = storeAndRead([plain], 'redacted', 'protobuf')
  const received = spans[0]?.received
  t.truthy(received)
  t.true(blocks[0]?.includes(Buffer.from(received as Uint8Array)))
})

const secret = 'write to ann@example.org'
const cutSpans: readonly (readonly [what: string, span: OtlpSpan])[] = [
  ['its name', makeSpan({ name: `${'a '.repeat(600)}${secret}` })],
  ['its status message', makeSpan({ status: { code: 2, message: `${'a '.repeat(40_000)}${secret}` } })],
  ['a member of a map', makeSpan({ attributes: { map: { [`k${'e'.repeat(300)}y`]: secret } } })],
]
const cutResource = { 'service.name': 'shop', long: 'a '.repeat(40_000) }
for (const [what, cut] of cutSpans) {
  test(`data that is cut from a span, ${what}, is not stored, even if data of its resource was cut as well`, (t) => {
    for (const resource of [{ 'service.name': 'shop' }, cutResource]) {
      const { blocks, payloads } = storeAndRead([cut], 'redacted', 'protobuf', resource)
      t.is(payloads.length, 1)
      t.false(blocks.some((block) => block.includes('ann@example.org')))
    }
  })
}

test('what a sender has put in the place of the id of a parent is not stored', (t) => {
  const { blocks, payloads } = storeAndRead([makeSpan({ parentSpanId: Buffer.from(secret) })], 'redacted', 'protobuf')
  t.is(payloads.length, 1)
  t.false(blocks.some((block) => block.includes('ann@example.org')))
})

test('content is derived from what is stored, and attributes that say the same are left out', (t) => {
  const messages = JSON.stringify([{ role: 'user', parts: [{ type: 'text', content: 'hello' }] }])
  const sent = makeSpan({
    attributes: { 'gen_ai.operation.name': 'chat', 'gen_ai.input.messages': messages, note: 'kept' },
  })
  for (const mode of ['redacted', 'full'] as const) {
    const { payloads, spans } = storeAndRead([sent], mode, 'protobuf')
    t.deepEqual(payloads[0]?.payload.input_messages, [{ role: 'user', parts: [{ type: 'text', text: 'hello' }] }])
    t.deepEqual(payloads[0]?.payload.input_messages, readContent(spans[0] as never).inputMessages as never)
    t.deepEqual({ ...payloads[0]?.payload.attributes }, { 'gen_ai.operation.name': 'chat', note: 'kept' })
  }
})

test('spans of two resources and of many blocks are each found again', (t) => {
  const many = Array.from({ length: 300 }, (_, at) => makeSpan({ attributes: { at } }))
  const { payloads, batch } = storeAndRead(many, 'redacted', 'protobuf')
  t.deepEqual(
    payloads.map(({ payload }) => payload.attributes['at']),
    many.map((_, at) => at),
  )
  t.is(batch.blockOffsets.length - 1, 2)
})

test('a position outside of a block is reported as a damaged block', (t) => {
  const { blocks } = storeAndRead([makeSpan()], 'redacted', 'protobuf')
  t.throws(() => readStoredPayload(blocks[0] as Buffer, 1), { message: /corrupt/ })
  t.throws(() => readStoredPayload(Buffer.from([0x0a, 0xff]), 0))
})

const telling = fc.constantFrom(
  'plain words',
  'write to ann@example.org',
  'card 4111 1111 1111 1111',
  '{"token":"s3cr3t-value","page":2}',
  'https://shop.example.com/items/4711',
)
const tellingValue = fc.oneof(
  telling,
  fc.nat(),
  fc.constant(4_111_111_111_111_111),
  fc.array(telling, { maxLength: 3 }),
)
const tellingSpan = fc
  .record({
    attributes: fc.dictionary(fc.string({ minLength: 1, maxLength: 20 }), tellingValue, { maxKeys: 30 }),
    status: fc.record({ code: fc.constantFrom(0, 2), message: telling }),
  })
  .map((given) => makeSpan(given))

test('a span of which only some attributes are changed where they stand is the span that is written anew', (t) => {
  let rewritten = 0
  fc.assert(
    fc.property(fc.array(tellingSpan, { minLength: 1, maxLength: 5 }), (spans) => {
      const received = storeAndRead(spans, 'redacted', 'protobuf')
      const anew = storeAndRead(spans, 'redacted', 'json')
      const flagsOf = ({ batch }: typeof received) =>
        readCopyRows(batch.rows, batch.offsets).map((row) => String(row[flagsPlace]))
      t.deepEqual(show(received.payloads), show(anew.payloads))
      t.deepEqual(flagsOf(received), flagsOf(anew))
      rewritten += JSON.stringify(show(received.payloads)).split('[redacted:').length - 1
    }),
    { numRuns: inSoak(50, 100), seed },
  )
  t.true(rewritten > 100)
})
