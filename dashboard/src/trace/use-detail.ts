// The content of one span. It is requested when the span is selected, aborted when another span is, and cached for the session.
import { type QueryClient, queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useRef } from 'react'
import { api, dataOf, type Schemas } from '../api/client.ts'

export type SpanDetail = Schemas['EventDetail']

const hoverMs = 100

export const detailOptions = (workspaceId: string, eventId: string) =>
  queryOptions({
    queryKey: ['event', workspaceId, eventId],
    // The query takes the signal, so that leaving a span aborts its request.
    queryFn: async ({ signal }) =>
      await dataOf(
        api.GET('/v1/workspaces/{workspace_id}/events/{event_id}', {
          params: { path: { workspace_id: workspaceId, event_id: eventId } },
          signal,
        }),
      ),
    // A stored span does not change.
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: Number.POSITIVE_INFINITY,
  })

export const useDetail = (workspaceId: string, eventId: string) => useQuery(detailOptions(workspaceId, eventId))

/**
 * Returns a function that preloads a span after the pointer has rested on it for `hoverMs`. The next span, or null, ends the wait and the
 * request.
 */
export function usePrefetch(workspaceId: string): (eventId: string | null) => void {
  const client = useQueryClient()
  const end = useRef<() => void>(undefined)
  useEffect(() => () => end.current?.(), [])
  return useCallback(
    (eventId) => {
      end.current?.()
      end.current = eventId === null ? undefined : prefetchLater(client, workspaceId, eventId)
    },
    [client, workspaceId],
  )
}

/** Returns the function that ends the wait or the request. A request whose span has been selected meanwhile goes on. */
function prefetchLater(client: QueryClient, workspaceId: string, eventId: string): () => void {
  const options = detailOptions(workspaceId, eventId)
  const timer = setTimeout(() => void client.prefetchQuery(options), hoverMs)
  return () => {
    clearTimeout(timer)
    const { queryKey } = options
    const query = client.getQueryCache().find({ queryKey, exact: true })
    if (query?.getObserversCount() === 0) void client.cancelQueries({ queryKey, exact: true })
  }
}
