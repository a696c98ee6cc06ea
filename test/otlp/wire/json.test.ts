import test from 'ava'
import { inSoak } from '../../_kit/soak.ts'
import { encodeRequest, makeTraceSpans } from '../../_kit/spans.ts'
import { decode, decodeOk, decodeOne } from '../../_kit/wire.ts'
import { readUsedBytes } from '../../_kit/young-garbage.ts'

const json = { contentType: 'json' } as const
const nowNanos = BigInt(Date.now() - 1_000) * 1_000_000n

const plainSpan = {
  traceId: '4bf92f3577b34da6a3ce929d0e0e4736',
  spanId: '00f067aa0ba902b7',
  name: 'chat',
  startTimeUnixNano: String(nowNanos),
  endTimeUnixNano: String(nowNanos + 5_000_000n),
}

const request = (...spans: unknown[]) => Buffer.from(JSON.stringify({ resourceSpans: [{ scopeSpans: [{ spans }] }] }))

const codeOf = (body: string | Buffer): string => {
  const result = decode(Buffer.from(body), json)
  return result.ok ? 'ok' : result.code
}

test('a request without spans is accepted in every form', (t) => {
  const bodies = [
    '{}',
    ' {\n} ',
    '{"resourceSpans":[]}',
    '{"resourceSpans":null}',
    '{"resourceSpans":[{"scopeSpans":null}]}',
  ]
  for (const body of [...bodies, '{"resourceSpans":[null,{}]}', '{"resourceSpans":[{"scopeSpans":[{"spans":[]}]}]}']) {
    t.is(decodeOk(Buffer.from(body), json).received, 0, body)
  }
})

test('a body that is no JSON object is undecodable', (t) => {
  const bodies = [
    '',
    ' ',
    'null',
    '[]',
    '5',
    '"x"',
    '{',
    '{}}',
    '{} x',
    "{'a':1}",
    '{"a":1,}',
    '{"a" 1}',
    '{,}',
    '<html>',
    '\uFEFF{}',
  ]
  for (const body of bodies) t.is(codeOf(body), 'undecodable', body)
  t.is(codeOf(encodeRequest(makeTraceSpans(1))), 'undecodable')
})

test('an object that is no request for spans is undecodable and says so, and unknown members beside the spans are ignored', (t) => {
  for (const body of ['{"spans":[]}', '{"resourceMetrics":[{}]}', '{"a":1,"b":{}}'])
    t.like(decode(Buffer.from(body), json), {
      ok: false,
      detail: 'The body is not OTLP/JSON. The request has no member `resourceSpans`.',
    })
  t.is(codeOf('{"a":1,"resourceSpans":[]}'), 'ok')
})

test('an envelope of wrong types is undecodable', (t) => {
  const bodies = ['{"resourceSpans":{}}', '{"resourceSpans":[5]}', '{"resourceSpans":[{"scopeSpans":"x"}]}']
  for (const body of [...bodies, '{"resourceSpans":[{"scopeSpans":[{"spans":{}}]}]}'])
    t.is(codeOf(body), 'undecodable', body)
})

test('malformed JSON is undecodable at any position', (t) => {
  const whole = request(plainSpan, { ...plainSpan, attributes: [{ key: 'k', value: { intValue: 5 } }] }).toString()
  for (let end = 0; end < whole.length; end++) t.is(codeOf(whole.slice(0, end)), 'undecodable', whole.slice(0, end))
  for (const bad of [
    'tru',
    'nul',
    '01',
    '1.',
    '.5',
    '+1',
    '1e',
    '--1',
    'NaN',
    '"\\x"',
    '"\\u12g4"',
    '"\n"',
    '[1 2]',
    '{"a"}',
  ]) {
    t.is(codeOf(`{"resourceSpans":[],"unknown":${bad}}`), 'undecodable', bad)
    t.is(codeOf(whole.replace('"chat"', bad)), 'undecodable', bad)
  }
})

test('unknown fields are passed over on every level', (t) => {
  const unknown = { later: { a: [1, -2.5e-3, 'x\\n\\u00e9', true, false, null, {}, []] } }
  const span = {
    ...unknown,
    ...plainSpan,
    attributes: [{ ...unknown, key: 'k', value: { ...unknown, stringValue: 'v' } }],
  }
  const body = {
    ...unknown,
    resourceSpans: [{ ...unknown, resource: unknown, scopeSpans: [{ ...unknown, scope: unknown, spans: [span] }] }],
  }
  t.is(decodeOne(Buffer.from(JSON.stringify(body, null, 2)), json).attributes.get('k'), 'v')
})

test('10,000 arrays or objects inside each other are passed over outside of the spans, and overflow no stack', (t) => {
  t.is(codeOf(`{"resourceSpans":[],"a":${'['.repeat(10_000)}${']'.repeat(10_000)}}`), 'ok')
  t.is(codeOf(`{"resourceSpans":[],"a":${'{"a":'.repeat(10_000)}1${'}'.repeat(10_000)}}`), 'ok')
  t.is(codeOf('['.repeat(1_000_000)), 'undecodable')
})

test('proto names are as good as JSON names', (t) => {
  const body = {
    resource_spans: [
      {
        resource: { attributes: [{ key: 'r', value: { string_value: 'x' } }] },
        schema_url: 'https://schema',
        scope_spans: [
          {
            scope: { name: 's', version: '1' },
            spans: [
              {
                trace_id: plainSpan.traceId.toUpperCase(),
                span_id: plainSpan.spanId.toUpperCase(),
                parent_span_id: '00f067aa0ba902b8',
                trace_state: 'a=b',
                name: 'chat',
                kind: 'SPAN_KIND_CLIENT',
                start_time_unix_nano: plainSpan.startTimeUnixNano,
                end_time_unix_nano: plainSpan.endTimeUnixNano,
                attributes: [
                  { key: 'i', value: { int_value: '5' } },
                  { key: 'b', value: { bool_value: true } },
                  { key: 'd', value: { double_value: 1.5 } },
                  { key: 'a', value: { array_value: { values: [{ bytes_value: 'AQI=' }] } } },
                  { key: 'm', value: { kvlist_value: { values: [{ key: 'x', value: { string_value: 'y' } }] } } },
                ],
                dropped_attributes_count: 3,
                events: [{ time_unix_nano: '7', name: 'e' }],
                dropped_events_count: '4',
                links: [{ trace_id: 'a'.repeat(32), span_id: 'b'.repeat(16) }],
                dropped_links_count: 5,
                status: { code: 'STATUS_CODE_ERROR', message: 'm' },
              },
            ],
          },
        ],
      },
    ],
  }
  const span = decodeOne(Buffer.from(JSON.stringify(body)), json)
  t.like(span, {
    traceId: plainSpan.traceId,
    spanId: plainSpan.spanId,
    parentSpanId: '00f067aa0ba902b8',
    traceState: 'a=b',
    spanKind: 3,
    startTimeUnixNano: nowNanos,
    droppedAttributesCount: 3,
    droppedEventsCount: 4,
    droppedLinksCount: 5,
    statusCode: 2,
    statusMessage: 'm',
  })
  t.deepEqual(
    [...span.attributes],
    [
      ['i', 5],
      ['b', true],
      ['d', 1.5],
      ['a', [new Uint8Array([1, 2])]],
      ['m', new Map([['x', 'y']])],
    ],
  )
  t.deepEqual(
    [span.resource.attributes.get('r'), span.resource.schemaUrl, span.scope.name],
    ['x', 'https://schema', 's'],
  )
  t.deepEqual([span.events[0]?.timeUnixNano, span.links.length], [7n, 1])
})

test('names written with escapes are the same names', (t) => {
  const body = request(plainSpan).toString().replace('resourceSpans', String.raw`resourc\u0065Spans`)
  t.is(decodeOk(Buffer.from(body), json).spans.length, 1)
})

test('a time as a bare number keeps every nanosecond', (t) => {
  const body = request(plainSpan)
    .toString()
    .replace(`"${nowNanos}"`, String(nowNanos + 1n))
  t.is(decodeOne(Buffer.from(body), json).startTimeUnixNano, nowNanos + 1n)
})

test('the JSON forms of each value type are read', (t) => {
  const read = (value: string) => {
    const body = request({ ...plainSpan, attributes: [{ key: 'k', value: 'HERE' }] })
      .toString()
      .replace('"HERE"', value)
    const { spans } = decodeOk(Buffer.from(body), json)
    return spans.length === 0 ? 'rejected' : spans[0]?.attributes.get('k')
  }
  for (const [value, expected] of [
    ['{"intValue":"5"}', 5],
    ['{"intValue":5}', 5],
    ['{"intValue":5.0}', 5],
    ['{"intValue":-9223372036854775808}', -(2n ** 63n)],
    ['{"intValue":"9223372036854775807"}', 2n ** 63n - 1n],
    ['{"doubleValue":"NaN"}', 'NaN'],
    ['{"doubleValue":"-Infinity"}', '-Infinity'],
    ['{"doubleValue":"1.5"}', 1.5],
    ['{"doubleValue":12345678901234567890}', 1.2345678901234567e19],
    ['{"doubleValue":1e999}', 'Infinity'],
    ['{"bytesValue":"_-8"}', new Uint8Array([255, 239])],
    ['{"bytesValue":""}', new Uint8Array()],
    ['{"stringValue":""}', ''],
    ['{"arrayValue":{}}', []],
    ['{"kvlistValue":{}}', new Map()],
    ['{"stringValue":null,"intValue":7}', 7],
    ['{}', null],
    ['null', null],
  ] as const) {
    t.deepEqual(read(value), expected, value)
  }
  for (const value of [
    '{"intValue":"9223372036854775808"}',
    '{"intValue":1.5}',
    '{"intValue":"five"}',
    '{"intValue":""}',
    '{"stringValue":5}',
    '{"boolValue":"true"}',
    '{"doubleValue":"x"}',
    '{"doubleValue":true}',
    '{"bytesValue":"***"}',
    '{"arrayValue":[]}',
    '{"kvlistValue":{"values":[5]}}',
    '"text"',
    '[]',
  ]) {
    t.is(read(value), 'rejected', value)
  }
})

test('a wrong JSON type rejects its span only', (t) => {
  const bad = [
    5,
    null,
    'x',
    [],
    { ...plainSpan, traceId: 5 },
    { ...plainSpan, name: {} },
    { ...plainSpan, kind: [] },
    { ...plainSpan, startTimeUnixNano: 'soon' },
    { ...plainSpan, startTimeUnixNano: '-1' },
    { ...plainSpan, endTimeUnixNano: '18446744073709551616' },
    { ...plainSpan, droppedEventsCount: -1 },
    { ...plainSpan, attributes: {} },
    { ...plainSpan, attributes: [5] },
    { ...plainSpan, attributes: [{ key: 5 }] },
    { ...plainSpan, events: [7] },
    { ...plainSpan, links: 'x' },
    { ...plainSpan, status: 2 },
  ]
  const { spans, rejections } = decodeOk(request(...bad, plainSpan), json)
  t.is(spans.length, 1)
  t.deepEqual(rejections.counts, { undecodable_span: bad.length })
})

const describeRejection = (resource: object): string => {
  const { rejections } = decodeOk(Buffer.from(JSON.stringify({ resourceSpans: [resource] })), json)
  return rejections.examples.map(({ detail }) => detail).join()
}

test('a rejection names the field with a wrong JSON type, and what it must be', (t) => {
  const anyValue =
    'The value of an attribute must be an object such as {"stringValue":"text"}, and so must each value inside it.'
  const withValue = (value: unknown) => ({ attributes: [{ key: 'k', value }] })
  for (const [fields, detail] of [
    [{ traceId: 5 }, 'traceId must be a string.'],
    [{ parentSpanId: 5 }, 'parentSpanId must be a string.'],
    [{ traceState: 5 }, 'traceState must be a string.'],
    [{ name: {} }, 'name must be a string.'],
    [{ kind: [] }, 'kind must be a number or a name such as SPAN_KIND_CONSUMER.'],
    [{ startTimeUnixNano: '2026-01-31T00:00:00Z' }, 'startTimeUnixNano must be an integer of at most 20 digits.'],
    [{ startTimeUnixNano: '1'.repeat(21) }, 'startTimeUnixNano must be an integer of at most 20 digits.'],
    [{ endTimeUnixNano: -1 }, 'endTimeUnixNano must be an integer from 0 to 18446744073709551615.'],
    [{ droppedLinksCount: 2 ** 32 }, 'droppedLinksCount must be an integer from 0 to 4294967295.'],
    [{ attributes: { k: 'v' } }, 'attributes must be an array.'],
    [{ attributes: [5] }, 'Each attribute must be an object.'],
    [{ attributes: [{ key: 5 }] }, 'The key of an attribute must be a string.'],
    [withValue('v'), anyValue],
    [withValue({ arrayValue: { values: ['v'] } }), anyValue],
    [withValue({ stringValue: 5 }), 'stringValue must be a string.'],
    [withValue({ boolValue: 'true' }), 'boolValue must be true or false.'],
    [withValue({ intValue: 1.5 }), 'intValue must be an integer of at most 20 digits.'],
    [withValue({ intValue: '9223372036854775808' }), 'intValue must fit into 64 bits.'],
    [withValue({ doubleValue: true }), 'doubleValue must be a number.'],
    [withValue({ bytesValue: '***' }), 'bytesValue must be base64.'],
    [withValue({ arrayValue: [] }), 'arrayValue must be an object.'],
    [withValue({ arrayValue: { values: 5 } }), 'arrayValue.values must be an array.'],
    [withValue({ kvlistValue: { values: [5] } }), 'Each of kvlistValue.values must be an object.'],
    [{ events: 'x' }, 'events must be an array.'],
    [{ events: [7] }, 'Each event must be an object.'],
    [{ events: [{ timeUnixNano: 'soon' }] }, 'events[].timeUnixNano must be an integer of at most 20 digits.'],
    [{ links: [{ traceId: 5 }] }, 'links[].traceId must be a string.'],
    [{ status: 2 }, 'status must be an object.'],
    [{ status: { code: true } }, 'status.code must be a number or a name such as STATUS_CODE_ERROR.'],
    [{ status: { message: 5 } }, 'status.message must be a string.'],
    [{ traceId: 'q80=' }, 'The trace id must be 16 bytes (in OTLP/JSON 32 hex digits), not all of them zero.'],
    [{ spanId: 'q80=' }, 'The span id must be 8 bytes (in OTLP/JSON 16 hex digits), not all of them zero.'],
  ] as const)
    t.is(describeRejection({ scopeSpans: [{ spans: [{ ...plainSpan, ...fields }] }] }), detail)
  const scopeSpans = [{ spans: [plainSpan] }]
  for (const [resource, detail] of [
    [{ resource: 'x', scopeSpans }, 'The resource of the span cannot be decoded. resource must be an object.'],
    [{ schemaUrl: 5, scopeSpans }, 'The resource of the span cannot be decoded. schemaUrl must be a string.'],
    [
      { scopeSpans: [{ scope: { version: 5 }, spans: [plainSpan] }] },
      'The scope of the span cannot be decoded. version must be a string.',
    ],
    [{ scopeSpans: [{ spans: [5] }] }, 'The span must be an object.'],
  ] as const)
    t.is(describeRejection(resource), detail)
})

test('the refusal of a body names the member with a wrong type, or the byte at which the JSON breaks', (t) => {
  for (const [body, detail] of [
    ['[]', 'The body must be an object.'],
    ['{"resourceSpans":{}}', 'resourceSpans must be an array.'],
    ['{"resource_spans":[5]}', 'Each of resource_spans must be an object.'],
    ['{"resourceLogs":[5]}', 'Each of resourceLogs must be an object.'],
    ['{"resourceSpans":[{"scopeLogs":[5]}]}', 'Each of scopeLogs must be an object.'],
    ['{"resourceSpans":[{"scopeSpans":"x"}]}', 'scopeSpans must be an array.'],
    ['{"resourceSpans":[{"scopeSpans":[5]}]}', 'Each of scopeSpans must be an object.'],
    ['{"resourceSpans":[{"scopeSpans":[{"spans":{}}]}]}', 'spans must be an array.'],
    ['', 'The JSON is malformed at byte offset 0.'],
    ['null', 'The body must be an object.'],
    ['{"resourceSpans":', 'The JSON is malformed at byte offset 17.'],
    ['{"resourceSpans":[{"scopeSpans":[]},]}', 'The JSON is malformed at byte offset 36.'],
    ['{"resourceSpans":[{"scopeSpans":[', 'The JSON is malformed at byte offset 33.'],
    ['{"a":1,}', 'The JSON is malformed at byte offset 7.'],
    ['{"a":1 "b":2}', 'The JSON is malformed at byte offset 7.'],
    ['{"é":tru}', 'The JSON is malformed at byte offset 6.'],
    ['{"a":"b', 'The JSON string at byte offset 5 is malformed or not closed.'],
    ['{} x', 'Unexpected data follows the JSON value at byte offset 3.'],
  ])
    t.like(decode(Buffer.from(body as string), json), { ok: false, detail: `The body is not OTLP/JSON. ${detail}` })
})

test('ids in base64 are not ids', (t) => {
  const traceId = Buffer.from(plainSpan.traceId, 'hex').toString('base64')
  t.deepEqual(decodeOk(request({ ...plainSpan, traceId }), json).rejections.counts, { invalid_trace_id: 1 })
})

test('a resource or scope of a wrong type rejects its own spans only', (t) => {
  const spans = [plainSpan, plainSpan]
  const resourceSpans = [
    { resource: { attributes: 5 }, scopeSpans: [{ spans }] },
    { resource: 'x', scopeSpans: [{ spans }] },
    { scopeSpans: [{ scope: { name: 5 }, spans }, { spans }] },
  ]
  const result = decodeOk(Buffer.from(JSON.stringify({ resourceSpans })), json)
  t.deepEqual([result.received, result.spans.length], [8, 2])
  t.deepEqual(result.rejections.counts, { undecodable_resource: 6 })
})

test('a resource that follows its spans applies to them', (t) => {
  const resource = { attributes: [{ key: 'service.name', value: { stringValue: 'late' } }] }
  const body = { resourceSpans: [{ scopeSpans: [{ spans: [plainSpan], scope: { name: 'late' } }], resource }] }
  const span = decodeOne(Buffer.from(JSON.stringify(body)), json)
  t.deepEqual([span.resource.attributes.get('service.name'), span.scope.name], ['late', 'late'])
})

test('a million objects outside of the spans cost no memory', (t) => {
  const junk = `[${'{},'.repeat(inSoak(500_000, 2_000_000))}{}]`
  const body = Buffer.from(`{"junk":${junk},"resourceSpans":${junk}}`)
  const before = readUsedBytes()
  t.is(decodeOk(body, json).received, 0)
  t.true(readUsedBytes() - before < 30 * 1_048_576)
})
