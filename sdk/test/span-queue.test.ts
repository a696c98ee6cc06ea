import type { Attributes } from '@opentelemetry/api'
import type { ReadableSpan } from '@opentelemetry/sdk-trace-base'
import test, { type ExecutionContext } from 'ava'
import { measure } from '../../test/_kit/standstill.ts'
import { until } from '../../test/_kit/until.ts'
import type { Sent } from '../src/export/send-spans.ts'
import { openSpanQueue, type SpanQueueOptions } from '../src/export/span-queue.ts'

type Sending = { readonly spans: readonly ReadableSpan[]; readonly done: (sent: Sent) => void }

const stored: Sent = { outcome: 'stored', rejected: 0 }
const away: Sent = { outcome: 'again', why: 'status_503', waitMs: null, isFailed: true }

/** A span as far as the queue looks at one. */
const spanOf = (attributes: Attributes = {}, parts: Partial<ReadableSpan> = {}) =>
  ({ attributes, events: [], links: [], ...parts }) as unknown as ReadableSpan
const names = ({ spans }: Sending): unknown[] => spans.map(({ attributes }) => attributes['n'])

const turn = (): Promise<void> => new Promise((done) => setImmediate(done))

function open(t: ExecutionContext, options: Partial<SpanQueueOptions> = {}) {
  const sendings: Sending[] = []
  const counts = { dropped: 0, rejected: 0 }
  const failures: string[] = []
  const queue = openSpanQueue({
    send: (spans) => new Promise((done) => sendings.push({ spans, done })),
    maxSpans: 1_000,
    maxBytes: 32 << 20,
    flushIntervalMs: 5,
    random: () => 0,
    onDropped: (spans) => (counts.dropped += spans),
    onRejected: (spans) => (counts.rejected += spans),
    onFailure: (why, isRetried) => failures.push(isRetried ? `${why}, retried` : why),
    ...options,
  })
  t.teardown(() => queue.stop())
  const next = async (count: number): Promise<Sending> => {
    await until(() => sendings.length >= count)
    return sendings[count - 1] as Sending
  }
  const end = (...spans: ReadableSpan[]): void => spans.forEach((span) => queue.processor.onEnd(span))
  return { queue, sendings, counts, failures, next, end }
}

test('a flush sends what ended in the turn in which the queue was found empty', async (t) => {
  let sent = 0
  const flushed = Promise.withResolvers<boolean>()
  let isFirst = true
  const { queue, end } = open(t, {
    send: async (spans) => {
      sent += spans.length
      return { outcome: 'lost', why: 'status_400' }
    },
    // A logger of the application goes on in a later turn.
    onFailure: () => {
      if (!isFirst) return
      isFirst = false
      queueMicrotask(() => {
        end(spanOf())
        flushed.resolve(queue.flush(60_000))
      })
    },
  })
  end(spanOf())
  await flushed.promise
  t.is(sent, 2)
})

test('a flush says whether spans were dropped since the last one', async (t) => {
  const { queue, next, end } = open(t, { maxSpans: 1, flushIntervalMs: 60_000 })
  const flush = async (nth: number, sent: Sent): Promise<boolean> => {
    end(spanOf())
    const flushing = queue.flush(60_000)
    ;(await next(nth)).done(sent)
    return await flushing
  }
  t.true(await flush(1, stored))
  t.false(await flush(2, { outcome: 'lost', why: 'status_401' }))
  t.true(await flush(3, { outcome: 'stored', rejected: 1 }), 'the service has received a span that it rejects')
  end(spanOf())
  // More than the queue takes.
  t.false(await flush(4, stored))
  t.true(await queue.flush(10))
})

test('a flush of the provider does not hide from the next flush that spans were dropped', async (t) => {
  const { queue, next, end } = open(t, { flushIntervalMs: 60_000 })
  end(spanOf())
  const forced = queue.processor.forceFlush()
  ;(await next(1)).done({ outcome: 'lost', why: 'status_401' })
  await forced
  t.false(await queue.flush(10))
  t.true(await queue.flush(10))
})

test('of two flushes at once, each says that spans were dropped', async (t) => {
  const { queue, next, end } = open(t, { flushIntervalMs: 60_000 })
  end(spanOf())
  const flushing = [queue.flush(60_000), queue.flush(60_000)]
  ;(await next(1)).done({ outcome: 'lost', why: 'status_401' })
  t.deepEqual(await Promise.all(flushing), [false, false])
})

test('spans go out together after a while, one batch at a time, in order', async (t) => {
  const { sendings, next, end, queue } = open(t)
  end(spanOf({ n: '1' }), spanOf({ n: '2' }))
  t.is(sendings.length, 0)
  const first = await next(1)
  t.deepEqual(names(first), ['1', '2'])
  end(spanOf({ n: '3' }))
  // It would send at once what may be sent.
  t.false(await queue.flush(10))
  t.is(sendings.length, 1)
  first.done(stored)
  const second = await next(2)
  t.deepEqual(names(second), ['3'])
  second.done(stored)
  await until(() => queue.waiting() === 0)
})

test('a full batch is sent at once, and its spans and bytes are limited', async (t) => {
  const { next, end } = open(t, { flushIntervalMs: 60_000 })
  end(...Array.from({ length: 600 }, () => spanOf()))
  const first = await next(1)
  t.is(first.spans.length, 512)
  end(...Array.from({ length: 12 }, () => spanOf({ 'tracewright.tool.ciphertext': 'x'.repeat(1 << 20) })))
  first.done(stored)
  const second = await next(2)
  t.is(second.spans.length, 88 + 3)
  second.done(stored)
  t.is((await next(3)).spans.length, 3)
})

test('beyond the bound on spans the newest are dropped and counted', async (t) => {
  const { counts, next, end } = open(t, { maxSpans: 3 })
  end(...['1', '2', '3', '4', '5'].map((n) => spanOf({ n })))
  t.is(counts.dropped, 2)
  t.deepEqual(names(await next(1)), ['1', '2', '3'])
})

test('beyond the bound on bytes results are left out first, then spans', async (t) => {
  const { queue, counts, next, end } = open(t, { maxBytes: 5_000 })
  const heavy = spanOf({ n: '1', 'tracewright.tool.ciphertext': 'x'.repeat(5_000), 'tracewright.tool.key_id': 'a' })
  end(heavy)
  t.deepEqual(Object.keys(heavy.attributes), ['n'])
  t.is(counts.dropped, 0)
  end(spanOf({ n: 'x'.repeat(5_000) }))
  t.is(counts.dropped, 1)
  const first = await next(1)
  first.done(stored)
  await until(() => queue.waiting() === 0)
  end(spanOf({ n: 'x'.repeat(3_000) }))
  t.is((await next(2)).spans.length, 1)
})

const large = 'x'.repeat(5_000)
const time: [number, number] = [0, 0]
const spanContext = { traceId: '1'.repeat(32), spanId: '1'.repeat(16), traceFlags: 1 }
const heavySpans: [string, ReadableSpan][] = [
  ['a list', spanOf({ ids: Array.from({ length: 100 }, (_, nth) => `toolu_${nth}`.padEnd(50, 'x')) })],
  ['its events', spanOf({}, { events: [{ name: 'exception', time, attributes: { 'exception.stacktrace': large } }] })],
  ['its links', spanOf({}, { links: [{ context: spanContext, attributes: { why: large } }] })],
]
for (const [what, heavy] of heavySpans) {
  test(`the bound on bytes counts those of ${what}`, (t) => {
    const { counts, end } = open(t, { maxBytes: 5_000 })
    end(heavy)
    t.is(counts.dropped, 1)
  })
}

test('a batch is sent again while the service is away, and what comes meanwhile waits', async (t) => {
  const { next, end, failures, counts } = open(t)
  end(spanOf({ n: '1' }))
  ;(await next(1)).done(away)
  end(spanOf({ n: '2' }))
  const second = await next(2)
  t.deepEqual(names(second), ['1', '2'])
  second.done(stored)
  t.deepEqual(failures, ['status_503, retried'])
  t.is(counts.dropped, 0)
})

test('a batch is not sent again before Retry-After has passed, not even by a flush', async (t) => {
  const patient = open(t)
  patient.end(spanOf())
  ;(await patient.next(1)).done({ outcome: 'again', why: 'status_429', waitMs: 60_000, isFailed: false })
  await turn()
  t.false(await patient.queue.flush(20))
  t.is(patient.sendings.length, 1)

  const { next, end } = open(t)
  end(spanOf())
  const first = await next(1)
  const startedAtMs = performance.now()
  first.done({ outcome: 'again', why: 'status_429', waitMs: 100, isFailed: false })
  ;(await next(2)).done(stored)
  // Timers may be a little early.
  t.true(performance.now() - startedAtMs >= 95)
})

test('a Retry-After shorter than the back-off does not shorten it, but a flush does', async (t) => {
  const soon: Sent = { outcome: 'again', why: 'status_503', waitMs: 0, isFailed: true }
  const { next, end } = open(t, { backOff: { firstMs: 200, maxMs: 200 }, random: () => 1 })
  end(spanOf())
  const first = await next(1)
  const startedAtMs = performance.now()
  first.done(soon)
  await next(2)
  // Timers may be a little early.
  t.true(performance.now() - startedAtMs >= 195)

  const patient = open(t, { backOff: { firstMs: 3_600_000, maxMs: 3_600_000 } })
  patient.end(spanOf())
  ;(await patient.next(1)).done({ ...soon, waitMs: 20 })
  await turn()
  const flushing = patient.queue.flush(60_000)
  ;(await patient.next(2)).done(stored)
  t.true(await flushing)
})

test('a batch that the service refuses for good is dropped and counted, and the next one is sent', async (t) => {
  const { counts, failures, next, end } = open(t)
  end(spanOf({ n: '1' }))
  const first = await next(1)
  end(spanOf({ n: '2' }))
  first.done({ outcome: 'lost', why: 'status_400' })
  const second = await next(2)
  t.deepEqual(names(second), ['2'])
  second.done({ outcome: 'stored', rejected: 1 })
  await until(() => counts.rejected === 1)
  t.deepEqual(counts, { dropped: 1, rejected: 1 })
  t.deepEqual(failures, ['status_400'])
})

test('a batch that cannot be encoded does not stop later ones', async (t) => {
  let calls = 0
  const { counts, end } = open(t, {
    send: async () => {
      calls += 1
      if (calls === 1) throw new TypeError('no bytes')
      return stored
    },
  })
  end(spanOf())
  await until(() => counts.dropped === 1)
  end(spanOf())
  await until(() => calls === 2)
  t.is(counts.dropped, 1)
})

test('a flush resolves when all spans are sent, and ends at its timeout', async (t) => {
  const { queue, next, end } = open(t, { flushIntervalMs: 60_000 })
  t.true(await queue.flush(10))
  end(spanOf())
  const flushing = queue.flush(60_000)
  ;(await next(1)).done(stored)
  t.true(await flushing)
  end(spanOf())
  t.false(await queue.flush(20))
})

test('a flush tries at once where a back-off is being waited for', async (t) => {
  const { queue, next, end } = open(t, { random: () => 1 })
  end(spanOf())
  // Of 1, 2, 4 and 8 s.
  const backOffs = 4
  const { tookMs } = await measure(async () => {
    for (let nth = 1; nth <= backOffs; nth += 1) {
      ;(await next(nth)).done(away)
      await turn()
      void queue.flush(60_000)
    }
    ;(await next(backOffs + 1)).done(stored)
  })
  t.true(tookMs < 5_000, `${tookMs} ms`)
  await until(() => queue.waiting() === 0)
})

test('after shutdown no span is accepted or sent', async (t) => {
  const { queue, sendings, counts, end } = open(t)
  end(spanOf())
  queue.stop()
  end(spanOf())
  t.is(counts.dropped, 2)
  t.false(await queue.flush(10))
  t.is(sendings.length, 0)
})

/** A service that fails on each batch with one of these spans; gives what it has taken. */
function openFailing(t: ExecutionContext, isBad: (name: string) => boolean) {
  const taken: string[] = []
  let sent = 0
  const opened = open(t, {
    backOff: { firstMs: 0, maxMs: 0 },
    send: async (spans) => {
      sent += 1
      // As a real request, in a later turn.
      await turn()
      const all = spans.map(({ attributes }) => String(attributes['n']))
      if (all.some((name) => isBad(name))) return away
      taken.push(...all)
      return stored
    },
  })
  return { ...opened, taken, sent: () => sent }
}

test('a span on which the service always fails does not delay others, and only it is lost', async (t) => {
  const { queue, counts, failures, taken, end } = openFailing(t, (name) => name === 'bad')
  const good = Array.from({ length: 40 }, (_, n) => `${n}`)
  end(...good.slice(0, 20).map((n) => spanOf({ n })), spanOf({ n: 'bad' }), ...good.slice(20).map((n) => spanOf({ n })))
  await until(() => taken.length === good.length)
  t.deepEqual(taken.toSorted(), good.toSorted())
  t.is(counts.dropped, 0)
  for (const n of ['more', 'still more', 'most']) {
    const before = failures.length
    end(spanOf({ n }))
    await until(() => taken.includes(n) && (queue.waiting() === 0 || failures.length > before))
  }
  await until(() => queue.waiting() === 0)
  t.is(counts.dropped, 1)
})

test('the control: while the service fails on every span, none is lost', async (t) => {
  let isAway = true
  const { queue, counts, taken, sent, end } = openFailing(t, () => isAway)
  const all = ['1', '2', '3', '4', '5']
  end(...all.map((n) => spanOf({ n })))
  await until(() => sent() > 50)
  t.deepEqual([counts.dropped, queue.waiting()], [0, 5])
  isAway = false
  await until(() => queue.waiting() === 0)
  t.deepEqual(taken.toSorted(), all)
})
