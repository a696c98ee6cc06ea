// The rows of a batch that one transaction is about: all of them, or a part where a bad row is being looked for.
import type { Batch, Rejection } from '../batch.ts'
import { rowCount } from '../batch.ts'

export type Piece = {
  readonly batch: Batch
  /** The first row, and the one behind the last. */
  readonly from: number
  readonly to: number
  /** Recorded together with this piece. */
  readonly rejections: readonly Rejection[]
  /** Spans that decoding found more than once; told with this piece. */
  readonly repeats: number
  /** Blocks that an earlier piece of the same batch has stored. */
  readonly storedBlocks: Set<number>
}

/** A piece in one transaction: what becomes of each row, by its number in the batch. */
export type Work = Piece & { readonly fates: Uint8Array }

/** `…Again`: it was dropped before, and the month has counted it already. */
export const fates = { kept: 0, duplicate: 1, overCap: 2, overQuota: 3, overCapAgain: 4, overQuotaAgain: 5 } as const

export const openWork = (piece: Piece): Work => ({ ...piece, fates: new Uint8Array(rowCount(piece.batch)) })

export const wholeBatch = (batch: Batch): Piece => ({
  batch,
  from: 0,
  to: rowCount(batch),
  rejections: batch.rejections,
  repeats: batch.repeats,
  storedBlocks: new Set(),
})

/** What is not about single rows stays with the first half, so that it counts once. */
export function halve(piece: Piece): [Piece, Piece] {
  const middle = (piece.from + piece.to) >> 1
  return [
    { ...piece, to: middle },
    { ...piece, from: middle, rejections: [], repeats: 0 },
  ]
}

/** Calls back with the number of every row that is to be stored, in order. */
export function eachKept(work: Work, visit: (row: number) => void): void {
  for (let row = work.from; row < work.to; row++) if (work.fates[row] === fates.kept) visit(row)
}
