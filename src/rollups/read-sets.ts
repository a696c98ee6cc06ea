// Which traces, sessions or inputs some spans of time have: by the sets of rows, what is not folded yet, and events where a span
// cuts a minute.
import type { Bucket } from '../measure/bucket.ts'
import type { SetName } from '../measure/sets.ts'
import { hasSets } from '../measure/sets-codec.ts'
import type { Database } from '../store/database.ts'
import { readPieces } from './read.ts'
import type { Span } from './spans.ts'

/** Stored sets as their bytes, which are good until the part has been taken, or a bucket. All that is asked for is known in it. */
export type SetsPart = { readonly startMs: number } & ({ readonly sets: Uint8Array } | { readonly bucket: Bucket })

/**
 * Gives what the spans are made of, in no order; they are in order, and none reaches into another. False where some of it is not known: a
 * release that knows nothing of sets wrote it, or a minute has too many members. From one snapshot. Throws Outage.
 */
export async function readSets(
  db: Database,
  workspaceId: string,
  spans: readonly Span[],
  names: readonly SetName[],
  take: (part: SetsPart) => void,
): Promise<boolean> {
  let isKnown = true
  const isTold = (sets: Buffer): boolean => hasSets(sets, names)
  await readPieces(db, workspaceId, { pieces: spans, columns: 'sets', isTold }, (piece) => {
    const { startMs } = piece
    if ('bucket' in piece) take({ startMs, bucket: piece.bucket })
    else if (piece.total === null) isKnown = false
    else take({ startMs, sets: piece.total })
  })
  return isKnown
}
