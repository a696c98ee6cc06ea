// The data that the main thread and a decode thread exchange: plain data, and buffers that are transferred or shared.

import type { EventColumns } from '../encode/event-columns.ts'
import type { IngestLimits } from '../otlp/intake/limits.ts'
import type { RejectionTally } from '../otlp/intake/rejection-tally.ts'
import type { SharedPrices } from '../pricing/shared-prices.ts'
import type { ContentMode } from '../redact/content-mode.ts'

export type DecodeTask = {
  /** The body as received. Its buffer is transferred to the thread. */
  readonly body: Uint8Array
  readonly encoding: 'protobuf' | 'json'
  readonly gzip: boolean
  readonly nowMs: number
  readonly limits: IngestLimits
  readonly workspaceId: string
  readonly contentMode: ContentMode
  /** The HMAC key of redaction marks. */
  readonly redactionSecret: Uint8Array
  /** The prices of the workspace; null: it has none. */
  readonly prices: SharedPrices | null
}

/** Failures are values: a thrown class would arrive as a plain Error. */
export type DecodeResult = {
  /** CPU time of the thread for the request, which does not depend on how busy the machine was. */
  readonly cpuMs: number
} & (
  | (DecodedBatch & {
      readonly ok: true
      readonly received: number
      readonly rejections: RejectionTally
      /** The subjects of stored results that the tool calls among the rows make out of date; null: too many to list. */
      readonly resultSubjects: readonly number[] | null
      /** The decisions whose rules a held-out call contradicts: it failed, or its result differs from the one that would have been served. */
      readonly contradicted: readonly string[]
      /** For the log: where this service failed on a span because of a bug. */
      readonly bugs: readonly string[]
      /** Spans with the flag `content_withheld`. */
      readonly withheldSpans: number
      readonly durationMs: number
    })
  | { readonly ok: false; readonly code: 'undecodable' | 'too_large' | 'too_many_spans'; readonly detail: string }
)

/** The rows of one request to be stored. All buffers are transferred to the main thread. */
export type DecodedBatch = {
  /** Binary COPY rows of `events`, without header and trailer. The agent ids are still zero. No two rows have the same key. */
  readonly rows: Uint8Array<ArrayBuffer>
  /** The start of each row and the end of the last: one more entry than there are rows. */
  readonly offsets: Uint32Array<ArrayBuffer>
  readonly columns: EventColumns
  /** The number of repeated spans in the request. The first occurrence of each is among the rows. */
  readonly repeats: number
  /** Binary COPY rows of `payload_blocks`. */
  readonly blocks: Uint8Array<ArrayBuffer>
  readonly blockOffsets: Uint32Array<ArrayBuffer>
  /** For each row, the index of the block that it refers to. */
  readonly blockOfRow: Uint32Array<ArrayBuffer>
  /** Binary COPY rows of `tool_results`. */
  readonly results: Uint8Array<ArrayBuffer>
  readonly resultOffsets: Uint32Array<ArrayBuffer>
  /** For each result, the index of its row, in ascending order. */
  readonly resultRows: Uint32Array<ArrayBuffer>
}
