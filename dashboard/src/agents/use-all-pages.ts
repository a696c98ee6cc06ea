// Loads the pages of the list of agents one after another.
import type { InfiniteData, UseInfiniteQueryResult } from '@tanstack/react-query'
import { useEffect } from 'react'
import type { Schemas } from '../api/client.ts'

export type Agents = InfiniteData<Schemas['Agent'][]>

/** The most pages of agents that are loaded automatically. */
const mostPages = 10

/** `isWanted`: a filter or an order is set. It applies to loaded agents only, so it would hide agents on further pages. */
export function useAllPages(agents: UseInfiniteQueryResult<Agents>, isWanted: boolean): void {
  const { data, hasNextPage, isFetchingNextPage, isFetchNextPageError, fetchNextPage } = agents
  const pages = data?.pages.length ?? 0
  useEffect(() => {
    if (isWanted && hasNextPage && !isFetchingNextPage && !isFetchNextPageError && pages < mostPages)
      void fetchNextPage()
  }, [isWanted, hasNextPage, isFetchingNextPage, isFetchNextPageError, fetchNextPage, pages])
}
