// The state of an export: which events it contains, and the position up to which they were sent.
import type { Database } from '../../store/database.ts'
import { isOfLostHistory, readMark } from '../events/tail-state.ts'

/** The start of an event to the microsecond, its trace id and its span id. The ids are empty before the first event is sent. */
export type ExportPosition = readonly [startKey: string, traceId: string, spanId: string]

/** The content of an export cursor, besides the window. */
export type ExportState = {
  /** The snapshot whose events are exported. */
  readonly snapshot: string
  /** The snapshot of an earlier export of the window, whose events were sent; null: none. */
  readonly sent: string | null
  /** The database history (timeline) that the snapshots belong to. */
  readonly timeline: string | null
  /** The last event that was sent. */
  readonly place: ExportPosition | null
  /** All events of the snapshot were sent: the next export contains what was committed since. */
  readonly isEnded: boolean
}

/** Returns the state at which an export starts or resumes. Null: the database has lost transactions that the snapshots saw. */
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
