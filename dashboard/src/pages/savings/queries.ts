import { queryOptions } from '@tanstack/react-query'
import { api, dataOf } from '../../api/client.ts'

/** The 200 most recently changed rules. They include the rules that began or ceased to serve in the window, unless it is long ago. */
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
