// The query for the agents of a workspace, the most recently seen first.
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { api, dataOf } from '../api/client.ts'

const pageLength = 200

export const agentsQuery = (workspaceId: string) =>
  infiniteQueryOptions({
    queryKey: ['agents', workspaceId],
    queryFn: ({ signal, pageParam: offset }) =>
      dataOf(
        api.GET('/v1/workspaces/{workspace_id}/agents', {
          params: { path: { workspace_id: workspaceId }, query: { limit: pageLength, offset } },
          signal,
        }),
      ),
    initialPageParam: 0,
    getNextPageParam: (last, pages) => (last.length < pageLength ? null : pages.length * pageLength),
  })

export const agentQuery = (workspaceId: string, agentId: string) =>
  queryOptions({
    queryKey: ['agent', workspaceId, agentId],
    queryFn: ({ signal }) =>
      dataOf(
        api.GET('/v1/workspaces/{workspace_id}/agents/{agent_id}', {
          params: { path: { workspace_id: workspaceId, agent_id: agentId } },
          signal,
        }),
      ),
  })
