// The settings of a workspace, and changing them.
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { api, dataOf, type Schemas } from '../../api/client.ts'

export type Settings = Schemas['WorkspaceSettings']
export type SettingsChange = Partial<Omit<Settings, 'plan' | 'plan_retention_days'>>

export const settingsQuery = (workspaceId: string) =>
  queryOptions({
    queryKey: ['settings', workspaceId],
    queryFn: ({ signal }) =>
      dataOf(
        api.GET('/v1/workspaces/{workspace_id}/settings', {
          params: { path: { workspace_id: workspaceId } },
          signal,
        }),
      ),
  })

/** What is not given stays as it is. */
export function useChangeSettings(workspaceId: string) {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (body: SettingsChange) =>
      dataOf(
        api.PATCH('/v1/workspaces/{workspace_id}/settings', {
          params: { path: { workspace_id: workspaceId } },
          body,
        }),
      ),
    onSuccess: async (settings, change) => {
      queries.setQueryData(settingsQuery(workspaceId).queryKey, settings)
      if (change.name !== undefined) await queries.invalidateQueries({ queryKey: ['workspaces'] })
    },
  })
}
