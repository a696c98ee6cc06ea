// The part of the URL that decides which decisions are shown, and how.

import { states } from '../../decisions/lifecycle.ts'
import type { DecisionFilters } from '../../decisions/queries.ts'
import { oneOf, readFilters, type Search, stringifySearch, textFilter, uuidFilter } from '../../window/index.ts'
import { orders } from './sort.ts'

export const views = ['board', 'list'] as const
export type View = (typeof views)[number]

const readers = {
  view: oneOf(...views),
  state: oneOf(...states),
  type: textFilter,
  agent_id: uuidFilter,
  tool_name: textFilter,
  order_by: oneOf(...orders.flatMap((order) => [order, `-${order}` as const])),
}

export const readDecisionSearch = (search: Search) => readFilters(search, readers)

export const filterNames = ['state', 'type', 'agent_id', 'tool_name'] as const

/** The request that gives the list that is shown. */
export function describeAsApi(workspaceId: string, filters: DecisionFilters): string {
  const given = Object.fromEntries(filterNames.map((name) => [name, filters[name]]))
  const url = `${location.origin}/v1/workspaces/${workspaceId}/decisions${stringifySearch(given)}`
  return `curl -s "${url}" -H "authorization: Bearer $TRACEWRIGHT_TOKEN"`
}
