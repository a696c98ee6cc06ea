// One decoded request on its way into the database, and what became of its spans.
import type { RejectReason } from '../otlp/reject.ts'
import { listBuffers } from '../otlp/rows/batch-writer.ts'
import type { DecodedBatch } from '../otlp/rows/decode-task.ts'

/** A request's rows, ready for COPY but for the ids of their agents, which the commit writes into them. */
export type Batch = DecodedBatch & {
  readonly workspaceId: string
  /** Spans that decoding rejected, by reason, each with one sentence about an example. */
  readonly rejections: readonly Rejection[]
  /** Null: the workspace has no quota. */
  readonly eventQuota: number | null
  readonly agentCap: number | null
  /** How many new spans the workspace's actor saw room for; null: it was not asked or reached. The database decides. */
  readonly granted: number | null
  /** Where the spans that it repeats were stored: on another timeline of the database they may be lost, and count as nothing. */
  readonly storedOn?: string
}

export type Rejection = { readonly reason: RejectReason; readonly count: number; readonly example: string }

/** Every span of a batch has exactly one outcome: stored + duplicate + droppedQuota + droppedAgentCap + notStorable = rows + repeats. */
export type BatchOutcome = {
  readonly stored: number
  /** Stored before, or more than once among what was sent. */
  readonly duplicate: number
  readonly droppedQuota: number
  readonly droppedAgentCap: number
  /** Rows that PostgreSQL refused for their data, and those that could not be told from them at a bearable cost. */
  readonly notStorable: number
  /** Stored model calls without a price. */
  readonly unpriced: number
  /** The workspace was deleted meanwhile: nothing was stored. */
  readonly workspaceGone: boolean
  /** Of the database that it was committed to; null: nothing was, or pieces of it on several. */
  readonly timeline: string | null
}

/** Bytes that a batch holds while it waits. */
export const batchBytes = (batch: Batch): number =>
  listBuffers(batch).reduce((bytes, buffer) => bytes + buffer.byteLength, 0)

export const rowCount = (batch: Batch): number => batch.offsets.length - 1

/** Gives back the memory of a batch. Nothing of it can be read afterwards. */
export function freeBatch(batch: Batch): void {
  for (const buffer of listBuffers(batch)) buffer.transfer(0)
}
