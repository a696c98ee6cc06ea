// The figures of a window, of the whole workspace or of one agent.
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { api, dataOf } from '../api/client.ts'
import type { Bounds } from '../window/index.ts'

/** What figures are of. */
export type StatsScope = { readonly workspaceId: string; readonly bounds: Bounds; readonly agentId: string | null }

export type ChartGrouping = 'none' | 'model' | 'agent'
export type BreakdownGrouping = 'agent' | 'model' | 'tool' | 'kind'
export type BreakdownOrder = 'cost_usd' | 'events' | 'errors' | 'p95_duration_ms'

const readScope = ({ bounds, agentId }: StatsScope) => ({
  from_time: bounds.from,
  to_time: bounds.to,
  ...(agentId === null ? {} : { agent_id: agentId }),
})

const nameScope = ({ workspaceId, bounds, agentId }: StatsScope): readonly (string | null)[] => [
  workspaceId,
  agentId,
  bounds.from,
  bounds.to,
]

export const summaryQuery = (scope: StatsScope) =>
  queryOptions({
    queryKey: ['stats-summary', ...nameScope(scope)],
    queryFn: ({ signal }) =>
      dataOf(
        api.GET('/v1/workspaces/{workspace_id}/stats/summary', {
          params: { path: { workspace_id: scope.workspaceId }, query: readScope(scope) },
          signal,
        }),
      ),
    placeholderData: keepPreviousData,
  })

/** Days are cut in the zone of the page. `top`: the largest series; the rest are one series called other. */
export const seriesQuery = (scope: StatsScope, groupBy: ChartGrouping, zone: string, top = 6) =>
  queryOptions({
    queryKey: ['stats-series', ...nameScope(scope), groupBy, zone, top],
    queryFn: ({ signal }) =>
      dataOf(
        api.GET('/v1/workspaces/{workspace_id}/stats/timeseries', {
          params: {
            path: { workspace_id: scope.workspaceId },
            query: { ...readScope(scope), group_by: groupBy, time_zone: zone, top },
          },
          signal,
        }),
      ),
    placeholderData: keepPreviousData,
  })

export const breakdownQuery = (
  scope: StatsScope,
  groupBy: BreakdownGrouping,
  orderBy: BreakdownOrder = 'cost_usd',
  limit = 100,
) =>
  queryOptions({
    queryKey: ['stats-breakdown', ...nameScope(scope), groupBy, orderBy, limit],
    queryFn: ({ signal }) =>
      dataOf(
        api.GET('/v1/workspaces/{workspace_id}/stats/breakdown', {
          params: {
            path: { workspace_id: scope.workspaceId },
            query: { ...readScope(scope), group_by: groupBy, order_by: orderBy, limit },
          },
          signal,
        }),
      ),
    placeholderData: keepPreviousData,
  })
