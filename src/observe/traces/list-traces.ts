// Floor 3. Traces of a window, newest first or by a rank, a page at a time.
import { type Outcome, ok } from '../../base/outcome.ts'
import type { Database } from '../../store/database.ts'
import type { Cursors } from '../../web/page.ts'
import { continuePaging, cut, type Page } from '../page.ts'
import type { GivenWindow } from '../window.ts'
import type { TraceRow } from './trace-shape.ts'

export const traceOrders = ['start_time', 'duration_ms', 'cost_usd'] as const

export type TraceFilters = {
  readonly agent_id?: string | undefined
  readonly session_id?: string | undefined
  readonly status?: 'ok' | 'error' | undefined
  readonly model?: string | undefined
  readonly tool_name?: string | undefined
  readonly min_duration_ms?: number | undefined
  readonly min_cost_usd?: number | undefined
  readonly served?: boolean | undefined
}

export type TracePageQuery = {
  readonly workspaceId: string
  readonly filters: TraceFilters
  readonly window: GivenWindow
  readonly orderBy: (typeof traceOrders)[number]
  readonly limit: number
  readonly cursor: string | undefined
}

type Deps = { readonly db: Database; readonly cursors: Cursors }

type ListedRow = TraceRow & { listed_key: string; snapshot: string }
type RankedRow = TraceRow & { rank_key: string }

/**
 * Where a page ended: the start or rank of its last row, that row's id, and the snapshot of the first page ('' where
 * none is pinned).
 */
type Key = [place: string, traceId: string, snapshot: string]

/**
 * One page. In start order, what was in the window when the first page was read is on exactly one page, even where its
 * start moves meanwhile. Ranks are live: a trace whose rank changes between two pages may be on both or on neither.
 */
export async function listTraces(
  deps: Deps,
  query: TracePageQuery,
): Promise<Outcome<Page<TraceRow>, 'cursor_invalid'>> {
  const scope = {
    route: 'traces',
    workspaceId: query.workspaceId,
    filters: { ...query.filters, order_by: query.orderBy },
  }
  const paging = continuePaging<Key>(deps.cursors, scope, query)
  if (!paging.ok) return paging
  const { window, key, seal } = paging.value
  const common = [query.workspaceId, window.from, window.to, ...bindTraceFilters(query.filters)]
  const traceId = key === null ? null : Buffer.from(key[1], 'hex')

  if (query.orderBy === 'start_time') {
    const values = [...common, key?.[2] ?? null, key?.[0] ?? null, traceId, query.limit + 1]
    const rows = await deps.db.rows<ListedRow>('observe/list-traces', values)
    return ok(cut(rows, query.limit, (last) => seal([last.listed_key, last.trace_id, key?.[2] ?? last.snapshot])))
  }
  const values = [...common, query.orderBy, key?.[0] ?? null, traceId, query.limit + 1]
  const rows = await deps.db.rows<RankedRow>('observe/rank-traces', values)
  return ok(cut(rows, query.limit, (last) => seal([last.rank_key, last.trace_id, ''])))
}

function bindTraceFilters(filters: TraceFilters): unknown[] {
  return [
    filters.agent_id ?? null,
    filters.session_id ?? null,
    filters.status === undefined ? null : filters.status === 'error',
    filters.model ?? null,
    filters.tool_name ?? null,
    filters.min_duration_ms ?? null,
    filters.min_cost_usd ?? null,
    filters.served ?? null,
  ]
}
