import { useQuery } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { Check, ChevronsUpDown, Layers, Plus } from 'lucide-react'
import { Button, Header, Menu, MenuItem, MenuSection, MenuTrigger, Popover } from 'react-aria-components'
import type { Workspace } from '../../api/client.ts'
import { meQuery, workspacesQuery } from '../queries.ts'
import styles from './menu.module.css'

export function WorkspaceSwitcher({
  workspaceId,
  isNarrow,
}: {
  readonly workspaceId: string | null
  readonly isNarrow: boolean
}) {
  const { data: workspaces = [] } = useQuery(workspacesQuery)
  const current = workspaces.find(({ id }) => id === workspaceId)
  const { data: me } = useQuery(meQuery)
  const router = useRouter()
  // The organization of the workspace that is shown, or else the first one.
  const org = me?.orgs.find(({ id }) => id === current?.org_id) ?? me?.orgs[0]
  const hrefOfNew = (orgId: string): string =>
    router.buildLocation({
      to: '/o/$org_id/settings/workspaces',
      params: { org_id: orgId },
      search: { view: 'new' },
    }).href
  const orgs = [...Map.groupBy(workspaces, ({ org_id: orgId }) => orgId).values()]
  return (
    <MenuTrigger>
      <Button className={styles.trigger ?? ''} aria-label={`Workspace: ${current?.name ?? 'none'}`}>
        <Layers size={16} aria-hidden="true" />
        {!isNarrow && (
          <>
            <span className={styles.label}>{current?.name ?? (workspaceId === null ? 'No workspace' : '…')}</span>
            <ChevronsUpDown size={14} aria-hidden="true" />
          </>
        )}
      </Button>
      <Popover className={styles.popover ?? ''} placement="bottom start">
        <Menu className={styles.menu ?? ''} aria-label="Workspaces">
          {orgs.map((ofOrg) => (
            <OrgSection key={ofOrg[0]?.org_id} workspaces={ofOrg} workspaceId={workspaceId} />
          ))}
          {org !== undefined && (
            <MenuSection>
              <Header className="visually-hidden">More</Header>
              <MenuItem className={styles.item ?? ''} textValue="New workspace" href={hrefOfNew(org.id)}>
                <span className={styles.check}>
                  <Plus size={14} aria-hidden="true" />
                </span>
                New workspace
              </MenuItem>
            </MenuSection>
          )}
        </Menu>
      </Popover>
    </MenuTrigger>
  )
}

function OrgSection({
  workspaces,
  workspaceId,
}: {
  readonly workspaces: readonly Workspace[]
  readonly workspaceId: string | null
}) {
  const router = useRouter()
  return (
    <MenuSection>
      <Header className={styles.heading ?? ''}>{workspaces[0]?.org_name}</Header>
      {workspaces.map(({ id, name }) => (
        <MenuItem
          key={id}
          id={id}
          textValue={name}
          className={styles.item ?? ''}
          href={router.buildLocation({ to: '/w/$workspace_id', params: { workspace_id: id } }).href}
        >
          <span className={styles.check}>{id === workspaceId && <Check size={14} aria-label="shown now" />}</span>
          {name}
        </MenuItem>
      ))}
    </MenuSection>
  )
}
