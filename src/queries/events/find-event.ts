// Finds one event with its payload. Each step narrows the time range of the next one, so that of events stored in chunks only the chunks
// of that range are opened.
import { type Outcome, ok, refuse } from '../../base/outcome.ts'
import type { Database } from '../../store/database.ts'
import type { EventDetailRow } from './event-detail-shape.ts'
import type { SelectedEvent } from './event-shape.ts'
import { cover, readTraceReach } from './narrow-window.ts'
import { readPayload, type StoredPayload } from './read-payload.ts'

type EventKey = {
  readonly workspaceId: string
  readonly traceId: string
  readonly spanId: string
  /** Unix microseconds; null: the earliest of the spans with this id. */
  readonly startUs: number | null
}

type FoundRow = SelectedEvent & { payload_id: string | null; payload_no: number | null; key_id: string | null }
type Stored = { readonly body: Buffer | null; readonly ciphertext_bytes: number | null }

// The other spans of the block were received in the same request, and nearly always start within a day.
const nearMs = 86_400_000
const never = 'infinity'

/** Returns the event with these ids (in hex). Refuses with `absent`. */
export async function findEvent(
  { db }: { readonly db: Database },
  { workspaceId, traceId, spanId, startUs }: EventKey,
): Promise<Outcome<{ row: EventDetailRow; stored: StoredPayload }, 'absent'>> {
  const reach = await readTraceReach(db, workspaceId, traceId)
  if (reach === null) return refuse('absent')
  const { from, to } = cover(reach)
  const ids = [Buffer.from(traceId, 'hex'), Buffer.from(spanId, 'hex')]
  const found = await db.row<FoundRow>('queries/find-event', [workspaceId, ...ids, from, to, startUs])
  if (found === null) return refuse('absent')
  const { payload_id: payloadId, ...event } = found
  const read = async (until: Date | string): Promise<Stored | null> =>
    await db.row<Stored>('queries/find-payload', [workspaceId, payloadId, event.start_key, until, ...ids])
  const near = await read(new Date(event.start_time.getTime() + nearMs))
  const stored = payloadId !== null && (near?.body ?? null) === null ? await read(never) : near
  const row = { ...event, body: stored?.body ?? null, ciphertext_bytes: stored?.ciphertext_bytes ?? null }
  return ok({ row, stored: await readPayload(row.body, row.payload_no) })
}
