// The prices of a workspace, changed as a whole list, and the models that they may be for.
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { answerOf, api, dataOf } from '../../api/client.ts'
import { ApiFault } from '../../api/fault.ts'
import { moveTo, type Place, type PriceList } from './price-place.ts'
import type { Price } from './price-preview.ts'

export const shownDays = 7
const dayMs = 86_400_000
const mostModels = 100

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

const changedMeanwhile = 412

/**
 * Puts a list in the place of the one that the row is of. The service refuses it where somebody has changed the prices meanwhile: then
 * the list is read again, and `place` is the row in that one, so that the change can be sent again.
 */
export function useReplacePrices(workspaceId: string, opened: Place) {
  const queries = useQueryClient()
  const [place, setPlace] = useState(opened)
  const { queryKey } = pricesQuery(workspaceId)
  const replace = useMutation({
    mutationFn: async (prices: readonly Price[]) => {
      const params = { path: { workspace_id: workspaceId }, header: { 'if-match': place.list.etag } }
      return await answerOf(api.PUT('/v1/workspaces/{workspace_id}/prices', { params, body: [...prices] }), readList)
    },
    onSuccess: (list) => queries.setQueryData(queryKey, list),
    onError: async (error) => {
      // What the page shows may be what the service no longer has.
      await queries.invalidateQueries({ queryKey })
      const latest = queries.getQueryData(queryKey)
      if (latest !== undefined && error instanceof ApiFault && error.status === changedMeanwhile)
        setPlace(moveTo(latest, place) ?? place)
    },
  })
  return { place, replace }
}
