// A trace and the spans that are loaded: 10,000 with the first response, more on demand.
import { type InfiniteData, useInfiniteQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { api, dataOf, type Schemas } from '../api/client.ts'
import { buildTree, type Tree } from './tree.ts'

export type TraceDetail = Schemas['TraceDetail']
export type SpanEvent = Schemas['Event']

const pageSpans = 10_000

type Place = { readonly workspaceId: string; readonly traceId: string }

/** Until the trace is settled, agents, sessions and counts can still change, so it is read again every `settlingMs`. */
export function useSpans({ workspaceId, traceId }: Place) {
  const query = useInfiniteQuery({
    queryKey: ['trace', workspaceId, traceId],
    queryFn: async ({ pageParam, signal }) =>
      await dataOf(
        api.GET('/v1/workspaces/{workspace_id}/traces/{trace_id}', {
          params: {
            path: { workspace_id: workspaceId, trace_id: traceId },
            query: { limit: pageSpans, ...(pageParam === null ? {} : { cursor: pageParam }) },
          },
          signal,
        }),
      ),
    initialPageParam: null as string | null,
    getNextPageParam: ({ next_cursor: next }) => next,
    refetchInterval: ({ state }) => (isSettling(state.data) ? settlingMs : false),
  })
  const { data } = query
  const tree = useMemo(() => (data === undefined ? null : buildTree(data.pages.flatMap(({ spans }) => spans))), [data])
  return { query, tree, trace: data?.pages.at(-1) ?? null }
}

export type SpanTree = Tree<SpanEvent>

// Ingest settles a trace that has received no spans for ten seconds.
const settlingMs = 5_000

/** Only a trace of one page is read again: several pages would be read one after the other. */
const isSettling = (data: InfiniteData<TraceDetail> | undefined): boolean =>
  data?.pages.length === 1 && data.pages[0]?.settled === false
