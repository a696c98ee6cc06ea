// Floor 3. One event with its payload.
import { type Outcome, ok, refuse } from '../../base/outcome.ts'
import type { Database } from '../../store/database.ts'
import type { EventDetailRow } from './event-detail-shape.ts'
import { readPayload, type StoredPayload } from './read-payload.ts'

type EventKey = { readonly workspaceId: string; readonly traceId: string; readonly spanId: string }

/** The event of these ids (in hex), or `absent`. */
export async function findEvent(
  deps: { readonly db: Database },
  { workspaceId, traceId, spanId }: EventKey,
): Promise<Outcome<{ row: EventDetailRow; stored: StoredPayload }, 'absent'>> {
  const values = [workspaceId, Buffer.from(traceId, 'hex'), Buffer.from(spanId, 'hex')]
  const row = await deps.db.row<EventDetailRow>('observe/find-event', values)
  return row === null ? refuse('absent') : ok({ row, stored: await readPayload(row.body, row.payload_no) })
}
