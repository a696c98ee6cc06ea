// The queries for the figures of a workspace or an agent. All figures of a page have the same window, which is part of the query key.
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { api, dataOf } from '../api/client.ts'
import type { Bounds } from '../window/index.ts'

export type Scope = {
  readonly workspaceId: string
  readonly window: Bounds
  readonly agentId: string | undefined
}

export type Grouping = 'agent' | 'model' | 'tool'
export type BreakdownOrder = 'cost_usd' | 'events' | 'errors' | 'p95_duration_ms'

const shownRows = 5
const chartedGroups = 5

const readBounds = ({ window: { from, to }, agentId }: Scope) => ({
  from_time: from,
  to_time: to,
  ...(agentId === undefined ? {} : { agent_id: agentId }),
})

const keyOf = (name: string, { workspaceId, window: { from, to }, agentId }: Scope) =>
  ['stats', name, workspaceId, from, to, agentId] as const

/** When the window changes, the figures of the previous one stay until the new ones are loaded. */
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

/** Days start at midnight in the zone. `top`: how many of the largest groups have their own series; the rest share one. */
export const seriesQuery = (
  scope: Scope & { readonly model?: string | undefined },
  zone: string,
  groupBy: 'none' | 'model' | 'agent',
  top = chartedGroups,
) =>
  queryOptions({
    ...common,
    queryKey: [...keyOf('series', scope), scope.model, zone, groupBy, top],
    queryFn: ({ signal }) =>
      dataOf(
        api.GET('/v1/workspaces/{workspace_id}/stats/timeseries', {
          params: {
            path: { workspace_id: scope.workspaceId },
            query: {
              ...readBounds(scope),
              ...(scope.model === undefined ? {} : { model: scope.model }),
              time_zone: zone,
              group_by: groupBy,
              top,
            },
          },
          signal,
        }),
      ),
  })

export const breakdownQuery = (scope: Scope, groupBy: Grouping, orderBy: BreakdownOrder, limit = shownRows) =>
  queryOptions({
    ...common,
    queryKey: [...keyOf('breakdown', scope), groupBy, orderBy, limit],
    queryFn: ({ signal }) =>
      dataOf(
        api.GET('/v1/workspaces/{workspace_id}/stats/breakdown', {
          params: {
            path: { workspace_id: scope.workspaceId },
            query: { ...readBounds(scope), group_by: groupBy, order_by: orderBy, limit },
          },
          signal,
        }),
      ),
  })

/** The savings of the whole workspace, since rules are not split by agent. */
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
