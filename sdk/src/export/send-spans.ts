// SDK. Sends one OTLP request and reports its outcome and when to try again.
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { ProtobufTraceSerializer } from '@opentelemetry/otlp-transformer'
import type { ReadableSpan } from '@opentelemetry/sdk-trace-base'
import { type Answer, type Http, readRetryAfterMs, Unreachable } from '../http.ts'

/**
 * `lost`: another try would not help. `again`: the request may be sent again, after `waitMs` where the service asked for a wait.
 * `isFailed`: the service, or a proxy in front of it, has processed this request and failed (status 500 and above).
 */
export type Sent =
  | { readonly outcome: 'stored'; readonly rejected: number }
  | { readonly outcome: 'lost'; readonly why: string }
  | { readonly outcome: 'again'; readonly why: string; readonly waitMs: number | null; readonly isFailed: boolean }

export type SendSpans = (spans: readonly ReadableSpan[]) => Promise<Sent>

const timeoutMs = 10_000
const maxBytes = 1_048_576
const maxRetryAfterMs = 60_000
/** The statuses from 400 to 499 after which another try may succeed. */
const retryable = new Set([408, 429])
const compress = promisify(gzip)

/**
 * Sends spans as compressed protobuf. The service stores a span that is sent twice once, so a request whose answer was lost is sent again.
 * OpenTelemetry's own exporter is not used: it gives up after seconds, cannot be stopped, and adds the headers of
 * OTEL_EXPORTER_OTLP_HEADERS, which are meant for another backend.
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
    // An answer of another type is a page of a proxy: nothing was stored.
    if (!headers['content-type']?.includes('protobuf'))
      return { outcome: 'again', why: 'bad_answer', waitMs: null, isFailed: false }
    return { outcome: 'stored', rejected: readRejected(body) }
  }
  const why = `status_${status}`
  // A redirect comes from a proxy and is usually temporary, such as a maintenance or login page. It is never followed. Content delivery
  // networks have statuses of their own (520 to 530).
  const isRefused = status >= 400 && status < 500 && !retryable.has(status)
  if (isRefused) return { outcome: 'lost', why }
  const waitMs = readRetryAfterMs(headers, Date.now(), maxRetryAfterMs)
  return { outcome: 'again', why, waitMs, isFailed: status >= 500 }
}

/** Returns the number of rejected spans. 0 where the body cannot be decoded: by the status, the spans are stored. */
function readRejected(body: Buffer): number {
  try {
    // Its type says number, but it is a 64-bit integer on the wire.
    const rejected: unknown = ProtobufTraceSerializer.deserializeResponse(body).partialSuccess?.rejectedSpans
    return Number(rejected ?? 0)
  } catch {
    return 0
  }
}
