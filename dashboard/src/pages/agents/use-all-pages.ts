// Loads the pages of the list of agents one after the other.
import type { InfiniteData, UseInfiniteQueryResult } from '@tanstack/react-query'
import { useEffect } from 'react'
import type { Schemas } from '../../api/client.ts'

export type Agents = InfiniteData<Schemas['Agent'][]>

/** Of agents that are loaded without being asked for. */
const mostPages = 10

/** A filter or an order of what is loaded alone would hide what is beyond. */
export function useAllPages(agents: UseInfiniteQueryResult<Agents>, isWanted: boolean): void {
  const { data, hasNextPage, isFetchingNextPage, isFetchNextPageError, fetchNextPage } = agents
  const pages = data?.pages.length ?? 0
  useEffect(() => {
    if (isWanted && hasNextPage && !isFetchingNextPage && !isFetchNextPageError && pages < mostPages)
      void fetchNextPage()
  }, [isWanted, hasNextPage, isFetchingNextPage, isFetchNextPageError, fetchNextPage, pages])
}
