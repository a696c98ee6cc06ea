// The filters of spans in the list and in the live tail.
import type { Schemas } from '../api/client.ts'
import { oneOf, readFilters, type Search, textFilter, uuidFilter } from '../window/index.ts'
import { columnsFilter } from './choose-columns.ts'

type Kind = Schemas['Event']['kind']

// The order in which the filter offers the kinds. The compiler rejects a kind of the API that is missing here, and one that the API lacks.
const places = {
  llm: 0,
  embedding: 1,
  tool: 2,
  agent: 3,
  chain: 4,
  retriever: 5,
  reranker: 6,
  guardrail: 7,
  evaluator: 8,
  memory: 9,
  other: 10,
} satisfies Readonly<Record<Kind, number>>
export const kinds = Object.keys(places) as readonly Kind[]

export const traceIdFilter = {
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

/** Returns the filters, the columns, and the parameters of the URL that were ignored. */
export function readEventSearch(search: Search) {
  const { filters: all, ignored } = readFilters(search, { ...readers, cols: columnsFilter })
  const { cols, ...filters } = all
  return { filters, cols, ignored }
}
