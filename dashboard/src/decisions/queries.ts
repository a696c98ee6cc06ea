// The queries of pages about decisions. All keys have the same prefix, so that a move invalidates all of them.
import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query'
import { api, dataOf, type Schemas } from '../api/client.ts'
import { joinPages } from '../list/join-pages.ts'
import type { State } from './lifecycle.ts'

/** The most decisions or transitions that the service returns in one response. */
const mostDecisions = 200
const refreshMs = 30_000
const mostPages = 5
const trialsOfPage = 20

const live = { refetchInterval: refreshMs, placeholderData: keepPreviousData } as const

export const decisionsKey = (workspaceId: string) => ['decisions', workspaceId] as const

export type DecisionFilters = {
  readonly state?: State | undefined
  readonly type?: string | undefined
  readonly agent_id?: string | undefined
  readonly tool_name?: string | undefined
}

/** Returns the filters without undefined values, which would otherwise be sent as text. */
export const queryOf = (filters: DecisionFilters): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(filters).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])))

/** The most recently changed decisions first. */
export const decisionsQuery = (workspaceId: string, filters: DecisionFilters) =>
  infiniteQueryOptions({
    ...live,
    queryKey: [...decisionsKey(workspaceId), 'list', queryOf(filters)],
    queryFn: ({ signal, pageParam: offset }) =>
      dataOf(
        api.GET('/v1/workspaces/{workspace_id}/decisions', {
          params: {
            path: { workspace_id: workspaceId },
            query: { ...queryOf(filters), limit: mostDecisions, offset },
          },
          signal,
        }),
      ),
    initialPageParam: 0,
    getNextPageParam: (last, pages) => (last.length < mostDecisions ? null : pages.length * mostDecisions),
  })

export const decisionCountsQuery = (workspaceId: string) =>
  queryOptions({
    queryKey: [...decisionsKey(workspaceId), 'summary'],
    queryFn: ({ signal }) =>
      dataOf(
        api.GET('/v1/workspaces/{workspace_id}/decisions/summary', {
          params: { path: { workspace_id: workspaceId } },
          signal,
        }),
      ),
  })

const pathOf = (workspaceId: string, decisionId: string) => ({ workspace_id: workspaceId, decision_id: decisionId })

export const decisionQuery = (workspaceId: string, decisionId: string) =>
  queryOptions({
    refetchInterval: refreshMs,
    queryKey: [...decisionsKey(workspaceId), decisionId, 'decision'],
    queryFn: ({ signal }) =>
      dataOf(
        api.GET('/v1/workspaces/{workspace_id}/decisions/{decision_id}', {
          params: { path: pathOf(workspaceId, decisionId) },
          signal,
        }),
      ),
  })

type Transition = Schemas['DecisionTransition']

/** The newest 200 transitions, newest first. */
export const newestMovesQuery = (workspaceId: string, decisionId: string) =>
  queryOptions({
    refetchInterval: refreshMs,
    queryKey: [...decisionsKey(workspaceId), decisionId, 'newest transitions'],
    queryFn: async ({ signal }) => await readMoves(workspaceId, decisionId, 0, signal),
  })

const movesOfPage = mostPages * mostDecisions

/** The whole trail, newest first, in pages of 1,000 transitions. */
export const trailQuery = (workspaceId: string, decisionId: string) =>
  infiniteQueryOptions({
    refetchInterval: refreshMs,
    queryKey: [...decisionsKey(workspaceId), decisionId, 'transitions'],
    queryFn: async ({ signal, pageParam }) => await readPage(workspaceId, decisionId, pageParam, signal),
    initialPageParam: 0,
    getNextPageParam: (last, pages) => (last.length < movesOfPage ? null : pages.length * movesOfPage),
    select: ({ pages }) => joinPages(pages),
  })

async function readPage(
  workspaceId: string,
  decisionId: string,
  offset: number,
  signal: AbortSignal,
): Promise<Transition[]> {
  const moves: Transition[] = []
  while (moves.length < movesOfPage) {
    const more = await readMoves(workspaceId, decisionId, offset + moves.length, signal)
    moves.push(...more)
    if (more.length < mostDecisions) break
  }
  return moves
}

const readMoves = async (
  workspaceId: string,
  decisionId: string,
  offset: number,
  signal: AbortSignal,
): Promise<Transition[]> =>
  await dataOf(
    api.GET('/v1/workspaces/{workspace_id}/decisions/{decision_id}/transitions', {
      params: {
        path: pathOf(workspaceId, decisionId),
        query: { order: 'newest', limit: mostDecisions, offset },
      },
      signal,
    }),
  )

export const measurementsQuery = (workspaceId: string, decisionId: string) =>
  queryOptions({
    refetchInterval: refreshMs,
    queryKey: [...decisionsKey(workspaceId), decisionId, 'measurements'],
    queryFn: ({ signal }) =>
      dataOf(
        api.GET('/v1/workspaces/{workspace_id}/decisions/{decision_id}/measurements', {
          params: { path: pathOf(workspaceId, decisionId) },
          signal,
        }),
      ),
  })

/** Pages of the stored trials, oldest first. The service keeps the newest 1,000 right and 1,000 wrong ones. */
export const trialsQuery = (
  workspaceId: string,
  decisionId: string,
  matched: boolean | undefined,
  limit = trialsOfPage,
) =>
  infiniteQueryOptions({
    placeholderData: keepPreviousData,
    queryKey: [...decisionsKey(workspaceId), decisionId, 'trials', matched, limit],
    queryFn: ({ signal, pageParam: cursor }) =>
      dataOf(
        api.GET('/v1/workspaces/{workspace_id}/decisions/{decision_id}/trials', {
          params: {
            path: pathOf(workspaceId, decisionId),
            query: {
              limit,
              ...(matched === undefined ? {} : { matched }),
              ...(cursor === '' ? {} : { cursor }),
            },
          },
          signal,
        }),
      ),
    initialPageParam: '',
    getNextPageParam: ({ next_cursor: next }) => next,
  })

/** What the rule saved between `from` and `to`. */
export const ruleSavingsQuery = (
  workspaceId: string,
  decisionId: string,
  { from, to }: { readonly from: string; readonly to: string },
) =>
  queryOptions({
    ...live,
    queryKey: [...decisionsKey(workspaceId), decisionId, 'savings', from, to],
    queryFn: ({ signal }) =>
      dataOf(
        api.GET('/v1/workspaces/{workspace_id}/stats/savings', {
          params: {
            path: { workspace_id: workspaceId },
            query: { from_time: from, to_time: to, decision_id: decisionId },
          },
          signal,
        }),
      ),
  })
