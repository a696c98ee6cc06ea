// The search parameters of the URL that select which decisions are shown, and how.

import { states } from '../../decisions/lifecycle.ts'
import { oneOf, readFilters, type Search, textFilter, uuidFilter } from '../../window/index.ts'
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
