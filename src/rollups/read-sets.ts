// Finds the distinct traces, sessions or inputs of some spans of time: from the sets of rows, from deltas, and from events where a span
// cuts a minute.
import type { Bucket } from '../sketches/bucket.ts'
import type { SetName } from '../sketches/sets.ts'
import { hasSets } from '../sketches/sets-codec.ts'
import type { Database } from '../store/database.ts'
import { readPieces } from './read.ts'
import type { TimeSpan } from './spans.ts'

/** Stored sets as bytes, which are valid until the part has been taken, or a bucket. All requested sets are known in it. */
export type SetsPart = { readonly startMs: number } & ({ readonly sets: Uint8Array } | { readonly bucket: Bucket })

/**
 * Passes the parts of the spans to `take`, in no order. The spans must be in order and must not overlap. Returns false if some of the sets
 * are not known: a release without sets wrote them, or a minute has too many members. From one snapshot. Throws Outage.
 */
export async function readSets(
  db: Database,
  workspaceId: string,
  spans: readonly TimeSpan[],
  names: readonly SetName[],
  take: (part: SetsPart) => void,
): Promise<boolean> {
  let isKnown = true
  const isTold = (sets: Buffer): boolean => hasSets(sets, names)
  await readPieces(db, workspaceId, { pieces: spans, columns: 'sets', hasWantedSets: isTold }, (piece) => {
    const { startMs } = piece
    if ('bucket' in piece) take({ startMs, bucket: piece.bucket })
    else if (piece.total === null) isKnown = false
    else take({ startMs, sets: piece.total })
  })
  return isKnown
}
