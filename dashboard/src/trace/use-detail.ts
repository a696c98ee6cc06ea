// The content of one span. It is requested when the span is selected, aborted when another span is, and cached for the session.
import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
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

/** Returns a function that preloads a span after the pointer has rested on it for `hoverMs`; null cancels the wait. */
export function usePrefetch(workspaceId: string): (eventId: string | null) => void {
  const client = useQueryClient()
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => () => clearTimeout(timer.current), [])
  return useCallback(
    (eventId) => {
      clearTimeout(timer.current)
      if (eventId === null) return
      timer.current = setTimeout(() => void client.prefetchQuery(detailOptions(workspaceId, eventId)), hoverMs)
    },
    [client, workspaceId],
  )
}
