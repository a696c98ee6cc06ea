// The prices of a workspace, changed as a whole list, and the models that they may be for.
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { api, dataOf } from '../../api/client.ts'
import type { Price } from './price-preview.ts'

export const shownDays = 7
const dayMs = 86_400_000
const mostModels = 100

export const pricesQuery = (workspaceId: string) =>
  queryOptions({
    queryKey: ['prices', workspaceId],
    queryFn: ({ signal }) =>
      dataOf(
        api.GET('/v1/workspaces/{workspace_id}/prices', { params: { path: { workspace_id: workspaceId } }, signal }),
      ),
  })

/** Of the last days, those with the most cost first. */
export const modelsQuery = (workspaceId: string) =>
  queryOptions({
    queryKey: ['stats', 'models of prices', workspaceId],
    queryFn: async ({ signal }) => {
      const toMs = Date.now()
      const query = {
        from_time: new Date(toMs - shownDays * dayMs).toISOString(),
        to_time: new Date(toMs).toISOString(),
        group_by: 'model',
        limit: mostModels,
      } as const
      const { items } = await dataOf(
        api.GET('/v1/workspaces/{workspace_id}/stats/breakdown', {
          params: { path: { workspace_id: workspaceId }, query },
          signal,
        }),
      )
      return items.filter(({ key, input_tokens: input }) => key !== '' && input > 0)
    },
    staleTime: 60_000,
  })

export function useReplacePrices(workspaceId: string) {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (prices: readonly Price[]) =>
      dataOf(
        api.PUT('/v1/workspaces/{workspace_id}/prices', {
          params: { path: { workspace_id: workspaceId } },
          body: [...prices],
        }),
      ),
    onSuccess: (prices) => queries.setQueryData(pricesQuery(workspaceId).queryKey, prices),
  })
}
