// The query for the keys of a workspace, in pages.
import { infiniteQueryOptions } from '@tanstack/react-query'
import { api, dataOf } from '../../api/client.ts'

const pageLength = 200

/** Revoked keys are never removed, so a workspace can have more than one page of keys. */
export const keysQuery = (workspaceId: string) =>
  infiniteQueryOptions({
    queryKey: ['keys', workspaceId],
    queryFn: ({ signal, pageParam: offset }) =>
      dataOf(
        api.GET('/v1/keys', { params: { query: { workspace_id: workspaceId, limit: pageLength, offset } }, signal }),
      ),
    initialPageParam: 0,
    getNextPageParam: (last, pages) => (last.length < pageLength ? null : pages.length * pageLength),
  })
