// Floor 1. A bucket as it is stored: the columns of a row.
import type { Bucket } from './bucket.ts'
import { encodeCells, hasEvents, mergeCells } from './cells-codec.ts'
import { countDistinct } from './distinct-estimate.ts'
import { type SetName, setNames } from './members.ts'
import { encodeSet, mergeSet } from './set-codec.ts'
import { encodeTotal, mergeTotal } from './total-codec.ts'

/** An unknown set is null, as all sets of a row are that a release which knows nothing of them wrote. One with too many members is empty. */
export type RowBytes = { readonly total: Buffer; readonly cells: Buffer } & Readonly<Record<SetName, Buffer | null>>

/** For a stretch that is counted to its end. The same bucket gives the same bytes, in whatever order it was added up. */
export function encodeRow(bucket: Bucket): RowBytes {
  const { cells, sets, total } = bucket
  const left = cells.list.filter(hasEvents)
  const [traces, sessions, inputs] = setNames.map((name) => encodeSet(sets, name, left))
  return {
    total: encodeTotal(bucket, typeof sets.traces === 'string' ? countDistinct(total.traces) : sets.traces.size),
    cells: encodeCells(bucket),
    traces: traces ?? null,
    sessions: sessions ?? null,
    inputs: inputs ?? null,
  }
}

/** Adds a row to a bucket. Throws where its bytes are none, having added some of them. */
export function mergeRow(into: Bucket, row: RowBytes): void {
  mergeTotal(into.total, row.total)
  mergeCells(into.cells, row.cells)
  for (const name of setNames) mergeSet(into, name, row[name])
}
