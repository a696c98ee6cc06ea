// Lists the traces of a window, newest first or by a rank, one page at a time.
import { type Outcome, ok } from '../../base/outcome.ts'
import type { Database } from '../../store/database.ts'
import type { Cursors } from '../../web/page.ts'
import { continuePaging, cutPage, type Page } from '../page.ts'
import { type ScanBounds, type ScanStep, scanPage } from '../scan.ts'
import { type GivenWindow, showTimeUs } from '../window.ts'
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

type Deps = { readonly db: Database; readonly cursors: Cursors; readonly nowMs: () => number }

type ListedRow = TraceRow & { listed_key: string; snapshot: string; is_end: boolean }
type RankedRow = TraceRow & { rank_key: string }

/**
 * The end of a page: the start or rank of its last row, the id of that row, and the snapshot of the first page (the empty string if
 * none is pinned).
 */
type Key = readonly [place: string, traceId: string, snapshot: string]

/**
 * Returns one page. In start order, each trace that was in the window when the first page was read is on exactly one page, even if its
 * start moves in the meantime. A limited number of traces is scanned: if few match the filters, a page can be short or empty and still have
 * a cursor. Ranks are live: a trace whose rank changes between two pages may be on both or on neither.
 */
export async function listTraces(
  deps: Deps,
  query: TracePageQuery,
  bounds?: ScanBounds,
): Promise<Outcome<Page<TraceRow>, 'cursor_invalid'>> {
  const scope = {
    route: 'traces',
    workspaceId: query.workspaceId,
    filters: { ...query.filters, order_by: query.orderBy },
  }
  const paging = continuePaging<Key>(deps.cursors, scope, query, deps.nowMs())
  if (!paging.ok) return paging
  const { window, key, seal } = paging.value
  const between = [showTimeUs(window.fromUs), showTimeUs(window.toUs)]
  const common = [query.workspaceId, ...between, ...bindTraceFilters(query.filters)]
  if (query.orderBy === 'start_time') {
    const first: Key = key ?? [await findNewest(deps.db, query, window.toUs), '', '']
    const keyOf = (row: ListedRow): Key => [row.listed_key, row.trace_id, row.snapshot]
    return ok(await scanPage({ limit: query.limit, first, keyOf, look: makeScanStep(deps.db, common), seal }, bounds))
  }
  const traceId = key === null ? null : Buffer.from(key[1], 'hex')
  const values = [...common, query.orderBy, key?.[0] ?? null, traceId, query.limit + 1]
  const rows = await deps.db.rows<RankedRow>('queries/rank-traces', values)
  return ok(cutPage(rows, query.limit, (last) => seal([last.rank_key, last.trace_id, ''])))
}

/**
 * No trace of an agent starts after the agent was last seen. It may start before the agent was first seen, with a span of another agent.
 */
async function findNewest(db: Database, { workspaceId, filters }: TracePageQuery, toUs: number): Promise<string> {
  const { agent_id: agentId } = filters
  const reach =
    agentId === undefined ? null : await db.row<{ last: Date }>('queries/find-agent-reach', [workspaceId, agentId])
  const lastMs = reach === null ? Number.POSITIVE_INFINITY : reach.last.getTime() + 1
  return showTimeUs(Math.min(toUs, lastMs * 1_000))
}

/** Returns a function that scans traces downwards from a position, as the snapshot of the first page saw them. */
const makeScanStep =
  (db: Database, common: readonly unknown[]) =>
  async ([place, traceId, snapshot]: Key, wanted: number, maxScanned: number): Promise<ScanStep<ListedRow, Key>> => {
    const at = [snapshot === '' ? null : snapshot, place, Buffer.from(traceId, 'hex')]
    const seen = await db.rows<ListedRow>('queries/list-traces', [...common, ...at, wanted, maxScanned])
    const rows = seen.map((row) => (snapshot === '' ? row : { ...row, snapshot }))
    const end = rows.findIndex((row) => row.is_end)
    const last = rows[end]
    if (last === undefined) return { rows, next: null, scanned: 0 }
    // Traces that moved may sort below the end of the step: the next step returns them.
    return { rows: rows.slice(0, end), next: [last.listed_key, last.trace_id, last.snapshot], scanned: maxScanned }
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
