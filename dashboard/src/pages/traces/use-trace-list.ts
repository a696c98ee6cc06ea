// The loaded part of the list of traces that the URL selects.
import { useSearch } from '@tanstack/react-router'
import { useMemo } from 'react'
import { api, dataOf, type Schemas } from '../../api/client.ts'
import { type ReadPage, usePinnedList } from '../../list/use-pinned-list.ts'
import type { Search } from '../../window/index.ts'
import { listSearch, readTraceFilters } from './list-search.ts'

export type TraceSummary = Schemas['TraceSummary']

const pageTraces = 50

export function useTraceList(workspaceId: string) {
  const search: Search = useSearch({ strict: false })
  const key = useMemo(() => JSON.stringify(listSearch(search)), [search])
  const { filters } = useMemo(() => readTraceFilters(search), [search])
  const read: ReadPage<TraceSummary> = (bounds, limit, cursor, signal) =>
    dataOf(
      api.GET('/v1/workspaces/{workspace_id}/traces', {
        params: {
          path: { workspace_id: workspaceId },
          query: {
            ...readQuery(filters),
            from_time: bounds.from,
            to_time: bounds.to,
            limit,
            ...(cursor === null ? {} : { cursor }),
          },
        },
        signal,
      }),
    )
  const list = usePinnedList({
    name: 'trace-list',
    workspaceId,
    search: key,
    pageRows: pageTraces,
    isByTime: filters.order_by === undefined || filters.order_by === 'start_time',
    idOf: ({ trace_id: id }) => id,
    read,
  })
  return { ...list, search, peekedId: isTraceId(search.peek) ? search.peek : null }
}

/** Only the form of the id is checked: the trace in the panel can be on a page of the list that is not loaded. */
const isTraceId = (text: string | undefined): text is string => text !== undefined && /^[0-9a-f]{32}$/.test(text)

type Filters = ReturnType<typeof readTraceFilters>['filters']

const readQuery = ({ served, ...filters }: Filters) => ({
  ...filters,
  ...(served === undefined ? {} : { served: served === 'true' }),
})
