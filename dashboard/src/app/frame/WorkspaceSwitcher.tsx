import { useQuery } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { Check, ChevronsUpDown, Layers } from 'lucide-react'
import { Button, Header, Menu, MenuItem, MenuSection, MenuTrigger, Popover } from 'react-aria-components'
import type { Workspace } from '../../api/client.ts'
import { workspacesQuery } from '../queries.ts'
import styles from './menu.module.css'

export function WorkspaceSwitcher({
  workspaceId,
  isNarrow,
}: {
  readonly workspaceId: string
  readonly isNarrow: boolean
}) {
  const { data: workspaces = [] } = useQuery(workspacesQuery)
  const current = workspaces.find(({ id }) => id === workspaceId)
  const orgs = [...Map.groupBy(workspaces, ({ org_id: orgId }) => orgId).values()]
  return (
    <MenuTrigger>
      <Button className={styles.trigger ?? ''} aria-label={`Workspace: ${current?.name ?? 'unknown'}`}>
        <Layers size={16} aria-hidden="true" />
        {!isNarrow && (
          <>
            <span className={styles.label}>{current?.name ?? '…'}</span>
            <ChevronsUpDown size={14} aria-hidden="true" />
          </>
        )}
      </Button>
      <Popover className={styles.popover ?? ''} placement="bottom start">
        <Menu className={styles.menu ?? ''} aria-label="Workspaces">
          {orgs.map((ofOrg) => (
            <OrgSection key={ofOrg[0]?.org_id} workspaces={ofOrg} workspaceId={workspaceId} />
          ))}
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
  readonly workspaceId: string
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
