// Encodes a bucket as the columns of a stored row.
import type { Bucket } from './bucket.ts'
import { openWriter, written } from './byte-writer.ts'
import { cellsVersion, encodeCells, layOutCells, mergeCells } from './cells-codec.ts'
import { keepKnown, mergeSets, setsVersion, writeSets } from './sets-codec.ts'
import { encodeTotal, mergeTotal, totalVersion } from './total-codec.ts'

/** `sets` is null if they are unknown: a release without known sets wrote the row, or rows that it was merged from. */
export type RowBytes = { readonly total: Buffer; readonly cells: Buffer; readonly sets: Buffer | null }

/** The newest version of each column that this release reads and writes. Each column begins with its version. */
export const newestVersions = { total: totalVersion, cells: cellsVersion, sets: setsVersion } as const

/** Encodes the bucket of a complete interval. The same bucket gives the same bytes, in whatever order it was added up. */
export function encodeRow(bucket: Bucket): RowBytes {
  const layout = layOutCells(bucket.cells)
  const [total, cells] = [encodeTotal(bucket), encodeCells(bucket, layout)]
  if (bucket.sets.traces === 'unknown') return { total, cells, sets: null }
  const sets = openWriter(2_048)
  writeSets(sets, openWriter(1_024), bucket, layout)
  return { total, cells, sets: written(sets) }
}

/** Adds a row to a bucket. Throws where its bytes are invalid; part of the data may have been added then. */
export function mergeRow(into: Bucket, { total, cells, sets }: RowBytes): void {
  const kept = keepKnown(into, sets)
  mergeTotal(into.total, total, kept)
  const owners = mergeCells(into.cells, cells, kept)
  if (sets !== null) mergeSets(into, sets, kept, owners)
}
