// A bucket as it is stored: the columns of a row.
import type { Bucket } from './bucket.ts'
import { openWriter, written } from './byte-writer.ts'
import { cellsVersion, encodeCells, layOutCells, mergeCells } from './cells-codec.ts'
import { keepKnown, mergeSets, setsVersion, writeSets } from './sets-codec.ts'
import { encodeTotal, mergeTotal, totalVersion } from './total-codec.ts'

/** Sets are null where they are not known: a release that knows nothing of them wrote the row, or what it was made of. */
export type RowBytes = { readonly total: Buffer; readonly cells: Buffer; readonly sets: Buffer | null }

/** The newest that this release reads and writes; each column begins with its version. */
export const newestVersions = { total: totalVersion, cells: cellsVersion, sets: setsVersion } as const

/** For a stretch that is counted to its end. The same bucket gives the same bytes, in whatever order it was added up. */
export function encodeRow(bucket: Bucket): RowBytes {
  const layout = layOutCells(bucket.cells)
  const [total, cells] = [encodeTotal(bucket), encodeCells(bucket, layout)]
  if (bucket.sets.traces === 'unknown') return { total, cells, sets: null }
  const sets = openWriter(2_048)
  writeSets(sets, openWriter(1_024), bucket, layout)
  return { total, cells, sets: written(sets) }
}

/** Adds a row to a bucket. Throws where its bytes are none, having added some of them. */
export function mergeRow(into: Bucket, { total, cells, sets }: RowBytes): void {
  const kept = keepKnown(into, sets)
  mergeTotal(into.total, total, kept)
  const owners = mergeCells(into.cells, cells, kept)
  if (sets !== null) mergeSets(into, sets, kept, owners)
}
