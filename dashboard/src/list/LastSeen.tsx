// When the workspace received its newest span, for the pages that explain why they are empty.
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { api, dataOf } from '../api/client.ts'
import { ErrorNote } from '../ui/index.ts'

/** The data is when the newest span was received; null if there has never been one. */
export const useLastSeen = (workspaceId: string) =>
  useQuery({
    queryKey: ['newest-agent', workspaceId],
    queryFn: async ({ signal }): Promise<string | null> => {
      const [agent] = await dataOf(
        api.GET('/v1/workspaces/{workspace_id}/agents', {
          params: { path: { workspace_id: workspaceId }, query: { limit: 1 } },
          signal,
        }),
      )
      return agent?.last_seen ?? null
    },
  })

type Props = { readonly workspaceId: string; readonly children: (newest: string | null) => ReactNode }

/** Shows the children as soon as it is known when the newest span was received, or that this cannot be loaded. */
export function LastSeen({ workspaceId, children }: Props) {
  const { data, error, refetch } = useLastSeen(workspaceId)
  if (data !== undefined) return children(data)
  if (error !== null) return <ErrorNote error={error} onRetry={() => void refetch()} />
  return <div aria-busy="true" />
}
