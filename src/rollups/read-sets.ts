// Finds the distinct traces, sessions or inputs of some spans of time: from the sets of rows, from deltas, and from events where a span
// cuts a minute.
import type { Bucket } from '../sketches/bucket.ts'
import type { SetName } from '../sketches/sets.ts'
import { hasSets } from '../sketches/sets-codec.ts'
import type { Database } from '../store/database.ts'
import { type Digests, type HeldRow, identifyRows, type RowHolder } from './digests.ts'
import { readPieces } from './read.ts'
import type { RowMemory } from './row-memory.ts'
import type { TimeSpan } from './spans.ts'
import type { Tier } from './tiers.ts'

/** Stored sets as bytes, which are valid until the part has been taken, or a bucket. All requested sets are known in it. */
export type SetsPart = { readonly startMs: number } & ({ readonly sets: Uint8Array } | { readonly bucket: Bucket })

/** A stored row. `sets` is null if they were left out. */
export type HeldSets = HeldRow & { readonly sets: Uint8Array | null }

/** Reads rows that were read before without their bytes. */
export type SetsHolder = Pick<RowHolder, 'name' | 'leavesOut'> & {
  readonly memory: RowMemory
  /** The tiers of the rows that `takeRow` takes. */
  readonly tiers: readonly Tier[]
  readonly takeRow: (row: HeldSets) => void
  /** The sets of a row that is not held were left out, because the transaction that wrote it has written a held row. */
  readonly onLeftOut: () => void
}

/**
 * Passes the parts of the spans to `take`, in no order. The spans must be in order and must not overlap. Returns false if some of the sets
 * are not known: a release without sets wrote them, a minute has too many members, or they were left out. From one snapshot. Throws Outage.
 */
export async function readSets(
  db: Database,
  workspaceId: string,
  spans: readonly TimeSpan[],
  names: readonly SetName[],
  take: (part: SetsPart) => void,
  holder?: SetsHolder,
): Promise<boolean> {
  let isKnown = true
  const hasWantedSets = (sets: Buffer): boolean => hasSets(sets, names)
  const digests = holder === undefined ? {} : { digests: digestsOf(holder) }
  await readPieces(db, workspaceId, { pieces: spans, columns: 'sets', hasWantedSets, ...digests }, (piece) => {
    const { startMs } = piece
    if ('bucket' in piece) take({ startMs, bucket: piece.bucket })
    else if (piece.total === null) {
      isKnown = false
      if (piece.isLeftOut === true) holder?.onLeftOut()
    } else take({ startMs, sets: piece.total })
  })
  return isKnown
}

function digestsOf({ memory, name, tiers, leavesOut, takeRow }: SetsHolder): Digests {
  const each = identifyRows({
    name: `sets ${name}`,
    tiers,
    leavesOut,
    takeRow: (row, bytes) => takeRow({ ...row, sets: bytes?.total ?? null }),
  })
  return { memory, each }
}
