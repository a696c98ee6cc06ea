// The filters of spans, as the list and the tail take them.
import { oneOf, readFilters, type Search, textFilter, uuidFilter } from '../window/index.ts'
import { columnsFilter } from './choose-columns.ts'

export const kinds = [
  'llm',
  'embedding',
  'tool',
  'agent',
  'chain',
  'retriever',
  'reranker',
  'guardrail',
  'evaluator',
  'memory',
  'other',
] as const

const traceIdFilter = {
  read: (text: string) => (/^[0-9a-f]{32}$/i.test(text) ? text.toLowerCase() : null),
  expects: '32 hex characters',
}

const readers = {
  agent_id: uuidFilter,
  kind: oneOf(...kinds),
  status: oneOf('ok', 'error'),
  model: textFilter,
  tool_name: textFilter,
  trace_id: traceIdFilter,
}

export const eventFilterNames = Object.keys(readers) as (keyof typeof readers)[]

/** The filters that narrow, the columns, and what of the URL was not followed. */
export function readEventSearch(search: Search) {
  const { filters: all, ignored } = readFilters(search, { ...readers, cols: columnsFilter })
  const { cols, ...filters } = all
  return { filters, cols, ignored }
}
