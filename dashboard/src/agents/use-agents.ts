import { useInfiniteQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { joinPages } from '../list/join-pages.ts'
import { agentsQuery } from './queries.ts'
import { useAllPages } from './use-all-pages.ts'

/**
 * The agents of a workspace, the most recently seen first: the first 200 of them, and then the others in further requests unless `isWhole`
 * is false.
 */
export function useAgents(workspaceId: string, isWhole = true) {
  const list = useInfiniteQuery(agentsQuery(workspaceId))
  useAllPages(list, isWhole)
  const { data: loaded, error, isPending, failureCount, refetch } = list
  const data = useMemo(() => (loaded === undefined ? undefined : joinPages(loaded.pages)), [loaded])
  return { data, error, isPending, failureCount, refetch }
}
