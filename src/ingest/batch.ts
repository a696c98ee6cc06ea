// A decoded request on its way into the database, and the outcome of its spans.

import { listBuffers } from '../decode/batch-writer.ts'
import type { DecodedBatch } from '../decode/decode-task.ts'
import type { RejectReason } from '../otlp/reject.ts'

/** The rows of a request, ready for COPY except for the agent ids, which the commit writes into them. */
export type Batch = DecodedBatch & {
  readonly workspaceId: string
  /** Spans that decoding rejected: one entry per reason, with the number of spans and a sentence about one of them. */
  readonly rejections: readonly RejectionSummary[]
  /** Null: the workspace has no quota. */
  readonly eventQuota: number | null
  readonly agentCap: number | null
  /** Number of new spans that the workspace's actor grants; null: it was not asked or not reached. The database decides. */
  readonly granted: number | null
  /**
   * The database timeline on which the repeated spans were stored. On another timeline they may be lost, and do not count as duplicates.
   */
  readonly storedOn?: string
}

export type RejectionSummary = { readonly reason: RejectReason; readonly count: number; readonly example: string }

/** Each span of a batch has exactly one outcome: stored + duplicate + droppedQuota + droppedAgentCap + notStorable = rows + repeats. */
export type BatchOutcome = {
  readonly stored: number
  /** Spans that were stored before, or that the request contains more than once. */
  readonly duplicate: number
  readonly droppedQuota: number
  readonly droppedAgentCap: number
  /** Rows that PostgreSQL rejected for their data, and rows that could not be separated from these at an acceptable cost. */
  readonly notStorable: number
  /** Stored model calls without a price. */
  readonly unpriced: number
  /** The workspace was deleted in the meantime; nothing was stored. */
  readonly workspaceGone: boolean
  /**
   * The timeline of the database that the batch was committed to; null: nothing was committed, or its slices went to different timelines.
   */
  readonly timeline: string | null
}

/** Bytes that a batch holds in memory while it waits. */
export const batchBytes = (batch: Batch): number =>
  listBuffers(batch).reduce((bytes, buffer) => bytes + buffer.byteLength, 0)

export const rowCount = (batch: Batch): number => batch.offsets.length - 1

/** Releases the memory of a batch. The batch cannot be read afterwards. */
export function freeBatch(batch: Batch): void {
  for (const buffer of listBuffers(batch)) buffer.transfer(0)
}
