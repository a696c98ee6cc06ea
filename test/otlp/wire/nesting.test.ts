import test from 'ava'
import { decode, decodeOk, envelope, field, spanBytes, tag } from '../../_kit/wire.ts'

const json = { contentType: 'json' } as const
const startNanos = String(BigInt(Date.now() - 1_000) * 1_000_000n)

/** A span in OTLP/JSON with these additional members. */
const jsonSpan = (...members: readonly string[]): string =>
  `{${[
    '"traceId":"4bf92f3577b34da6a3ce929d0e0e4736","spanId":"00f067aa0ba902b7","name":"chat"',
    `"startTimeUnixNano":"${startNanos}","endTimeUnixNano":"${startNanos}"`,
    ...members,
  ].join(',')}}`

const jsonRequest = (spans: readonly string[], resource = '{}'): Buffer =>
  Buffer.from(`{"resourceSpans":[{"resource":${resource},"scopeSpans":[{"spans":[${spans.join(',')}]}]}]}`)

const attribute = (value: string): string => `"attributes":[{"key":"deep","value":${value}}]`

/** More levels than may be parsed, and as many as fit into a span. */
const tooDeep = [2_001, 500_000]

const bombs: Readonly<Record<string, (levels: number) => string>> = {
  lists: (levels) => attribute(`${'['.repeat(levels)}${']'.repeat(levels)}`),
  objects: (levels) => attribute(`${'{"a":'.repeat(levels / 5)}1${'}'.repeat(levels / 5)}`),
  'values of OTLP': (levels) =>
    attribute(`${'{"arrayValue":{"values":['.repeat(levels / 20)}null${']}}'.repeat(levels / 20)}`),
  'an unknown member': (levels) => `"later":${'['.repeat(levels)}"]"${']'.repeat(levels)}`,
}

for (const [what, make] of Object.entries(bombs)) {
  test(`OTLP/JSON nested too deeply in ${what} rejects its span only`, (t) => {
    for (const levels of tooDeep) {
      const { received, spans, rejections } = decodeOk(
        jsonRequest([jsonSpan(), jsonSpan(make(levels * 10)), jsonSpan(make(levels * 5)), jsonSpan()]),
        json,
      )
      t.is(received, 4)
      t.is(spans.length, 2)
      const [first] = rejections.examples
      t.is(rejections.total, 2)
      t.true(first?.reason === 'undecodable_span' || first?.reason === 'span_too_large')
    }
  })
}

test('the reason is reported, and the data after the nested value is read', (t) => {
  const { spans, rejections } = decodeOk(jsonRequest([jsonSpan(bombs['lists']?.(2_001) ?? ''), jsonSpan()]), json)
  t.deepEqual(rejections.examples, [{ reason: 'undecodable_span', detail: 'The JSON is nested too deeply.' }])
  t.deepEqual(
    spans.map(({ name }) => name),
    ['chat'],
  )
})

test('a resource that is nested too deeply rejects its spans and no others', (t) => {
  const deep = `{"attributes":${'['.repeat(3_000)}${']'.repeat(3_000)}}`
  const [bad, good] = [jsonRequest([jsonSpan()], deep), jsonRequest([jsonSpan()])].map((body) => body.toString())
  const both = `${bad?.slice(0, -2)},${good?.slice('{"resourceSpans":['.length)}`
  const { spans, rejections } = decodeOk(Buffer.from(both), json)
  t.deepEqual([spans.length, rejections.counts], [1, { undecodable_resource: 1 }])
})

test('values at the limit of nesting are read, with integers of any length', (t) => {
  const levels = 1_990
  const unknown = `"later":${'['.repeat(levels)}12345678901234567890${']'.repeat(levels)}`
  t.is(decodeOk(jsonRequest([jsonSpan(unknown)]), json).spans.length, 1)
})

test('a request whose brackets do not close is refused as a whole, however deep', (t) => {
  for (const levels of [10, 2_001, 100_000]) {
    const body = jsonRequest([jsonSpan(`"later":${'['.repeat(levels)}`)])
    t.like(decode(body, json), { ok: false, code: 'undecodable' })
  }
})

test('protobuf that is nested too deeply, in values or in unknown groups, rejects only its span', (t) => {
  let value: Buffer = field(1, 'leaf')
  for (let level = 0; level < 5_000; level++) value = field(5, field(1, value))
  const inValues = spanBytes(field(9, field(1, 'deep'), field(2, value)))
  const inGroups = spanBytes(...Array.from({ length: 50_000 }, () => tag(30, 3)))
  const { received, spans, rejections } = decodeOk(envelope(spanBytes(), inValues, inGroups, spanBytes()))
  t.deepEqual([received, spans.length, rejections.counts], [4, 2, { undecodable_span: 2 }])
})
