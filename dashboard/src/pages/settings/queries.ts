// The query for the settings of a workspace, and the mutation that changes them.
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

/** Settings that the body does not contain stay unchanged. */
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
