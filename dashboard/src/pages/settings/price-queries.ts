// The prices of a workspace, changed as a whole list, and the models that they may be for.
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { answerOf, api, dataOf } from '../../api/client.ts'
import type { Price } from './price-preview.ts'

export const shownDays = 7
const dayMs = 86_400_000
const mostModels = 100

/** The prices as they were read. */
export type PriceList = {
  readonly prices: readonly Price[]
  /** Names this state of the list. */
  readonly etag: string
}

/** A row of the list that was on the page when its dialog opened: a list that comes later has other rows at these places. */
export type Place = {
  readonly list: PriceList
  /** The row; behind the last one, a new one. */
  readonly at: number
}

const readList = ({ data, response }: { readonly data?: Price[]; readonly response: Response }): PriceList => ({
  prices: data ?? [],
  etag: response.headers.get('etag') ?? '*',
})

export const pricesQuery = (workspaceId: string) =>
  queryOptions({
    queryKey: ['prices', workspaceId],
    queryFn: async ({ signal }) => {
      const params = { path: { workspace_id: workspaceId } }
      return await answerOf(api.GET('/v1/workspaces/{workspace_id}/prices', { params, signal }), readList)
    },
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

/** Puts a list in the place of the one that has this tag. The service refuses it where somebody has changed the prices meanwhile. */
export function useReplacePrices(workspaceId: string) {
  const queries = useQueryClient()
  const { queryKey } = pricesQuery(workspaceId)
  return useMutation({
    mutationFn: async ({ prices, etag }: PriceList) => {
      const params = { path: { workspace_id: workspaceId }, header: { 'if-match': etag } }
      return await answerOf(api.PUT('/v1/workspaces/{workspace_id}/prices', { params, body: [...prices] }), readList)
    },
    onSuccess: (list) => queries.setQueryData(queryKey, list),
    // What the page shows may be what the service no longer has.
    onError: async () => await queries.invalidateQueries({ queryKey }),
  })
}
