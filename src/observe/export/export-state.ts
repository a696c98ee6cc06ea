// Where an export stands: which events it is of, and the place up to which they were sent.
import type { Database } from '../../store/database.ts'
import { isOfLostHistory, readMark } from '../events/tail-state.ts'

/** The start of an event to the microsecond, its trace id and its span id; the ids are empty where no event was sent yet. */
export type Place = readonly [startKey: string, traceId: string, spanId: string]

/** What a cursor of an export carries, beside the window. */
export type ExportState = {
  /** The snapshot whose events are exported. */
  readonly snapshot: string
  /** The snapshot that an earlier export of the window ended with: its events were sent. */
  readonly sent: string | null
  /** The history of the database that the snapshots belong to. */
  readonly timeline: string | null
  /** The event that was sent last. */
  readonly place: Place | null
  /** All of the snapshot was sent: what goes on is an export of what was committed since. */
  readonly isEnded: boolean
}

/** The export that begins, or goes on, now. Null: the database has lost transactions that the snapshots saw. */
export async function resumeExport(
  db: Database,
  workspaceId: string,
  held: ExportState | null,
): Promise<ExportState | null> {
  const now = await readMark(db, workspaceId)
  if (held !== null && isOfLostHistory(held, now)) return null
  if (held?.isEnded === false) return held
  return { snapshot: now.snapshot, sent: held?.snapshot ?? null, timeline: now.timeline, place: null, isEnded: false }
}
