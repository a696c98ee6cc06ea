// The rows of a batch that one transaction stores: all of them, or a part while a bad row is being searched for.
import type { Batch, RejectionSummary } from '../batch.ts'
import { rowCount } from '../batch.ts'

export type BatchSlice = {
  readonly batch: Batch
  /** Index of the first row. `to` is the index after the last row. */
  readonly from: number
  readonly to: number
  /** Recorded together with this slice. */
  readonly rejections: readonly RejectionSummary[]
  /** Number of spans that decoding found more than once; reported with this slice. */
  readonly repeats: number
  /** Blocks that an earlier slice of the same batch has stored. */
  readonly storedBlocks: Set<number>
}

/** A slice in one transaction, with the status of each row by its index in the batch. */
export type Work = BatchSlice & { readonly rowStatuses: Uint8Array }

/** `…Again`: the span was dropped before, and the month has already counted it. */
export const rowStatus = {
  kept: 0,
  duplicate: 1,
  overCap: 2,
  overQuota: 3,
  overCapAgain: 4,
  overQuotaAgain: 5,
} as const

export const openWork = (slice: BatchSlice): Work => ({ ...slice, rowStatuses: new Uint8Array(rowCount(slice.batch)) })

export const wholeBatch = (batch: Batch): BatchSlice => ({
  batch,
  from: 0,
  to: rowCount(batch),
  rejections: batch.rejections,
  repeats: batch.repeats,
  storedBlocks: new Set(),
})

/** Splits a slice. What does not concern single rows stays with the first half, so that it counts once. */
export function halve(slice: BatchSlice): [BatchSlice, BatchSlice] {
  const middle = (slice.from + slice.to) >> 1
  return [
    { ...slice, to: middle },
    { ...slice, from: middle, rejections: [], repeats: 0 },
  ]
}

/** Calls `visit` with the index of each row that is to be stored, in order. */
export function eachKept(work: Work, visit: (row: number) => void): void {
  for (let row = work.from; row < work.to; row++) if (work.rowStatuses[row] === rowStatus.kept) visit(row)
}
