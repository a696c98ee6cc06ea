// SDK. One OTLP request: what became of it, and when to try again.
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { ProtobufTraceSerializer } from '@opentelemetry/otlp-transformer'
import type { ReadableSpan } from '@opentelemetry/sdk-trace-base'
import { type Answer, type Http, readRetryAfterMs, Unreachable } from '../http.ts'

/**
 * `lost`: sending it again would change nothing. `again`: it may be sent again, after `waitMs` where the service says so. `isFailed`: the
 * service, or a proxy before it, has looked at this request and failed.
 */
export type Sent =
  | { readonly outcome: 'stored'; readonly rejected: number }
  | { readonly outcome: 'lost'; readonly why: string }
  | { readonly outcome: 'again'; readonly why: string; readonly waitMs: number | null; readonly isFailed: boolean }

export type SendSpans = (spans: readonly ReadableSpan[]) => Promise<Sent>

const timeoutMs = 10_000
const maxBytes = 1_048_576
const maxRetryAfterMs = 60_000
/** Those that OTLP names, and the two that a proxy gives. */
const retryable = new Set([408, 429, 500, 502, 503, 504])
const compress = promisify(gzip)

/**
 * Sends as protobuf, compressed. A span that is sent twice is stored once, so a request whose answer was lost is sent again.
 * OpenTelemetry's own exporter gives up after seconds, cannot be ended, and adds the headers of OTEL_EXPORTER_OTLP_HEADERS,
 * which are another backend's.
 */
export function makeSendSpans(http: Pick<Http, 'ask'>): SendSpans {
  return async (spans) => {
    const bytes = ProtobufTraceSerializer.serializeRequest([...spans])
    if (bytes === undefined) return { outcome: 'lost', why: 'not_serialised' }
    try {
      const answer = await http.ask({
        method: 'POST',
        path: '/v1/otlp/v1/traces',
        headers: { 'content-type': 'application/x-protobuf', 'content-encoding': 'gzip' },
        body: await compress(bytes),
        timeoutMs,
        maxBytes,
        background: true,
      })
      return judge(answer)
    } catch (error) {
      if (!(error instanceof Unreachable)) throw error
      return { outcome: 'again', why: error.code, waitMs: null, isFailed: false }
    }
  }
}

function judge({ status, headers, body }: Answer): Sent {
  if (status >= 200 && status < 300) {
    // A proxy that answers with a page of its own has stored nothing.
    if (!headers['content-type']?.includes('protobuf'))
      return { outcome: 'again', why: 'bad_answer', waitMs: null, isFailed: false }
    return { outcome: 'stored', rejected: readRejected(body) }
  }
  const why = `status_${status}`
  if (!retryable.has(status)) return { outcome: 'lost', why }
  const waitMs = readRetryAfterMs(headers, Date.now(), maxRetryAfterMs)
  return { outcome: 'again', why, waitMs, isFailed: status >= 500 }
}

/** What is no OTLP answer rejects nothing: the status has said that the spans are stored. */
function readRejected(body: Buffer): number {
  try {
    // Said to be a number, and a 64-bit integer on the wire.
    const rejected: unknown = ProtobufTraceSerializer.deserializeResponse(body).partialSuccess?.rejectedSpans
    return Number(rejected ?? 0)
  } catch {
    return 0
  }
}
