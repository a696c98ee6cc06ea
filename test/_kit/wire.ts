// Writes protobuf bytes by hand, for input that no encoder produces, and decodes them with walkRequest.

import type { AttributeMap, Span } from '../../src/event/span.ts'
import { type RequestInput, type WalkedRequest, walkRequest } from '../../src/otlp/decode-request.ts'
import { defaultIngestLimits } from '../../src/otlp/intake/limits.ts'
import { openTally, type RejectionTally } from '../../src/otlp/intake/rejection-tally.ts'

export function varint(value: number | bigint): Buffer {
  const bytes: number[] = []
  let rest = BigInt.asUintN(64, BigInt(value))
  while (rest >= 0x80n) {
    bytes.push(Number(rest & 0x7fn) | 0x80)
    rest >>= 7n
  }
  return Buffer.from([...bytes, Number(rest)])
}

export const tag = (field: number, type: number): Buffer => varint(field * 8 + type)

/** Encodes a length-delimited field: bytes, text or a nested message. */
export const field = (number: number, ...content: readonly (Uint8Array | string)[]): Buffer => {
  const body = Buffer.concat(content.map((part) => (typeof part === 'string' ? Buffer.from(part) : part)))
  return Buffer.concat([tag(number, 2), varint(body.length), body])
}

export const fixed64 = (number: number, value: bigint): Buffer => {
  const body = Buffer.alloc(8)
  body.writeBigUInt64LE(value)
  return Buffer.concat([tag(number, 1), body])
}

/** Encodes a request with one resource and one scope around encoded spans. */
export const envelope = (...spans: readonly Uint8Array[]): Buffer =>
  field(1, field(2, ...spans.map((span) => field(2, span))))

/** Returns the bytes of a valid span followed by `more`, whose fields override earlier ones. */
export const spanBytes = (...more: readonly Uint8Array[]): Buffer =>
  Buffer.concat([
    field(1, Buffer.alloc(16, 0xab)),
    field(2, Buffer.alloc(8, 0xcd)),
    field(5, 'chat'),
    fixed64(7, BigInt(Date.now() - 1_000) * 1_000_000n),
    fixed64(8, BigInt(Date.now()) * 1_000_000n),
    ...more,
  ])

type DecodedSpan = Span & { readonly attributes: AttributeMap }

export type DecodedRequest =
  | (WalkedRequest & { readonly ok: true; readonly spans: DecodedSpan[]; readonly rejections: RejectionTally })
  | (WalkedRequest & { readonly ok: false })

/**
 * Decodes all spans of a request. Default: the default limits and uncompressed protobuf. The spans are read as in the service; every
 * attribute is decoded from the request's bytes into a Map that tests can compare.
 */
export function decode(body: Uint8Array, input: Partial<RequestInput> = {}): DecodedRequest {
  const defaults = { contentType: 'protobuf', gzip: false, nowMs: Date.now(), limits: defaultIngestLimits } as const
  const spans: DecodedSpan[] = []
  const rejections = openTally()
  const walked = walkRequest({ ...defaults, body, ...input }, rejections, (span) =>
    spans.push({ ...span, attributes: new Map(span.attributes) }),
  )
  return walked.ok ? { ...walked, spans, rejections } : walked
}

/** Returns the spans of a request. Throws where the request is refused as a whole. */
export function decodeOk(body: Uint8Array, input: Partial<RequestInput> = {}) {
  const result = decode(body, input)
  if (!result.ok) throw new Error(`the request was refused: ${result.code} ${result.detail}`)
  return result
}

/** Returns the only span of a request. Throws where there is not exactly one accepted span. */
export function decodeOne(body: Uint8Array, input: Partial<RequestInput> = {}) {
  const { spans, rejections } = decodeOk(body, input)
  const [span] = spans
  if (span === undefined || spans.length !== 1) throw new Error(`not one span: ${JSON.stringify(rejections)}`)
  return span
}
