// The search parameters of the URL that select the traces of a list and their order.
import {
  oneOf,
  positiveFilter,
  readFilters,
  type Search,
  textFilter,
  uuidFilter,
  windowNames,
} from '../../window/index.ts'

const orders = ['start_time', 'duration_ms', 'cost_usd'] as const

const readers = {
  agent_id: uuidFilter,
  session_id: textFilter,
  status: oneOf('ok', 'error'),
  model: textFilter,
  tool_name: textFilter,
  min_duration_ms: positiveFilter,
  min_cost_usd: positiveFilter,
  served: oneOf('true', 'false'),
  order_by: oneOf(...orders),
}

/** The names of the filters on the page. */
export const filterLabels: Readonly<Record<string, string>> = {
  agent_id: 'agent',
  session_id: 'session',
  status: 'status',
  model: 'model',
  tool_name: 'tool',
  min_duration_ms: 'duration',
  min_cost_usd: 'cost',
  served: 'served calls',
}

export const filterNames = Object.keys(readers).filter((name) => name !== 'order_by') as Exclude<
  keyof typeof readers,
  'order_by'
>[]

export const readTraceFilters = (search: Search) => readFilters(search, readers)

/** Returns the valid filters and the order as the list requests them. */
export const filterQuery = (search: Search): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(readTraceFilters(search).filters).map(([name, value]) => [name, String(value)]))

/** Returns the search parameters that a link to a trace carries, so that its page can find the neighbours of the trace. */
export const listSearch = (search: Search): Search =>
  Object.fromEntries(
    Object.entries(search).filter(([name]) => Object.hasOwn(readers, name) || windowNames.includes(name)),
  )

/** Returns the names of the active filters besides the window. A filter with an invalid value is not active. */
export function activeFilters(search: Search): string[] {
  const { filters } = readTraceFilters(search)
  return filterNames.filter((name) => filters[name] !== undefined)
}
