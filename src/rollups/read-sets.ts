// Floor 3. Which traces, sessions or inputs some spans of time have: by the sets of rows, what is not folded yet, and events where a span
// cuts a minute.
import type { Cells } from '../measure/cell.ts'
import type { Members, SetName } from '../measure/members.ts'
import type { Database } from '../store/database.ts'
import { readPieces } from './read.ts'
import type { Span } from './spans.ts'

/** A stored set as its bytes, which are good until the part has been taken, or the set of a bucket and its cells. */
export type SetPart = { readonly startMs: number } & (
  | { readonly set: Uint8Array }
  | { readonly members: Members; readonly cells: Cells }
)

/**
 * Gives what the spans are made of, in no order; they are in order, and none reaches into another. False where some of it is unknown: a
 * release that knows nothing of sets wrote it, or a minute has too many members. From one snapshot. Throws Outage.
 */
export async function readSets(
  db: Database,
  workspaceId: string,
  spans: readonly Span[],
  name: SetName,
  take: (part: SetPart) => void,
): Promise<boolean> {
  let isKnown = true
  await readPieces(db, workspaceId, { pieces: spans, columns: name }, (piece) => {
    const { startMs } = piece
    if ('row' in piece) {
      const set = piece.row.total
      if (set === null) isKnown = false
      else take({ startMs, set })
      return
    }
    const members = piece.bucket?.sets[name] ?? 'unknown'
    if (piece.bucket === null || typeof members === 'string') isKnown = false
    else take({ startMs, members, cells: piece.bucket.cells })
  })
  return isKnown
}
