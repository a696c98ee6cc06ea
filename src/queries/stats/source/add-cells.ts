// Adds the cells of a part of a window to the aggregates of a pass.

import type { Bucket } from '../../../sketches/bucket.ts'
import { openReader } from '../../../sketches/byte-reader.ts'
import { mergeSums } from '../../../sketches/cell.ts'
import { readCells } from '../../../sketches/cells-codec.ts'
import { mergeDistinct } from '../../../sketches/distinct.ts'
import type { CellPass } from './source.ts'

type CellsPart = { readonly startMs: number } & ({ readonly cells: Uint8Array | null } | { readonly bucket: Bucket })

export function addCells(part: CellsPart, { parts, cellTallyOf, sessionsFor }: CellPass): void {
  if (!('bucket' in part)) {
    if (part.cells === null) throw new Error('the rollup lacks the requested cells')
    readCells(openReader(part.cells), parts, (key) => cellTallyOf(part.startMs, key), sessionsFor)
    return
  }
  for (const cell of part.bucket.cells.list) {
    const aggregate = cellTallyOf(part.startMs, cell)
    if (aggregate !== null) mergeSums(aggregate, cell)
  }
  for (const [agentId, sessions] of part.bucket.cells.sessions) {
    const into = sessionsFor(agentId)
    if (into !== null) mergeDistinct(into, sessions)
  }
}
