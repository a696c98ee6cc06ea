// The queries for the findings of a workspace. The list has no time window: a finding remains until it is resolved.
import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query'
import { api, dataOf, type Schemas } from '../../api/client.ts'
import type { FindingQuery } from './list-search.ts'

export type Finding = Schemas['Finding']

const pageLength = 50
const refreshMs = 30_000

export const findingsKey = (workspaceId: string) => ['findings', workspaceId] as const
export const findingListsKey = (workspaceId: string) => [...findingsKey(workspaceId), 'list'] as const
export const findingKey = (workspaceId: string, findingId: string) =>
  [...findingsKey(workspaceId), 'one', findingId] as const

export const findingListQuery = (workspaceId: string, query: FindingQuery) =>
  infiniteQueryOptions({
    queryKey: [...findingListsKey(workspaceId), query] as const,
    queryFn: ({ signal, pageParam: cursor }) =>
      dataOf(
        api.GET('/v1/workspaces/{workspace_id}/findings', {
          params: {
            path: { workspace_id: workspaceId },
            query: { ...query, limit: pageLength, ...(cursor === null ? {} : { cursor }) },
          },
          signal,
        }),
      ),
    initialPageParam: null as string | null,
    getNextPageParam: ({ next_cursor: next }) => next,
    placeholderData: keepPreviousData,
    refetchInterval: refreshMs,
  })

export const findingQuery = (workspaceId: string, findingId: string) =>
  queryOptions({
    queryKey: findingKey(workspaceId, findingId),
    queryFn: ({ signal }) =>
      dataOf(
        api.GET('/v1/workspaces/{workspace_id}/findings/{finding_id}', {
          params: { path: { workspace_id: workspaceId, finding_id: findingId } },
          signal,
        }),
      ),
  })
