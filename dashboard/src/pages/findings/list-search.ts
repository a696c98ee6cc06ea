// The part of the URL that decides which findings the list holds and in which order.
import { oneOf, readFilters, type Search, textFilter, uuidFilter } from '../../window/index.ts'

/** Dearest first unless the URL says otherwise. */
const orders = ['est_monthly_cost_usd', 'last_seen'] as const
export const severities = ['critical', 'warning', 'info'] as const
export const statuses = ['open', 'acknowledged', 'resolved'] as const

export type Status = (typeof statuses)[number]

const readers = {
  // What is open is what needs work: the list begins with it, and the interface knows no name for all of them.
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

/** What is asked of the interface for what the URL says. */
export function makeFindingQuery(filters: Filters): FindingQuery {
  const { status = 'open', order_by: order = 'est_monthly_cost_usd' } = filters
  const narrowed = Object.fromEntries(
    narrowing.flatMap((name) => (filters[name] === undefined ? [] : [[name, filters[name]]])),
  )
  return { ...narrowed, ...(status === 'any' ? {} : { status }), order_by: order }
}

/** Whether anything but the status narrows the list. */
export const isNarrowed = (filters: Filters): boolean => narrowing.some((name) => filters[name] !== undefined)

/** Takes away what narrows the list. */
export const noFilters: Readonly<Record<string, null>> = Object.fromEntries(narrowing.map((name) => [name, null]))

/** The search of a link to one finding of this list: the window and the agent travel by themselves. */
export const searchOf = (search: Search, findingId: string | null): Record<string, string | null> => ({
  ...Object.fromEntries(Object.entries(search).filter(([name]) => Object.hasOwn(readers, name))),
  finding: findingId,
})
