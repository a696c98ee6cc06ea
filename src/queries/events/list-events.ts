// Lists the events of a window, newest first, one page at a time.
import { type Outcome, ok } from '../../base/outcome.ts'
import type { Database } from '../../store/database.ts'
import type { Cursors } from '../../web/page.ts'
import { continuePaging, type Page } from '../page.ts'
import { type ScanBounds, type ScanStep, scanPage } from '../scan.ts'
import { type ExactWindow, type GivenWindow, showTimeUs } from '../window.ts'
import type { SelectedEvent } from './event-shape.ts'
import { narrowWindow } from './narrow-window.ts'

/** Filters of an event list; ids in hex. */
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

type Deps = { readonly db: Database; readonly cursors: Cursors; readonly nowMs: () => number }

/** The start of an event to the microsecond, its trace id and its span id. At the end of a slice the ids are empty. */
type Key = readonly [startKey: string, traceId: string, spanId: string]

type ListedRow = SelectedEvent & { is_end: boolean }

const keyOf = (row: SelectedEvent): Key => [row.start_key, row.trace_id, row.span_id]

/**
 * Returns one page. Each event that was in the window when the first page was read is on exactly one page, since the start and the ids of a
 * stored event never change; events that arrive in the meantime are listed if they sort below the page. Scans a limited number of events:
 * if few of them match the filters, a page can be short or empty and still have a cursor.
 */
export async function listEvents(
  deps: Deps,
  query: EventPageQuery,
  bounds?: ScanBounds,
): Promise<Outcome<Page<SelectedEvent>, 'cursor_invalid'>> {
  const scope = { route: 'events', workspaceId: query.workspaceId, filters: { ...query.filters } }
  const paging = continuePaging<Key>(deps.cursors, scope, query, deps.nowMs())
  if (!paging.ok) return paging
  const { key, seal } = paging.value
  const window = await narrowWindow(deps.db, query, paging.value.window)
  if (window === null || window.toUs <= firstUs) return ok({ rows: [], nextCursor: null })
  const end: Key = [showTimeUs(window.toUs), '', '']
  const first = key === null || readStartUs(key) > window.toUs ? end : key
  return ok(
    await scanPage({ limit: query.limit, first, keyOf, look: makeScanStep(deps.db, query, window), seal }, bounds),
  )
}

const dayUs = 86_400_000_000
/** No span starts before 1970. */
const firstUs = 0

/**
 * Returns a function that scans one slice of the window: first the day below the position, then slices of twice the length each time. For a
 * scan of a whole long window TimescaleDB would plan every chunk, though the newest day nearly always fills the page.
 */
function makeScanStep(db: Database, { workspaceId, filters }: EventPageQuery, window: ExactWindow) {
  let sliceUs = dayUs
  const windowFromUs = Math.max(window.fromUs, firstUs)
  return async (from: Key, wanted: number, maxScanned: number): Promise<ScanStep<SelectedEvent, Key>> => {
    const sliceFromUs = Math.max(windowFromUs, readStartUs(from) - sliceUs)
    const seen = await db.rows<ListedRow>('queries/list-events', [
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

/** Returns the start in microseconds, cut to the millisecond. The text is from PostgreSQL, in a session with UTC, or from `showTimeUs`. */
export const readStartUs = ([startKey]: Key): number =>
  Date.parse(startKey.replace(' ', 'T').replace(/\+00$/, 'Z')) * 1_000

/** Returns the six filter parameters, in the order that all statements over events expect. */
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
