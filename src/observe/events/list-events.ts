// Events of a window, newest first, a page at a time.
import { type Outcome, ok } from '../../base/outcome.ts'
import type { Database } from '../../store/database.ts'
import type { Cursors } from '../../web/page.ts'
import { continuePaging, type Page } from '../page.ts'
import { type Look, type ScanBounds, scanPage } from '../scan.ts'
import { type ExactWindow, type GivenWindow, showTimeUs } from '../window.ts'
import type { EventRow } from './event-shape.ts'
import { narrowWindow } from './narrow-window.ts'

/** What events may be narrowed to; ids in hex. */
export type EventFilters = {
  readonly agent_id?: string | undefined
  readonly trace_id?: string | undefined
  readonly kind?: string | undefined
  readonly status?: string | undefined
  readonly model?: string | undefined
  readonly tool_name?: string | undefined
}

export type EventPageQuery = {
  readonly workspaceId: string
  readonly filters: EventFilters
  readonly window: GivenWindow
  readonly limit: number
  readonly cursor: string | undefined
}

type Deps = { readonly db: Database; readonly cursors: Cursors }

/** The start of an event to the microsecond, its trace id and its span id; the ids are empty at the end of a slice. */
type Key = readonly [startKey: string, traceId: string, spanId: string]

type ListedRow = EventRow & { is_end: boolean }

const keyOf = (row: EventRow): Key => [row.start_key, row.trace_id, row.span_id]

/**
 * One page. What was in the window when the first page was read is on exactly one page, since neither the start nor
 * the ids of a stored event ever change; what arrives meanwhile is listed where it lies below the page. Looks at a bounded
 * number of events: where the filters match rarely, a page is short or empty and has a cursor all the same.
 */
export async function listEvents(
  deps: Deps,
  query: EventPageQuery,
  bounds?: ScanBounds,
): Promise<Outcome<Page<EventRow>, 'cursor_invalid'>> {
  const scope = { route: 'events', workspaceId: query.workspaceId, filters: { ...query.filters } }
  const paging = continuePaging<Key>(deps.cursors, scope, query)
  if (!paging.ok) return paging
  const { key, seal } = paging.value
  const window = await narrowWindow(deps.db, query, paging.value.window)
  if (window === null || window.toUs <= firstUs) return ok({ rows: [], nextCursor: null })
  const end: Key = [showTimeUs(window.toUs), '', '']
  const first = key === null || readStartUs(key) > window.toUs ? end : key
  return ok(await scanPage({ limit: query.limit, first, keyOf, look: makeLook(deps.db, query, window), seal }, bounds))
}

const dayUs = 86_400_000_000
/** No span starts before 1970. */
const firstUs = 0

/**
 * Looks at a slice of the window: the day below the place, then ever longer ones. A look at all of a long window would have
 * TimescaleDB plan each of its chunks, though the newest day nearly always fills the page.
 */
function makeLook(db: Database, { workspaceId, filters }: EventPageQuery, window: ExactWindow) {
  let sliceUs = dayUs
  const windowFromUs = Math.max(window.fromUs, firstUs)
  return async (from: Key, wanted: number, maxScanned: number): Promise<Look<EventRow, Key>> => {
    const sliceFromUs = Math.max(windowFromUs, readStartUs(from) - sliceUs)
    const seen = await db.rows<ListedRow>('observe/list-events', [
      workspaceId,
      showTimeUs(sliceFromUs),
      from[0],
      Buffer.from(from[1], 'hex'),
      Buffer.from(from[2], 'hex'),
      ...bindEventFilters(filters),
      maxScanned,
      wanted,
    ])
    const last = seen.at(-1)
    if (last?.is_end === true) return { rows: seen.slice(0, -1), next: keyOf(last), scanned: maxScanned }
    sliceUs *= 2
    const isWhole = sliceFromUs <= windowFromUs
    return { rows: seen, next: isWhole ? null : [showTimeUs(sliceFromUs), '', ''], scanned: 0 }
  }
}

/** Cut to the millisecond. The text is PostgreSQL's, of a session in UTC, or ours. */
export const readStartUs = ([startKey]: Key): number =>
  Date.parse(startKey.replace(' ', 'T').replace(/\+00$/, 'Z')) * 1_000

/** The six parameters of the filters, in the order that every statement over events takes them. */
export function bindEventFilters(filters: EventFilters): unknown[] {
  return [
    filters.agent_id ?? null,
    filters.trace_id === undefined ? null : Buffer.from(filters.trace_id, 'hex'),
    filters.kind ?? null,
    filters.status ?? null,
    filters.model ?? null,
    filters.tool_name ?? null,
  ]
}
