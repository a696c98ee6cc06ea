// Queries that several pages use.
import { queryOptions } from '@tanstack/react-query'
import { api, dataOf } from '../api/client.ts'

const rarelyMs = 60_000

export const workspacesQuery = queryOptions({
  queryKey: ['workspaces'],
  queryFn: ({ signal }) => dataOf(api.GET('/v1/workspaces', { signal })),
  staleTime: rarelyMs,
})

export const meQuery = queryOptions({
  queryKey: ['me'],
  queryFn: ({ signal }) => dataOf(api.GET('/v1/auth/me', { signal })),
  staleTime: rarelyMs,
})

export const metaQuery = queryOptions({
  queryKey: ['meta'],
  queryFn: ({ signal }) => dataOf(api.GET('/v1/meta', { signal })),
  staleTime: rarelyMs,
})
