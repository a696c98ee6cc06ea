// A list that is paged by cursor. Its window is pinned when it is first read, so that rows do not jump; what came since is counted,
// and shown when somebody asks for it.
import { useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query'
import { useMemo } from 'react'
import { usePageWindow } from '../app/page-window.tsx'
import type { Bounds } from '../window/index.ts'

export type Page<Row> = { readonly items: readonly Row[]; readonly next_cursor: string | null }

export type ReadPage<Row> = (
  bounds: Bounds,
  limit: number,
  cursor: string | null,
  signal: AbortSignal,
) => Promise<Page<Row>>

/** The most that one answer holds: of more new rows it is only said that there are more. */
export const maxNew = 200

type Options<Row> = {
  /** Of the list, for its cache: "trace-list". */
  readonly name: string
  readonly workspaceId: string
  /** The part of the URL that decides what the list holds. */
  readonly search: string
  readonly pageRows: number
  readonly read: ReadPage<Row>
}

export function usePinnedList<Row>({ name, workspaceId, search, pageRows, read }: Options<Row>) {
  const client = useQueryClient()
  const { window } = usePageWindow()
  const pinKey = [`${name}-window`, workspaceId, search]
  const { data: pin } = useQuery<Bounds>({
    queryKey: pinKey,
    queryFn: () => ({ from: window.from, to: window.to }),
    initialData: () => ({ from: window.from, to: window.to }),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: Number.POSITIVE_INFINITY,
  })
  const query = useInfiniteQuery({
    queryKey: [name, workspaceId, search, pin],
    queryFn: ({ pageParam, signal }) => read(pin, pageRows, pageParam, signal),
    initialPageParam: null as string | null,
    getNextPageParam: ({ next_cursor: next }) => next,
    staleTime: Number.POSITIVE_INFINITY,
    placeholderData: (before) => before,
  })
  const isMoving = window.preset !== null && window.to > pin.to
  const fresh = useQuery({
    queryKey: [`${name}-new`, workspaceId, search, pin.to, window.to],
    queryFn: ({ signal }) => read({ from: pin.to, to: window.to }, maxNew, null, signal),
    enabled: isMoving && query.isSuccess,
    placeholderData: (before) => before,
  })
  const items = useMemo(() => query.data?.pages.flatMap((page) => page.items) ?? [], [query.data])
  return {
    query,
    items,
    pin,
    newCount: isMoving ? (fresh.data?.items.length ?? 0) : 0,
    /** Takes the window as it is now. */
    renew: () => client.setQueryData(pinKey, { from: window.from, to: window.to }),
    /** Loads the next page; gives all rows that are loaded then. */
    loadMore: async (): Promise<readonly Row[]> => {
      if (!query.hasNextPage) return items
      const { data } = await query.fetchNextPage()
      return data?.pages.flatMap((page) => page.items) ?? items
    },
  }
}
