import { gunzipSync, gzipSync } from 'node:zlib'
import test from 'ava'
import { defaultIngestLimits } from '../../../src/otlp/intake/limits.ts'
import { leastCpuMs, measureLooks } from '../../_kit/looks.ts'
import { inSoak } from '../../_kit/soak.ts'
import { encodeRequest, makeTraceSpans } from '../../_kit/spans.ts'
import { decode, decodeOk, envelope, field, spanBytes } from '../../_kit/wire.ts'

const request = encodeRequest(makeTraceSpans(3))
const codeOf = (body: Uint8Array, gzip = true): string => {
  const result = decode(body, { gzip })
  return result.ok ? 'ok' : result.code
}

test('gzip of one member or several is read', (t) => {
  t.is(decodeOk(gzipSync(request), { gzip: true }).spans.length, 3)
  const [head, tail] = [request.subarray(0, 100), request.subarray(100)]
  t.is(decodeOk(Buffer.concat([gzipSync(head), gzipSync(tail)]), { gzip: true }).spans.length, 3)
})

test('incomplete gzip is undecodable', (t) => {
  const good = gzipSync(request)
  const flipped = Buffer.from(good)
  flipped[good.length - 6] = (flipped[good.length - 6] as number) ^ 1
  t.like(decode(request, { gzip: true }), {
    code: 'undecodable',
    detail: 'The body is not valid gzip, although its Content-Encoding header is gzip.',
  })
  t.is(codeOf(Buffer.alloc(0)), 'undecodable')
  t.is(codeOf(good.subarray(0, 10)), 'undecodable')
  t.is(codeOf(good.subarray(0, -3)), 'undecodable')
  t.is(codeOf(flipped), 'undecodable')
  t.is(codeOf(Buffer.concat([good, Buffer.from('trailing garbage')])), 'undecodable')
  t.is(codeOf(gzipSync(good)), 'undecodable')
  t.is(codeOf(good, false), 'undecodable')
})

test('the limit applies to all gzip members together', (t) => {
  const half = gzipSync(Buffer.alloc(defaultIngestLimits.inflatedBytes / 2 + 1))
  t.is(codeOf(Buffer.concat([half, half])), 'too_large')
})

const bombMib = inSoak(100, 200)

test(`a bomb of ${bombMib} MiB is refused at once and without the memory for it`, (t) => {
  const bomb = gzipSync(Buffer.alloc(bombMib * 1_048_576))
  t.true(bomb.length < bombMib * 1_050)
  const before = process.memoryUsage.rss()
  const refusedMs = leastCpuMs(() => t.is(codeOf(bomb), 'too_large'))
  t.true(process.memoryUsage.rss() - before < 40 * 1_048_576)
  const inflatedMs = leastCpuMs(() => gunzipSync(bomb), Number.POSITIVE_INFINITY)
  t.true(refusedMs < inflatedMs / 4, `${refusedMs} ms, and ${inflatedMs} ms to inflate it`)
})

test('a bomb that lies about its length is stopped at the limit', (t) => {
  const bomb = gzipSync(Buffer.alloc(defaultIngestLimits.inflatedBytes + 1_048_576))
  bomb.writeUInt32LE(10, bomb.length - 4)
  t.is(codeOf(bomb), 'too_large')
})

test('a body over the limit as it travels is too large', (t) => {
  t.is(codeOf(Buffer.alloc(defaultIngestLimits.bodyBytes + 1), false), 'too_large')
})

test('two million empty spans are refused before any is made', (t) => {
  const body = field(1, field(2, Buffer.alloc(2 * 2_097_152, Buffer.from([0x12, 0x00]))))
  const zipped = gzipSync(body)
  t.true(zipped.length < 5_000)
  t.is(codeOf(zipped), 'too_many_spans')
  t.is(codeOf(body, false), 'too_many_spans')
  const before = process.memoryUsage().heapUsed
  const looksMs = measureLooks(body.length, 5)
  const refusedMs = leastCpuMs(() => {
    for (let nth = 0; nth < 5; nth += 1) decode(body)
  }, looksMs * 5)
  t.true(process.memoryUsage().heapUsed - before < 10 * 1_048_576)
  t.true(refusedMs < looksMs * 5, `${refusedMs} ms for five, and ${looksMs} ms for five looks at each byte`)
})

test('10,000 spans are accepted, 10,001 are too many in either encoding, and the error says what to do', (t) => {
  const { spansPerRequest } = defaultIngestLimits
  const spans = Array.from({ length: spansPerRequest }, () => spanBytes())
  t.is(decodeOk(envelope(...spans)).spans.length, spansPerRequest)
  const result = decode(envelope(...spans, spanBytes()))
  t.false(result.ok)
  t.regex(result.ok ? '' : result.detail, /lower the batch size/)
  const json = `{"resourceSpans":[{"scopeSpans":[{"spans":[${Array(spansPerRequest + 1)
    .fill('{}')
    .join()}]}]}]}`
  const refused = decode(Buffer.from(json), { contentType: 'json' })
  t.is(refused.ok ? 'ok' : refused.code, 'too_many_spans')
})

test('the spans of all scopes and resources count together', (t) => {
  const limits = { ...defaultIngestLimits, spansPerRequest: 3 }
  const two = envelope(spanBytes(), spanBytes())
  t.is(decodeOk(two, { limits }).received, 2)
  const result = decode(Buffer.concat([two, two]), { limits })
  t.is(result.ok ? 'ok' : result.code, 'too_many_spans')
})

test('half a million empty attributes cost their span, not the request', (t) => {
  const bomb = Buffer.alloc(2 * 524_288, Buffer.from([0x4a, 0x00]))
  const result = decodeOk(envelope(spanBytes(bomb), spanBytes()))
  t.is(result.spans.length, 1)
  t.deepEqual(result.rejections.counts, { too_many_attributes: 1 })
})

test('nested values are cut once the request has made as many as it may', (t) => {
  const limits = { ...defaultIngestLimits, nestedValuesPerRequest: 1_000 }
  const list = field(9, field(1, 'list'), field(2, field(5, Buffer.alloc(2 * 600, Buffer.from([0x0a, 0x00])))))
  const { spans } = decodeOk(envelope(spanBytes(list), spanBytes(list)), { limits })
  const lengths = spans.map((span) => (span.attributes.get('list') as unknown[]).length)
  t.deepEqual(lengths, [600, 400])
  t.deepEqual(
    spans.map((span) => span.flags.has('truncated')),
    [false, true],
  )
})

test('a span above the size limit is rejected, and the others are kept', (t) => {
  const big = spanBytes(field(99, Buffer.alloc(2 * 1_048_576)))
  const result = decodeOk(envelope(big, spanBytes()))
  t.is(result.spans.length, 1)
  t.deepEqual(result.rejections.counts, { span_too_large: 1 })
})
