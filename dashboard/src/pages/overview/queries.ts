// The queries of the overview besides those for the figures of the window.
import { queryOptions } from '@tanstack/react-query'
import { api, dataOf } from '../../api/client.ts'

const shownRows = 5
const refreshMs = 30_000

export const newestFindingsQuery = (workspaceId: string) =>
  queryOptions({
    queryKey: ['findings', workspaceId, 'newest'],
    queryFn: ({ signal }) =>
      dataOf(
        api.GET('/v1/workspaces/{workspace_id}/findings', {
          params: { path: { workspace_id: workspaceId }, query: { status: 'open', limit: shownRows } },
          signal,
        }),
      ),
  })

export const findingCountsQuery = (workspaceId: string) =>
  queryOptions({
    queryKey: ['findings', workspaceId, 'summary'],
    refetchInterval: refreshMs,
    queryFn: ({ signal }) =>
      dataOf(
        api.GET('/v1/workspaces/{workspace_id}/findings/summary', {
          params: { path: { workspace_id: workspaceId } },
          signal,
        }),
      ),
  })

/** The most recently changed first. */
export const disabledRulesQuery = (workspaceId: string) =>
  queryOptions({
    queryKey: ['decisions', workspaceId, 'disabled'],
    queryFn: ({ signal }) =>
      dataOf(
        api.GET('/v1/workspaces/{workspace_id}/decisions', {
          params: { path: { workspace_id: workspaceId }, query: { state: 'disabled', limit: 20 } },
          signal,
        }),
      ),
  })
