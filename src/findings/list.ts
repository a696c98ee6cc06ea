// Lists the findings of a workspace, a page at a time.
import { type Outcome, ok } from '../base/outcome.ts'
import type { Database } from '../store/database.ts'
import type { Cursors } from '../web/page.ts'
import type { FindingRow } from './finding-shape.ts'

export const findingOrders = ['last_seen', 'est_monthly_cost_usd'] as const

export type FindingFilters = {
  readonly type?: string | undefined
  readonly severity?: string | undefined
  readonly status?: string | undefined
  readonly agent_id?: string | undefined
  readonly tool_name?: string | undefined
}

export type FindingQuery = {
  readonly workspaceId: string
  readonly filters: FindingFilters
  readonly orderBy: (typeof findingOrders)[number]
  readonly limit: number
  readonly cursor: string | undefined
}

export type FindingPage = { readonly rows: readonly FindingRow[]; readonly nextCursor: string | null }

type Deps = { readonly db: Database; readonly cursors: Cursors }
type RankedRow = FindingRow & { rank_key: string }

/** The rank of the last row, and its id. */
type Key = [rankKey: string, id: string]

/** Returns one page. The list is live: a finding that is seen again, or priced again, between two pages moves up. */
export async function listFindings(deps: Deps, query: FindingQuery): Promise<Outcome<FindingPage, 'cursor_invalid'>> {
  const { workspaceId, filters, orderBy, limit, cursor } = query
  const scope = { route: 'findings', workspaceId, filters: { ...filters, order_by: orderBy } }
  const opened = cursor === undefined ? null : deps.cursors.open<Key>(scope, cursor)
  if (opened?.ok === false) return opened
  const [rankKey, id] = opened?.value.state ?? [null, null]
  const statement = orderBy === 'last_seen' ? 'findings/list' : 'findings/list-by-cost'
  const rows = await deps.db.rows<RankedRow>(statement, [workspaceId, ...bindFilters(filters), rankKey, id, limit + 1])
  const page = rows.slice(0, limit)
  const last = page.at(-1)
  if (rows.length <= limit || last === undefined) return ok({ rows: page, nextCursor: null })
  const nextCursor = deps.cursors.seal(scope, [last.rank_key, last.id] satisfies Key, opened?.value.firstReadMs)
  return ok({ rows: page, nextCursor })
}

const bindFilters = (filters: FindingFilters): unknown[] => [
  filters.type ?? null,
  filters.severity ?? null,
  filters.status ?? null,
  filters.agent_id ?? null,
  filters.tool_name ?? null,
]
