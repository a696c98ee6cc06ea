// What the overview asks. Every figure of a page is of one window, which is part of the key.
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { api, dataOf } from '../../api/client.ts'
import type { Bounds } from '../../window/index.ts'

export type Scope = {
  readonly workspaceId: string
  readonly window: Bounds
  readonly agentId: string | undefined
}

export type Grouping = 'agent' | 'model' | 'tool'

const shownRows = 5
const chartedModels = 5

const readBounds = ({ window: { from, to }, agentId }: Scope) => ({
  from_time: from,
  to_time: to,
  ...(agentId === undefined ? {} : { agent_id: agentId }),
})

const keyOf = (name: string, { workspaceId, window: { from, to }, agentId }: Scope) =>
  ['overview', name, workspaceId, from, to, agentId] as const

/** While a window changes, the figures of the one before stay. */
const common = { placeholderData: keepPreviousData } as const

export const summaryQuery = (scope: Scope) =>
  queryOptions({
    ...common,
    queryKey: keyOf('summary', scope),
    queryFn: ({ signal }) =>
      dataOf(
        api.GET('/v1/workspaces/{workspace_id}/stats/summary', {
          params: { path: { workspace_id: scope.workspaceId }, query: readBounds(scope) },
          signal,
        }),
      ),
  })

export const seriesQuery = (scope: Scope, zone: string, groupBy: 'none' | 'model') =>
  queryOptions({
    ...common,
    queryKey: [...keyOf('series', scope), zone, groupBy],
    queryFn: ({ signal }) =>
      dataOf(
        api.GET('/v1/workspaces/{workspace_id}/stats/timeseries', {
          params: {
            path: { workspace_id: scope.workspaceId },
            query: { ...readBounds(scope), time_zone: zone, group_by: groupBy, top: chartedModels },
          },
          signal,
        }),
      ),
  })

export const breakdownQuery = (scope: Scope, groupBy: Grouping, orderBy: 'cost_usd' | 'events') =>
  queryOptions({
    ...common,
    queryKey: [...keyOf('breakdown', scope), groupBy, orderBy],
    queryFn: ({ signal }) =>
      dataOf(
        api.GET('/v1/workspaces/{workspace_id}/stats/breakdown', {
          params: {
            path: { workspace_id: scope.workspaceId },
            query: { ...readBounds(scope), group_by: groupBy, order_by: orderBy, limit: shownRows },
          },
          signal,
        }),
      ),
  })

/** Of the workspace: rules are not split by agent. */
export const savingsQuery = (scope: Scope) =>
  queryOptions({
    ...common,
    queryKey: keyOf('savings', { ...scope, agentId: undefined }),
    queryFn: ({ signal }) =>
      dataOf(
        api.GET('/v1/workspaces/{workspace_id}/stats/savings', {
          params: {
            path: { workspace_id: scope.workspaceId },
            query: { from_time: scope.window.from, to_time: scope.window.to },
          },
          signal,
        }),
      ),
  })

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
    queryFn: ({ signal }) =>
      dataOf(
        api.GET('/v1/workspaces/{workspace_id}/findings/summary', {
          params: { path: { workspace_id: workspaceId } },
          signal,
        }),
      ),
  })

export const decisionCountsQuery = (workspaceId: string) =>
  queryOptions({
    queryKey: ['decisions', workspaceId, 'summary'],
    queryFn: ({ signal }) =>
      dataOf(
        api.GET('/v1/workspaces/{workspace_id}/decisions/summary', {
          params: { path: { workspace_id: workspaceId } },
          signal,
        }),
      ),
  })

export const agentsQuery = (workspaceId: string) =>
  queryOptions({
    queryKey: ['agents', workspaceId, 'all'],
    queryFn: ({ signal }) =>
      dataOf(
        api.GET('/v1/workspaces/{workspace_id}/agents', {
          params: { path: { workspace_id: workspaceId }, query: { limit: 200 } },
          signal,
        }),
      ),
  })
