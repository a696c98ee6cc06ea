// Recorded requests of real instrumentations: their file format, and how to send them again at any later time.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { gunzipSync, gzipSync } from 'node:zlib'
import { exportRequestType } from '../../src/otlp/protobuf/schema.ts'
import type { OtlpKeyValue, OtlpSpan } from '../_kit/spans.ts'

/** Counts of the provider during the recording. */
export type Truth = {
  /** Includes failed calls, not embeddings. */
  readonly calls: number
  readonly errors: number
  /** Tools that the model requested. */
  readonly tool_calls: number
  readonly input_tokens: number
  readonly cached_tokens: number
  readonly cache_write_tokens: number
  readonly output_tokens: number
  readonly reasoning_tokens: number
  /** Computed by the Python package genai-prices. */
  readonly cost_usd: number
  /** By requested model, in order of name. */
  readonly models: readonly ModelTruth[]
}

export type ModelTruth = {
  readonly model: string
  readonly calls: number
  readonly input_tokens: number
  readonly cached_tokens: number
  readonly output_tokens: number
}

/** An export request in protobufjs' format. Fields that were not sent are absent. */
export type ExportRequest = {
  resourceSpans?: {
    resource?: { attributes?: OtlpKeyValue[] }
    scopeSpans?: { spans?: Partial<OtlpSpan>[] }[]
  }[]
}

const folder = new URL('recorded/', import.meta.url)
const requestsFile = 'requests.pb.gz'
const truthFile = 'truth.json'

export const dialects: readonly string[] = readdirSync(folder, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map((entry) => entry.name)
  .toSorted()

export const recordingUrl = (dialect: string): URL => new URL(`${dialect}/`, folder)

export const decodeRequest = (body: Uint8Array): ExportRequest =>
  exportRequestType.toObject(exportRequestType.decode(body), { longs: String })

export const encodeAny = (request: ExportRequest): Uint8Array => exportRequestType.encode(request).finish()

export const readTruth = (dialect: string): Truth =>
  JSON.parse(readFileSync(new URL(truthFile, recordingUrl(dialect)), 'utf8')) as Truth

/** Returns the requests in the order in which they were sent. */
export function readRequests(dialect: string): ExportRequest[] {
  const bytes = gunzipSync(readFileSync(new URL(requestsFile, recordingUrl(dialect))))
  const requests: ExportRequest[] = []
  for (let at = 0; at < bytes.length; ) {
    const length = bytes.readUInt32BE(at)
    requests.push(decodeRequest(bytes.subarray(at + 4, at + 4 + length)))
    at += 4 + length
  }
  return requests
}

/** Writes both files of a dialect, whose folder exists. Each request follows its length of four bytes. */
export function writeRecording(dialect: string, requests: readonly ExportRequest[], truth: Truth): void {
  const bodies = requests.flatMap((request) => {
    const body = encodeAny(request)
    const length = Buffer.alloc(4)
    length.writeUInt32BE(body.length)
    return [length, body]
  })
  writeFileSync(new URL(requestsFile, recordingUrl(dialect)), gzipSync(Buffer.concat(bodies), { level: 9 }))
  writeFileSync(new URL(truthFile, recordingUrl(dialect)), `${JSON.stringify(truth, null, 2)}\n`)
}

/** Returns the spans of a request, in order. */
export const listSpans = ({ resourceSpans = [] }: ExportRequest): Partial<OtlpSpan>[] =>
  resourceSpans.flatMap(({ scopeSpans = [] }) => scopeSpans.flatMap(({ spans = [] }) => spans))

/** Moves all times by the same amount, in place, so that the last span ends at `endNanos`: the service refuses old spans. */
export function moveTo(requests: readonly ExportRequest[], endNanos: bigint): void {
  const spans = requests.flatMap(listSpans)
  const lastEnd = spans.reduce((last, { endTimeUnixNano: end = '0' }) => (BigInt(end) > last ? BigInt(end) : last), 0n)
  const move = (time: string): string => (BigInt(time) + endNanos - lastEnd).toString()
  for (const span of spans) {
    if (span.startTimeUnixNano !== undefined) span.startTimeUnixNano = move(span.startTimeUnixNano)
    if (span.endTimeUnixNano !== undefined) span.endTimeUnixNano = move(span.endTimeUnixNano)
    for (const event of span.events ?? []) event.timeUnixNano = move(event.timeUnixNano)
  }
}
