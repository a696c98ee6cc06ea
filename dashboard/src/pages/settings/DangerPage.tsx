// The page that deletes a workspace. It lists what the workspace contains.
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { api, dataOf } from '../../api/client.ts'
import { writePreference } from '../../app/preferences.ts'
import { workspacesQuery } from '../../app/queries.ts'
import { useMissingRole } from '../../app/use-role.ts'
import { NameDialog } from '../../settings/NameDialog.tsx'
import styles from '../../settings/settings.module.css'
import { Button, Page, Panel } from '../../ui/index.ts'
import { type Contents, contentsQuery, listContents } from './workspace-contents.ts'

const route = getRouteApi('/w/$workspace_id/settings/danger')

export function DangerPage() {
  const { workspace_id: workspaceId } = route.useParams()
  const contents = useQuery(contentsQuery(workspaceId))
  const { data: workspaces = [] } = useQuery(workspacesQuery)
  const missingRole = useMissingRole(workspaceId, 'admin')
  const [isAsking, setAsking] = useState(false)
  const name = workspaces.find(({ id }) => id === workspaceId)?.name ?? ''
  return (
    <Page title="Delete the workspace" tabTitle="Delete · Settings">
      <p className={styles.lead}>
        Deleting a workspace stops its keys within one second and removes all of its data. This cannot be undone. The
        audit log of the organization keeps its entries.
      </p>
      <Panel<Contents> title={`What “${name}” holds`} query={contents} height={160}>
        {(data) => (
          <dl className={styles.facts}>
            {listContents(data).map(({ what, count }) => (
              <div key={what} className={styles.fact}>
                <dt>{what}</dt>
                <dd>{count}</dd>
              </div>
            ))}
          </dl>
        )}
      </Panel>
      <p>
        <Button variant="danger" unavailable={missingRole} onClick={() => setAsking(true)}>
          Delete this workspace
        </Button>
      </p>
      {isAsking && (
        <DeleteDialog
          workspaceId={workspaceId}
          name={name}
          contents={contents.data ?? null}
          onClose={() => setAsking(false)}
        />
      )}
    </Page>
  )
}

type Props = {
  readonly workspaceId: string
  readonly name: string
  readonly contents: Contents | null
  readonly onClose: () => void
}

function DeleteDialog({ workspaceId, name, contents, onClose }: Props) {
  const queries = useQueryClient()
  const navigate = useNavigate()
  const remove = useMutation({
    mutationFn: () =>
      dataOf(api.DELETE('/v1/workspaces/{workspace_id}', { params: { path: { workspace_id: workspaceId } } })),
    onSuccess: async () => {
      writePreference('workspace', null)
      // The list is updated before the navigation, since the start page selects a workspace from it.
      queries.setQueryData(workspacesQuery.queryKey, (all) => all?.filter(({ id }) => id !== workspaceId))
      await navigate({ to: '/' })
    },
  })
  const counts =
    contents === null
      ? []
      : listContents(contents).map(({ one, what, count }) => `${count} ${count === '1' ? one : what.toLowerCase()}`)
  return (
    <NameDialog
      title={`Delete “${name}”?`}
      name={name}
      label="Type the name of the workspace"
      action="Delete it permanently"
      isBusy={remove.isPending}
      error={remove.error}
      onConfirm={() => remove.mutate()}
      onClose={onClose}
    >
      {counts.length === 0 ? 'All of its data is removed.' : `These are removed: ${counts.join(', ')}.`} Agents that
      send its keys are refused, and the rules that they hold end.
    </NameDialog>
  )
}
