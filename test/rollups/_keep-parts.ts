// Keeps the parts of a window beyond the moment that they are good for.

import { type Part, type ReadOptions, readRollups } from '../../src/rollups/read.ts'
import type { Database } from '../../src/store/database.ts'

export async function keepParts(
  db: Database,
  workspaceId: string,
  window: { readonly from: Date; readonly to: Date },
  options: ReadOptions,
): Promise<Part[]> {
  const all: Part[] = []
  await readRollups(db, workspaceId, window, options, (part) => {
    if ('bucket' in part) all.push(part)
    else all.push({ ...part, total: Buffer.from(part.total), cells: part.cells && Buffer.from(part.cells) })
  })
  return all
}
