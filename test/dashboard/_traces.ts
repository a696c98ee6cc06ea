// Traces of unusual forms, sent through the service's own route.
import { gzipSync } from 'node:zlib'
import type { Tenant } from '../_kit/sign-up.ts'
import { encodeRequest, makeSpan, type OtlpSpan, randomTraceId, type SpanInput } from '../_kit/spans.ts'
import { exportSpans } from '../demo/interface.ts'

const spansAtOnce = 10_000

export const idOf = (number: number): string => number.toString(16).padStart(16, '0')

export async function sendSpans(baseUrl: string, { key }: Pick<Tenant, 'key'>, spans: readonly OtlpSpan[]) {
  for (let at = 0; at < spans.length; at += spansAtOnce) {
    const body = gzipSync(encodeRequest(spans.slice(at, at + spansAtOnce)), { level: 1 })
    const { rejected, message } = await exportSpans(baseUrl, key, body)
    if (rejected > 0) throw new Error(`spans of a test were rejected: ${message}`)
  }
}

const legSpans = 100
const stepMs = 20

/**
 * Returns a trace of `count` spans in legs of a hundred: each leg is a step below the root with its spans below it; one span of each leg
 * failed.
 */
export function makeLargeTrace(count: number, traceId = randomTraceId()): { traceId: string; spans: OtlpSpan[] } {
  const startMs = Date.now() - 60_000 - count * stepMs
  const make = (at: number, known: SpanInput): OtlpSpan =>
    makeSpan({ traceId, spanId: idOf(at + 1), start: startMs + at * stepMs, durationMs: 15, ...known })
  const spans = Array.from({ length: count }, (_, at): OtlpSpan => {
    if (at === 0) return make(0, { name: 'large run', durationMs: count * stepMs })
    const leg = Math.floor((at - 1) / legSpans)
    const first = leg * legSpans + 1
    if (at === first) return make(at, { name: `leg ${leg}`, parentSpanId: idOf(1), durationMs: legSpans * stepMs })
    const isLast = at === first + legSpans - 1
    return make(at, {
      name: isLast ? `needle ${leg}` : `work ${at}`,
      parentSpanId: idOf(first + 1),
      status: { code: at === first + 50 ? 2 : 0 },
    })
  })
  return { traceId, spans }
}

/** Repeated in the content of a huge span; at first, a span is shown with much less content. */
export const hugeText = 'All work and no play.'

/** Returns two spans, `root` and below it `huge`, which is as large as a span may be: an attribute is cut at a quarter of a MiB. */
export function makeHugeTrace(traceId = randomTraceId()): { traceId: string; spans: OtlpSpan[] } {
  const text = `${hugeText} `.repeat(11_000)
  const say = (role: string): string => JSON.stringify([{ role, parts: [{ type: 'text', content: text }] }])
  const attributes = {
    'gen_ai.operation.name': 'chat',
    'gen_ai.input.messages': say('user'),
    'gen_ai.output.messages': say('assistant'),
    'note.one': text,
    'note.two': text,
  }
  const spans = [
    makeSpan({ traceId, spanId: idOf(1), name: 'root' }),
    makeSpan({ traceId, spanId: idOf(2), parentSpanId: idOf(1), name: 'huge', attributes }),
  ]
  return { traceId, spans }
}
