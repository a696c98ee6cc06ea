// Loads all traces of a session of the last 400 days, page by page, newest first as the API returns them.
import { useInfiniteQuery } from '@tanstack/react-query'
import { useEffect, useMemo, useState } from 'react'
import { api, dataOf } from '../../api/client.ts'
import { runTotals } from './totals.ts'

const pageTraces = 200
/** The most pages that are loaded automatically. Further pages load when the user asks for them. */
const maxPages = 10
// The longest window that the API accepts.
const reachMs = 400 * 86_400_000

export function useSessionTraces(workspaceId: string, sessionId: string) {
  const [window] = useState(() => {
    // The clock is read once: a window that is one millisecond longer would be rejected.
    const toMs = Date.now() + 60_000
    return { from_time: new Date(toMs - reachMs).toISOString(), to_time: new Date(toMs).toISOString() }
  })
  const query = useInfiniteQuery({
    queryKey: ['session', workspaceId, sessionId],
    queryFn: ({ pageParam, signal }) =>
      dataOf(
        api.GET('/v1/workspaces/{workspace_id}/traces', {
          params: {
            path: { workspace_id: workspaceId },
            query: {
              ...window,
              session_id: sessionId,
              limit: pageTraces,
              ...(pageParam === null ? {} : { cursor: pageParam }),
            },
          },
          signal,
        }),
      ),
    initialPageParam: null as string | null,
    getNextPageParam: ({ next_cursor: next }) => next,
  })
  const { data, hasNextPage, isFetchingNextPage, isFetchNextPageError, fetchNextPage } = query
  const pages = data?.pages.length ?? 0
  useEffect(() => {
    if (hasNextPage && !isFetchingNextPage && !isFetchNextPageError && pages < maxPages) void fetchNextPage()
  }, [hasNextPage, isFetchingNextPage, isFetchNextPageError, fetchNextPage, pages])
  const rows = useMemo(() => runTotals(data?.pages.flatMap(({ items }) => items) ?? []), [data])
  return { query, rows, window, isWhole: data !== undefined && !hasNextPage }
}
