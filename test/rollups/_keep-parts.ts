// Copies the parts of a window so that they remain valid after the callback.
import type { Digests } from '../../src/rollups/digests.ts'
import { type Part, type ReadOptions, readRollups } from '../../src/rollups/read.ts'
import { openRowMemory } from '../../src/rollups/row-memory.ts'
import { lengthMs } from '../../src/rollups/tiers.ts'
import type { Database } from '../../src/store/database.ts'

export type KeptPart = Part & { readonly isAlone: boolean }

/** With `alone`, rows that are alone between two cuts are reported as such, and without cells only their head is read. */
export async function keepParts(
  db: Database,
  workspaceId: string,
  window: { readonly from: Date; readonly to: Date },
  options: Omit<ReadOptions, 'digests'> & { readonly alone?: boolean },
): Promise<KeptPart[]> {
  const all: KeptPart[] = []
  const memory = openRowMemory({ maxBytes: 1_048_576, onRead: () => undefined })
  type Bytes = { readonly total: Uint8Array; readonly cells: Uint8Array | null }
  const copy = (total: Uint8Array, cells: Uint8Array | null): Bytes => ({
    total: Buffer.from(total),
    cells: cells && Buffer.from(cells),
  })
  const digests: Digests = {
    memory,
    alone: {
      digest: { name: 'bytes', make: copy, bytesOf: () => 1_000 },
      take: (startMs, made, tier) => all.push({ startMs, lengthMs: lengthMs[tier], isAlone: true, ...(made as Bytes) }),
    },
  }
  const { alone = false, ...rest } = options
  await readRollups(db, workspaceId, window, { ...rest, ...(alone ? { digests } : {}) }, (part) => {
    if ('bucket' in part) all.push({ ...part, isAlone: false })
    else all.push({ ...part, isAlone: false, ...copy(part.total, part.cells) })
  })
  return all
}
