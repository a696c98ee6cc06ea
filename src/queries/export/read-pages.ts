// Reads the events of an export, oldest first, in pages on demand.
import type { Database } from '../../store/database.ts'
import type { EventDetailRow } from '../events/event-detail-shape.ts'
import { readStartUs } from '../events/list-events.ts'
import { type ExactWindow, showTimeUs } from '../window.ts'
import type { ExportPosition, ExportState } from './export-state.ts'

export type ExportRow = Omit<EventDetailRow, 'body'> & { readonly payload_id: string | null; readonly is_due: boolean }

export type PageQuery = { readonly workspaceId: string; readonly window: ExactWindow; readonly state: ExportState }

const pageRows = 200
const dayUs = 86_400_000_000

/**
 * Each page is one statement; between pages nothing is held in the database. Scans a day of the window at a time, and longer slices after
 * slices with few events: over a long window TimescaleDB would plan every chunk for every page.
 */
export async function* readPages(db: Database, query: PageQuery): AsyncGenerator<readonly ExportRow[]> {
  const { workspaceId, window, state } = query
  let place: ExportPosition = state.place ?? [showTimeUs(window.fromUs), '', '']
  let sliceUs = dayUs
  for (;;) {
    const sliceToUs = Math.min(window.toUs, readStartUs(place) + sliceUs)
    const [startKey, traceId, spanId] = place
    const rows = await db.rows<ExportRow>('queries/export-events', [
      workspaceId,
      startKey,
      showTimeUs(sliceToUs),
      startKey,
      Buffer.from(traceId, 'hex'),
      Buffer.from(spanId, 'hex'),
      state.snapshot,
      state.sent,
      pageRows,
    ])
    yield rows
    const last = rows.at(-1)
    if (rows.length === pageRows && last !== undefined) {
      place = placeOf(last)
    } else {
      if (sliceToUs >= window.toUs) return
      place = [showTimeUs(sliceToUs), '', '']
      sliceUs *= 2
    }
  }
}

export const placeOf = ({ start_key: startKey, trace_id: traceId, span_id: spanId }: ExportRow): ExportPosition => [
  startKey,
  traceId,
  spanId,
]
