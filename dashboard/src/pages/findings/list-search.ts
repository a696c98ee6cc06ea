// The search parameters of the URL that select the findings of the list and their order.
import { oneOf, readFilters, type Search, textFilter, uuidFilter } from '../../window/index.ts'

/** The default is the first one: highest cost first. */
const orders = ['est_monthly_cost_usd', 'last_seen'] as const
export const severities = ['critical', 'warning', 'info'] as const
export const statuses = ['open', 'acknowledged', 'resolved'] as const

export type Status = (typeof statuses)[number]

const readers = {
  // The default is `open`: these findings need work. The API has no value for all statuses, so `any` exists only in the URL.
  status: oneOf(...statuses, 'any'),
  type: textFilter,
  severity: oneOf(...severities),
  agent_id: uuidFilter,
  tool_name: textFilter,
  order_by: oneOf(...orders),
  finding: uuidFilter,
}

const narrowing = ['type', 'severity', 'agent_id', 'tool_name'] as const

export type FindingQuery = {
  readonly status?: Status
  readonly type?: string
  readonly severity?: (typeof severities)[number]
  readonly agent_id?: string
  readonly tool_name?: string
  readonly order_by: (typeof orders)[number]
}

export const readFindingSearch = (search: Search) => readFilters(search, readers)

type Filters = ReturnType<typeof readFindingSearch>['filters']

/** Converts the filters of the URL to a query of the API. */
export function makeFindingQuery(filters: Filters): FindingQuery {
  const { status = 'open', order_by: order = 'est_monthly_cost_usd' } = filters
  const narrowed = Object.fromEntries(
    narrowing.flatMap((name) => (filters[name] === undefined ? [] : [[name, filters[name]]])),
  )
  return { ...narrowed, ...(status === 'any' ? {} : { status }), order_by: order }
}

/** Returns whether a filter other than the status is set. */
export const isNarrowed = (filters: Filters): boolean => narrowing.some((name) => filters[name] !== undefined)

/** The change of the search parameters that clears all filters but the status. */
export const noFilters: Readonly<Record<string, null>> = Object.fromEntries(narrowing.map((name) => [name, null]))

/** Returns the search parameters of a link to one finding of this list. Links carry the window and the agent automatically. */
export const searchOf = (search: Search, findingId: string | null): Record<string, string | null> => ({
  ...Object.fromEntries(Object.entries(search).filter(([name]) => Object.hasOwn(readers, name))),
  finding: findingId,
})
