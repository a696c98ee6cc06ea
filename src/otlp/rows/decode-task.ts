// Floor 1. What crosses the boundary between the main thread and a decode thread: plain data, and one buffer each way.
import type { IngestLimits } from '../intake/limits.ts'
import type { RejectionTally } from '../intake/rejection-tally.ts'
import type { ContentMode } from '../redact/content-mode.ts'

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
}

/** Failures are values: a thrown class would arrive as a plain Error. */
export type DecodeResult =
  | {
      readonly ok: true
      readonly received: number
      /** Binary COPY rows, without header and trailer; the buffer moves to the main thread. */
      readonly rows: Uint8Array<ArrayBuffer>
      /** Binary COPY rows of the payload blocks that the rows refer to. */
      readonly blocks: Uint8Array<ArrayBuffer>
      /** Start of each row and the end of the last: one more entry than there are rows. */
      readonly offsets: Uint32Array<ArrayBuffer>
      readonly rejections: RejectionTally
      /** Where this service failed on a span that it should have been able to read: for the log. */
      readonly bugs: readonly string[]
      readonly durationMs: number
    }
  | { readonly ok: false; readonly code: 'undecodable' | 'too_large' | 'too_many_spans'; readonly detail: string }
