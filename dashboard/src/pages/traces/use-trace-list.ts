// The list of traces that the URL describes, as far as it is loaded. Its window is pinned when it is first read, so that rows do
// not jump; what came since is counted, and shown when somebody asks for it.
import { useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import { useMemo } from 'react'
import { api, dataOf, type Schemas } from '../../api/client.ts'
import { usePageWindow } from '../../app/page-window.tsx'
import type { Bounds, Search } from '../../window/index.ts'
import { listSearch, readTraceFilters } from './list-search.ts'

export type TraceSummary = Schemas['TraceSummary']

const pageTraces = 50
/** The most that one answer holds: of more new traces it is only said that there are more. */
export const maxNew = 200

export function useTraceList(workspaceId: string) {
  const search: Search = useSearch({ strict: false })
  const client = useQueryClient()
  const { window } = usePageWindow()
  const key = useMemo(() => JSON.stringify(listSearch(search)), [search])
  const { filters } = useMemo(() => readTraceFilters(search), [search])

  const pinKey = ['trace-list-window', workspaceId, key]
  const { data: pin } = useQuery<Bounds>({
    queryKey: pinKey,
    queryFn: () => ({ from: window.from, to: window.to }),
    initialData: () => ({ from: window.from, to: window.to }),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: Number.POSITIVE_INFINITY,
  })

  const read = (bounds: Bounds, limit: number, cursor: string | null, signal: AbortSignal) =>
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

  const query = useInfiniteQuery({
    queryKey: ['trace-list', workspaceId, key, pin],
    queryFn: ({ pageParam, signal }) => read(pin, pageTraces, pageParam, signal),
    initialPageParam: null as string | null,
    getNextPageParam: ({ next_cursor: next }) => next,
    staleTime: Number.POSITIVE_INFINITY,
    placeholderData: (before) => before,
  })
  const isMoving = window.preset !== null && window.to > pin.to
  const fresh = useQuery({
    queryKey: ['trace-list-new', workspaceId, key, pin.to, window.to],
    queryFn: ({ signal }) => read({ from: pin.to, to: window.to }, maxNew, null, signal),
    enabled: isMoving && query.isSuccess,
    placeholderData: (before) => before,
  })
  const items = useMemo(() => query.data?.pages.flatMap((page) => page.items) ?? [], [query.data])
  return {
    query,
    items,
    search,
    pin,
    newCount: isMoving ? (fresh.data?.items.length ?? 0) : 0,
    /** Takes the window as it is now. */
    renew: () => client.setQueryData(pinKey, { from: window.from, to: window.to }),
    /** Loads the next page; gives all rows that are loaded then. */
    loadMore: async (): Promise<readonly TraceSummary[]> => {
      if (!query.hasNextPage) return items
      const { data } = await query.fetchNextPage()
      return data?.pages.flatMap((page) => page.items) ?? items
    },
  }
}

type Filters = ReturnType<typeof readTraceFilters>['filters']

const readQuery = ({ served, ...filters }: Filters) => ({
  ...filters,
  ...(served === undefined ? {} : { served: served === 'true' }),
})
