// What crosses the boundary between the main thread and a decode thread: plain data, and buffers that move or are shared.
import type { SharedPrices } from '../../pricing/shared-prices.ts'
import type { IngestLimits } from '../intake/limits.ts'
import type { RejectionTally } from '../intake/rejection-tally.ts'
import type { ContentMode } from '../redact/content-mode.ts'
import type { EventColumns } from './event-columns.ts'

export type DecodeTask = {
  /** The body as received; its buffer moves to the thread. */
  readonly body: Uint8Array
  readonly encoding: 'protobuf' | 'json'
  readonly gzip: boolean
  readonly nowMs: number
  readonly limits: IngestLimits
  readonly workspaceId: string
  readonly contentMode: ContentMode
  /** HMAC key of redaction marks. */
  readonly redactionSecret: Uint8Array
  /** The workspace's own prices; null: it has none. */
  readonly prices: SharedPrices | null
}

/** Failures are values: a thrown class would arrive as a plain Error. */
export type DecodeResult = {
  /** CPU time of the thread: what the request has cost, however busy the machine was. */
  readonly cpuMs: number
} & (
  | (DecodedBatch & {
      readonly ok: true
      readonly received: number
      readonly rejections: RejectionTally
      /** What the tool results among the rows are results of; null: too many to tell. */
      readonly resultSubjects: readonly number[] | null
      /** Rules, by their decisions, that a held-out call contradicts: it failed, or gave another result than would have been served. */
      readonly contradicted: readonly string[]
      /** Where this service failed on a span that it should have been able to read: for the log. */
      readonly bugs: readonly string[]
      /** Spans with the flag `content_withheld`. */
      readonly withheldSpans: number
      readonly durationMs: number
    })
  | { readonly ok: false; readonly code: 'undecodable' | 'too_large' | 'too_many_spans'; readonly detail: string }
)

/** What is to be stored of one request. All buffers move to the main thread. */
export type DecodedBatch = {
  /** Binary COPY rows of `events`, without header and trailer; the agents' ids are still zero. No two have the same key. */
  readonly rows: Uint8Array<ArrayBuffer>
  /** Start of each row and the end of the last: one more entry than there are rows. */
  readonly offsets: Uint32Array<ArrayBuffer>
  readonly columns: EventColumns
  /** Spans that came more than once in the request; the first is among the rows. */
  readonly repeats: number
  /** Binary COPY rows of `payload_blocks`. */
  readonly blocks: Uint8Array<ArrayBuffer>
  readonly blockOffsets: Uint32Array<ArrayBuffer>
  /** The place, among the blocks, of the one that a row refers to. */
  readonly blockOfRow: Uint32Array<ArrayBuffer>
  /** Binary COPY rows of `tool_results`. */
  readonly results: Uint8Array<ArrayBuffer>
  readonly resultOffsets: Uint32Array<ArrayBuffer>
  /** The row that a result belongs to, in rising order. */
  readonly resultRows: Uint32Array<ArrayBuffer>
}
