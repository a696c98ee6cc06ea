// The request that gives the list that is shown.
import { type Bounds, changeSearch, type Search, stringifySearch } from '../../window/index.ts'
import { listSearch } from './list-search.ts'

export function describeAsApi(workspaceId: string, search: Search, pin: Bounds): string {
  const query = changeSearch(listSearch(search), { range: null, from_time: pin.from, to_time: pin.to })
  const url = `${location.origin}/v1/workspaces/${workspaceId}/traces${stringifySearch(query)}`
  return `curl -s "${url}" -H "authorization: Bearer $TRACEWRIGHT_TOKEN"`
}
