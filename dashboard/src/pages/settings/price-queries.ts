// The queries for the prices of a workspace and for the models that they can apply to, and the mutation that replaces the whole list.
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { answerOf, api, dataOf } from '../../api/client.ts'
import { ApiFault } from '../../api/fault.ts'
import { type Fate, moveTo, type Place, type PriceList } from './price-place.ts'
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

/** The models of the last 7 days, those with the highest cost first. */
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
      return items.filter(({ key, input_tokens: input, llm_calls: calls }) => key !== '' && (input > 0 || calls > 0))
    },
    staleTime: 60_000,
  })

const tellAs = ({ status, requestId, retryAfterS, fields }: ApiFault, detail: string): ApiFault =>
  new ApiFault({ status, detail, requestId, retryAfterS, fields })

const changedMeanwhile = 412

const told: Readonly<Record<Exclude<Fate, 'kept'>, string>> = {
  changed: 'Another person has changed this price meanwhile; save again to replace their price with yours',
  removed: 'Another person has removed this price meanwhile; save again to add it',
}

/**
 * Replaces the list that the row belongs to. The service refuses this with 412 if the prices have changed meanwhile. The list is then
 * loaded again, and `place` becomes the same row in the new list, so that the change can be sent again. `fate` is what became of the row.
 */
export function useReplacePrices(workspaceId: string, opened: Place) {
  const queries = useQueryClient()
  const [{ place, fate }, setNow] = useState<ReturnType<typeof moveTo>>({ place: opened, fate: 'kept' })
  const { queryKey } = pricesQuery(workspaceId)
  const replace = useMutation({
    mutationFn: async (prices: readonly Price[]) => {
      const params = { path: { workspace_id: workspaceId }, header: { 'if-match': place.list.etag } }
      return await answerOf(api.PUT('/v1/workspaces/{workspace_id}/prices', { params, body: [...prices] }), readList)
    },
    onSuccess: (list) => queries.setQueryData(queryKey, list),
    onError: async (error) => {
      // The page may show a list that the service no longer has.
      await queries.invalidateQueries({ queryKey })
      const latest = queries.getQueryData(queryKey)
      if (latest !== undefined && error instanceof ApiFault && error.status === changedMeanwhile)
        setNow(moveTo(latest, place))
    },
  })
  const { error } = replace
  const isLate = error instanceof ApiFault && error.status === changedMeanwhile && fate !== 'kept'
  return { place, fate, replace, error: isLate ? tellAs(error, told[fate]) : error }
}
