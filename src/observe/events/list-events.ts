// Floor 3. Events of a window, newest first, a page at a time.
import { type Outcome, ok } from '../../base/outcome.ts'
import type { Database } from '../../store/database.ts'
import type { Cursors } from '../../web/page.ts'
import { continuePaging, cut, type Page } from '../page.ts'
import type { GivenWindow } from '../window.ts'
import type { EventRow } from './event-shape.ts'

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

/** The start of an event to the microsecond, its trace id and its span id. */
type Key = [startKey: string, traceId: string, spanId: string]

/**
 * One page. What was in the window when the first page was read is on exactly one page, since neither the start nor
 * the ids of a stored event ever change; what arrives meanwhile is listed where it lies below the page.
 */
export async function listEvents(
  deps: Deps,
  query: EventPageQuery,
): Promise<Outcome<Page<EventRow>, 'cursor_invalid'>> {
  const scope = { route: 'events', workspaceId: query.workspaceId, filters: { ...query.filters } }
  const paging = continuePaging<Key>(deps.cursors, scope, query)
  if (!paging.ok) return paging
  const { window, key, seal } = paging.value
  const rows = await deps.db.rows<EventRow>('observe/list-events', [
    query.workspaceId,
    window.from,
    window.to,
    ...bindEventFilters(query.filters),
    key?.[0] ?? null,
    key === null ? null : Buffer.from(key[1], 'hex'),
    key === null ? null : Buffer.from(key[2], 'hex'),
    query.limit + 1,
  ])
  return ok(cut(rows, query.limit, (last) => seal([last.start_key, last.trace_id, last.span_id])))
}

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
