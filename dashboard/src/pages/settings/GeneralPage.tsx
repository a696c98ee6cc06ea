// The page with the name of a workspace, and the id by which programs address it.
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useMissingRole, useOrg } from '../../app/use-role.ts'
import { NameForm } from '../../settings/NameForm.tsx'
import { namePlan } from '../../settings/name-plan.ts'
import styles from '../../settings/settings.module.css'
import { CopyButton, Link, Page, Panel } from '../../ui/index.ts'
import { type Settings, settingsQuery, useChangeSettings } from './queries.ts'

const route = getRouteApi('/w/$workspace_id/settings/general')

export function GeneralPage() {
  const { workspace_id: workspaceId } = route.useParams()
  const settings = useQuery(settingsQuery(workspaceId))
  return (
    <Page title="General" tabTitle="General · Settings">
      <Panel title="Workspace" query={settings} height={240}>
        {(data) => <GeneralForm workspaceId={workspaceId} settings={data} />}
      </Panel>
    </Page>
  )
}

function GeneralForm({ workspaceId, settings }: { readonly workspaceId: string; readonly settings: Settings }) {
  const missingRole = useMissingRole(workspaceId, 'admin')
  const org = useOrg(workspaceId)
  const change = useChangeSettings(workspaceId)
  return (
    <div className={styles.form}>
      <NameForm
        change={change}
        name={settings.name}
        missingRole={missingRole}
        onRename={(name) => change.mutate({ name })}
      />
      <dl className={styles.facts}>
        <dt>Id</dt>
        <dd className={styles.id}>
          <code>{workspaceId}</code> <CopyButton text={workspaceId} label="Copy the id of the workspace" />
        </dd>
        <dt>Plan</dt>
        <dd>
          {namePlan(settings.plan)}, see <Link to="/w/$workspace_id/usage">usage</Link>
        </dd>
        <dt>Organization</dt>
        <dd>{org?.name ?? '…'}</dd>
      </dl>
    </div>
  )
}
