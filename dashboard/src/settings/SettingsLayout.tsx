// The layout of all settings pages: the list of the settings of the workspace, the organization and the account beside the page.
import { useQuery } from '@tanstack/react-query'
import { Outlet, useParams } from '@tanstack/react-router'
import { chooseWorkspace } from '../app/frame/choose-workspace.ts'
import { usePreference } from '../app/preferences.ts'
import { meQuery, workspacesQuery } from '../app/queries.ts'
import { Link } from '../ui/index.ts'
import styles from './settings.module.css'
import { groupsOf, type SettingsGroup } from './settings-pages.ts'

export function SettingsLayout() {
  const { workspace_id: workspaceId, org_id: orgId } = useParams({ strict: false })
  const { data: workspaces = [] } = useQuery(workspacesQuery)
  const { data: me } = useQuery(meQuery)
  const last = usePreference('workspace')
  const workspace = chooseWorkspace(workspaces, workspaceId ?? last, orgId)
  const org = me?.orgs.find(({ id }) => id === (orgId ?? workspace?.org_id)) ?? me?.orgs[0]
  const groups = groupsOf(workspace, org)
  return (
    <div className={styles.layout}>
      <nav className={styles.side} aria-label="Settings">
        <Groups groups={groups} />
      </nav>
      {/* On a narrow screen the list is folded, so that the page starts at the top. */}
      <details className={styles.folded}>
        <summary>All settings</summary>
        <nav aria-label="Settings">
          <Groups groups={groups} />
        </nav>
      </details>
      <div className={styles.content}>
        <Outlet />
      </div>
    </div>
  )
}

const Groups = ({ groups }: { readonly groups: readonly SettingsGroup[] }) =>
  groups.map(({ title, name, pages }) => (
    <div key={title} className={styles.group}>
      <p className={styles.title}>
        {title}
        {name !== '' && <strong className={styles.name}>{name}</strong>}
      </p>
      <ul>
        {pages.map(({ label, to, params }) => (
          <li key={to}>
            <Link to={to} params={params} isExact>
              {label}
            </Link>
          </li>
        ))}
      </ul>
    </div>
  ))
