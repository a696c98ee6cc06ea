// The part of the URL that decides which traces a list holds and in which order.
import { oneOf, positiveFilter, readFilters, type Search, textFilter, uuidFilter } from '../../window/index.ts'

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

const windowNames = ['range', 'from_time', 'to_time'] as const
export const filterNames = Object.keys(readers).filter((name) => name !== 'order_by') as Exclude<
  keyof typeof readers,
  'order_by'
>[]

export const readTraceFilters = (search: Search) => readFilters(search, readers)

/** What a link to a trace takes along, so that the trace knows its neighbours. */
export const listSearch = (search: Search): Search =>
  Object.fromEntries(
    Object.entries(search).filter(
      ([name]) => Object.hasOwn(readers, name) || windowNames.some((each) => each === name),
    ),
  )

/** The filters that narrow the list beyond its window. What the list cannot read narrows nothing. */
export function activeFilters(search: Search): string[] {
  const { filters } = readTraceFilters(search)
  return filterNames.filter((name) => filters[name] !== undefined)
}
