import { queryOptions } from '@tanstack/react-query'
import { api, dataOf } from '../../api/client.ts'

/** The rules that changed last: those that began or ceased to serve in a window are among them, unless it is long ago. */
export const changedRulesQuery = (workspaceId: string) =>
  queryOptions({
    queryKey: ['decisions', workspaceId, 'changed'],
    queryFn: ({ signal }) =>
      dataOf(
        api.GET('/v1/workspaces/{workspace_id}/decisions', {
          params: { path: { workspace_id: workspaceId }, query: { limit: 200 } },
          signal,
        }),
      ),
  })
