// Floor 3. One decoded request on its way into the database, and what became of its spans.
import type { RejectReason } from '../otlp/reject.ts'

/** A request's rows, ready for COPY. The rows are not touched again but for the request's number in each. */
export type Batch = {
  readonly workspaceId: string
  readonly rows: Uint8Array
  /** The payload blocks that the rows refer to, ready for COPY. */
  readonly blocks: Uint8Array
  /** Start of each row in `rows`, and the end of the last: one more entry than there are rows. */
  readonly offsets: Uint32Array
  /** Spans that decoding rejected, by reason, each with one sentence about an example. */
  readonly rejections: readonly { readonly reason: RejectReason; readonly count: number; readonly example: string }[]
  /** Null: the workspace has no quota. */
  readonly eventQuota: number | null
  readonly agentCap: number | null
  /** How many new spans the workspace's actor saw room for; null: it was not asked or reached. The database decides. */
  readonly granted: number | null
}

/** Every span of a batch has exactly one outcome: stored + duplicate + droppedQuota + droppedAgentCap + notStorable = rows. */
export type BatchOutcome = {
  readonly stored: number
  readonly duplicate: number
  readonly droppedQuota: number
  readonly droppedAgentCap: number
  /** Rows that PostgreSQL refused for their data. */
  readonly notStorable: number
  /** Stored model calls without a price. */
  readonly unpriced: number
  /** The workspace was deleted meanwhile: nothing was stored. */
  readonly workspaceGone: boolean
}

/** Bytes that a batch holds while it waits. */
export const batchBytes = (batch: Batch): number => batch.rows.byteLength + batch.blocks.byteLength

export const rowCount = (batch: Batch): number => batch.offsets.length - 1
