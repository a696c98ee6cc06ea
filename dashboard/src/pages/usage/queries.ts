// The queries for the usage of one month.
import { queryOptions } from '@tanstack/react-query'
import { api, dataOf } from '../../api/client.ts'

const refreshMs = 30_000

export const usageQuery = (workspaceId: string, period: string) =>
  queryOptions({
    queryKey: ['usage', workspaceId, period],
    queryFn: ({ signal }) =>
      dataOf(api.GET('/v1/workspaces/{workspace_id}/usage', { params: params(workspaceId, period), signal })),
    refetchInterval: refreshMs,
  })

export const usageDaysQuery = (workspaceId: string, period: string) =>
  queryOptions({
    queryKey: ['usage-days', workspaceId, period],
    queryFn: ({ signal }) =>
      dataOf(
        api.GET('/v1/workspaces/{workspace_id}/usage/timeseries', { params: params(workspaceId, period), signal }),
      ),
    refetchInterval: refreshMs,
  })

export const rejectionsQuery = (workspaceId: string, period: string) =>
  queryOptions({
    queryKey: ['usage-rejections', workspaceId, period],
    queryFn: ({ signal }) =>
      dataOf(
        api.GET('/v1/workspaces/{workspace_id}/usage/rejections', { params: params(workspaceId, period), signal }),
      ),
    refetchInterval: refreshMs,
  })

const params = (workspaceId: string, period: string) => ({ path: { workspace_id: workspaceId }, query: { period } })
