import test from 'ava'
import type { RejectReason } from '../../../src/otlp/reject.ts'
import { encodeRequest, makeSpan, makeTraceSpans, type SpanInput } from '../../_kit/spans.ts'
import { decodeOk, decodeOne, envelope, field, fixed64, tag, varint } from '../../_kit/wire.ts'

const formats = ['protobuf', 'json'] as const
const minuteMs = 60_000
const dayMs = 1_440 * minuteMs

/** Sends the span beside a valid one in both encodings, and expects only it to be rejected. */
function reasonsOf(input: SpanInput, nowMs = Date.now()): (RejectReason | 'stored')[] {
  return formats.map((contentType) => {
    const body = encodeRequest([makeSpan(input), makeSpan({ start: nowMs })], contentType)
    const { spans, rejections, received } = decodeOk(body, { contentType, nowMs })
    if (received !== spans.length + rejections.total) throw new Error('a span is unaccounted for')
    return rejections.examples[0]?.reason ?? 'stored'
  })
}

function readBoth(input: SpanInput) {
  const nowMs = Date.now()
  return formats.map((contentType) =>
    decodeOne(encodeRequest([makeSpan({ start: nowMs, ...input })], contentType), { contentType, nowMs }),
  )
}

for (const length of [0, 8, 15, 17, 32]) {
  test(`a trace id of ${length} bytes is rejected`, (t) => {
    t.deepEqual(reasonsOf({ traceId: Buffer.alloc(length, 1) }), ['invalid_trace_id', 'invalid_trace_id'])
  })
}

for (const length of [0, 7, 9]) {
  test(`a span id of ${length} bytes is rejected`, (t) => {
    t.deepEqual(reasonsOf({ spanId: Buffer.alloc(length, 1) }), ['invalid_span_id', 'invalid_span_id'])
  })
}

test('ids of zeros are rejected', (t) => {
  t.deepEqual(reasonsOf({ traceId: Buffer.alloc(16) }), ['invalid_trace_id', 'invalid_trace_id'])
  t.deepEqual(reasonsOf({ spanId: Buffer.alloc(8) }), ['invalid_span_id', 'invalid_span_id'])
})

test('a parent of a wrong length, or that is the span itself, is dropped with a flag', (t) => {
  const spanId = '00f067aa0ba902b7'
  for (const parentSpanId of [Buffer.alloc(7, 1), Buffer.alloc(9, 1), Buffer.alloc(16, 1), spanId]) {
    for (const span of readBoth({ spanId, parentSpanId })) {
      t.is(span.parentSpanId, null)
      t.deepEqual([...span.flags], ['parent_invalid'])
    }
  }
})

test('no parent and a parent of zeros are roots, without a flag', (t) => {
  for (const parentSpanId of [Buffer.alloc(0), Buffer.alloc(8)]) {
    for (const span of readBoth({ parentSpanId })) {
      t.is(span.parentSpanId, null)
      t.deepEqual([...span.flags], [])
    }
  }
})

test('every field arrives as it was sent', (t) => {
  const input: SpanInput = {
    traceId: '4bf92f3577b34da6a3ce929d0e0e4736',
    spanId: '00f067aa0ba902b7',
    parentSpanId: '00f067aa0ba902b8',
    traceState: 'a=b',
    name: 'chat gpt-4o',
    kind: 3,
    start: BigInt(Date.now()) * 1_000_000n + 123n,
    durationMs: 7,
    events: [{ name: 'exception', time: 5n, attributes: { 'exception.type': 'E' } }],
    links: [{ traceId: 'a'.repeat(32), spanId: 'b'.repeat(16), attributes: { k: 1 } }],
    status: { code: 2, message: 'broken' },
    droppedAttributesCount: 3,
    droppedEventsCount: 4,
    droppedLinksCount: 5,
  }
  for (const span of readBoth(input)) {
    const start = input.start as bigint
    t.like(span, {
      traceId: '4bf92f3577b34da6a3ce929d0e0e4736',
      spanId: '00f067aa0ba902b7',
      parentSpanId: '00f067aa0ba902b8',
      traceState: 'a=b',
      name: 'chat gpt-4o',
      spanKind: 3,
      startTimeUnixNano: start,
      endTimeUnixNano: start + 7_000_000n,
      statusCode: 2,
      statusMessage: 'broken',
      droppedAttributesCount: 3,
      droppedEventsCount: 4,
      droppedLinksCount: 5,
    })
    t.deepEqual(span.events, [{ name: 'exception', timeUnixNano: 5n, attributes: new Map([['exception.type', 'E']]) }])
    t.deepEqual(span.links, [{ traceId: 'a'.repeat(32), spanId: 'b'.repeat(16), attributes: new Map([['k', 1]]) }])
    t.deepEqual([...span.flags], [])
  }
})

test('a start time of zero, or in the year 2554, is rejected', (t) => {
  t.deepEqual(reasonsOf({ start: 0n }), ['start_time_missing', 'start_time_missing'])
  const end = 2n ** 64n - 1n
  t.deepEqual(reasonsOf({ start: end, end }), ['start_time_in_future', 'start_time_in_future'])
})

test('starts are taken from seven days ago to ten minutes ahead', (t) => {
  const nowMs = 1_800_000_000_000
  const at = (start: number) => reasonsOf({ start }, nowMs)
  t.deepEqual(at(nowMs - 7 * dayMs), ['stored', 'stored'])
  t.deepEqual(at(nowMs - 7 * dayMs - 1), ['start_time_too_old', 'start_time_too_old'])
  t.deepEqual(at(nowMs - 8 * dayMs), ['start_time_too_old', 'start_time_too_old'])
  t.deepEqual(at(nowMs + 10 * minuteMs), ['stored', 'stored'])
  t.deepEqual(at(nowMs + 10 * minuteMs + 1), ['start_time_in_future', 'start_time_in_future'])
  t.deepEqual(at(nowMs + 11 * minuteMs), ['start_time_in_future', 'start_time_in_future'])
})

test('thirty spans on thirty dates of five centuries are all rejected', (t) => {
  const spans = Array.from({ length: 30 }, (_, index) => makeSpan({ start: Date.UTC(1971 + index * 17, 0, 2) }))
  const { received, rejections } = decodeOk(encodeRequest(spans))
  t.deepEqual([received, rejections.total], [30, 30])
  t.deepEqual(Object.keys(rejections.counts).toSorted(), ['start_time_in_future', 'start_time_too_old'])
})

test('an end before the start, or thirty days behind it, leaves the duration unknown', (t) => {
  for (const durationMs of [-1, 30 * dayMs]) {
    for (const span of readBoth({ durationMs })) t.deepEqual([...span.flags], ['duration_unknown'])
  }
  for (const span of readBoth({ durationMs: 30 * dayMs - 1 })) t.deepEqual([...span.flags], ['clock_ahead'])
  for (const span of readBoth({ durationMs: 0 })) t.deepEqual([...span.flags], [])
})

test('a span that ended more than a second after it was received has a clock that is ahead', (t) => {
  const nowMs = 1_800_000_000_000
  const flagsOf = (startMs: number, durationMs: number) =>
    formats.map((contentType) => {
      const body = encodeRequest([makeSpan({ start: startMs, durationMs })], contentType)
      return [...decodeOne(body, { contentType, nowMs }).flags].join()
    })
  t.deepEqual(flagsOf(nowMs - 9_000, 10_000), ['', ''])
  t.deepEqual(flagsOf(nowMs - 9_000, 10_001), ['clock_ahead', 'clock_ahead'])
  t.deepEqual(flagsOf(nowMs + 5 * minuteMs, 10), ['clock_ahead', 'clock_ahead'])
  // An end that is wrong tells nothing of the clock.
  t.deepEqual(flagsOf(nowMs - 9_000, 31 * dayMs), ['duration_unknown', 'duration_unknown'])
})

test('kinds and statuses that do not exist are unspecified', (t) => {
  for (const [kind, code] of [
    [99, 77],
    [-1, -1],
    [6, 3],
  ] as const) {
    for (const span of readBoth({ kind, status: { code } })) t.deepEqual([span.spanKind, span.statusCode], [0, 0])
  }
})

test('a span without a name is called unknown and flagged', (t) => {
  for (const span of readBoth({ name: '' })) {
    t.is(span.name, 'unknown')
    t.deepEqual([...span.flags], ['name_missing'])
  }
})

test('a link that leads to no valid span is dropped and counted', (t) => {
  const links = [{ traceId: Buffer.alloc(16) }, { spanId: Buffer.alloc(3, 1) }, {}]
  for (const span of readBoth({ links, droppedLinksCount: 1 })) {
    t.deepEqual([span.links.length, span.droppedLinksCount], [1, 3])
  }
})

test('the same span twice in one request is read twice: storing it once is the database’s part', (t) => {
  const [span] = makeTraceSpans(1)
  if (span === undefined) throw new Error('no span')
  t.deepEqual(decodeOk(encodeRequest([span, span])).spans.map(({ spanId }) => spanId).length, 2)
})

const logRecord = (...more: readonly Uint8Array[]) =>
  Buffer.concat([
    fixed64(1, 1_700_000_000_000_000_000n),
    Buffer.concat([tag(2, 0), varint(9)]),
    field(3, 'INFO'),
    field(5, field(1, 'the log text')),
    field(6, field(1, 'k'), field(2, field(1, 'v'))),
    ...more,
  ])

test('logs sent to the trace path are rejected with a hint, with and without ids of their own', (t) => {
  const withIds = logRecord(field(9, Buffer.alloc(16, 0xee)), field(10, Buffer.alloc(8, 0xee)), fixed64(11, 5n))
  const result = decodeOk(envelope(logRecord(), withIds))
  t.deepEqual(result.rejections.counts, { looks_like_logs: 2 })
  t.regex(result.rejections.examples[0]?.detail ?? '', /looks like an OTLP log record/)
})

test('JSON logs sent to the trace path are rejected with a hint, under their own names and under those of spans', (t) => {
  const record = { timeUnixNano: '5', severityNumber: 9, body: { stringValue: 'text' } }
  const bodies = [
    { resourceLogs: [{ scopeLogs: [{ logRecords: [record, record] }] }] },
    { resourceSpans: [{ scopeSpans: [{ spans: [record, record] }] }] },
  ]
  for (const body of bodies) {
    const result = decodeOk(Buffer.from(JSON.stringify(body)), { contentType: 'json' })
    t.deepEqual([result.received, result.spans.length], [2, 0])
    t.deepEqual(result.rejections.counts, { looks_like_logs: 2 })
  }
})

test('the account of rejections is whole in its counts and bounded in its examples', (t) => {
  const spans = Array.from({ length: 2_000 }, (_, index) => makeSpan(index % 2 === 0 ? { traceId: '' } : { start: 0n }))
  const { rejections } = decodeOk(encodeRequest(spans))
  t.deepEqual(rejections.counts, { invalid_trace_id: 1_000, start_time_missing: 1_000 })
  t.deepEqual([rejections.total, rejections.examples.length], [2_000, 2])
})
