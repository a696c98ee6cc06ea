// The page of the workspaces of an organization.
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { api, dataOf, type Org, type Workspace } from '../../api/client.ts'
import { EntryForm } from '../../app/EntryPage.tsx'
import { readText } from '../../app/form-text.ts'
import { workspacesQuery } from '../../app/queries.ts'
import { explainMissing } from '../../app/roles.ts'
import styles from '../../settings/settings.module.css'
import { useChangeSearch } from '../../trace/use-change-search.ts'
import {
  Button,
  CloseButton,
  type Column,
  CopyButton,
  Dialog,
  Empty,
  Link,
  Panel,
  Table,
  TextField,
} from '../../ui/index.ts'
import type { Search } from '../../window/index.ts'
import { OrgPage } from './OrgPage.tsx'

export function WorkspacesPage() {
  const { view }: Search = useSearch({ strict: false, select: (all) => all as Search })
  const change = useChangeSearch({ isStep: true })
  return (
    <OrgPage
      title="Workspaces"
      actions={(org) => (
        <Button
          variant="primary"
          unavailable={explainMissing(org.role, 'admin')}
          onClick={() => change({ view: 'new' })}
        >
          New workspace
        </Button>
      )}
    >
      {(org) => (
        <>
          <Workspaces org={org} />
          {view === 'new' && <NewDialog org={org} onClose={() => change({ view: null })} />}
        </>
      )}
    </OrgPage>
  )
}

const columns: readonly Column<Workspace>[] = [
  {
    key: 'name',
    header: 'Name',
    cell: ({ id, name }) => (
      <Link to="/w/$workspace_id" params={{ workspace_id: id }}>
        {name}
      </Link>
    ),
  },
  {
    key: 'id',
    header: 'Id',
    cell: ({ id, name }) => (
      <span className={styles.id}>
        <code>{id}</code> <CopyButton text={id} label={`Copy the id of ${name}`} />
      </span>
    ),
  },
  {
    key: 'settings',
    header: <span className="visually-hidden">Settings</span>,
    isNumber: true,
    cell: ({ id, name }) => (
      <Link to="/w/$workspace_id/settings/general" params={{ workspace_id: id }} aria-label={`Settings of ${name}`}>
        Settings
      </Link>
    ),
  },
]

function Workspaces({ org }: { readonly org: Org }) {
  const workspaces = useQuery({
    ...workspacesQuery,
    select: (all) => all.filter(({ org_id: id }) => id === org.id),
  })
  return (
    <Panel
      title="Workspaces"
      isTitled={false}
      query={workspaces}
      height={120}
      empty={(rows) => (rows.length === 0 ? <Empty>This organization has no workspace.</Empty> : null)}
    >
      {(rows) => <Table label="Workspaces" columns={columns} rows={rows} rowKey={({ id }) => id} />}
    </Panel>
  )
}

function NewDialog({ org, onClose }: { readonly org: Org; readonly onClose: () => void }) {
  const navigate = useNavigate()
  const queries = useQueryClient()
  const create = useMutation({
    mutationFn: (name: string) => dataOf(api.POST('/v1/workspaces', { body: { name, org_id: org.id } })),
    onSuccess: async ({ id }) => {
      await queries.invalidateQueries({ queryKey: ['workspaces'] })
      await navigate({ to: '/w/$workspace_id/start', params: { workspace_id: id } })
    },
  })
  return (
    <Dialog title={`New workspace in ${org.name}`} isOpen isBusy={create.isPending} onClose={onClose}>
      <p>A workspace has its own agents, traces, rules and keys. All members of the organization see it.</p>
      <EntryForm
        submit={{ label: 'Create workspace', sending: 'Creating…' }}
        error={create.error}
        isSending={create.isPending}
        unavailable={explainMissing(org.role, 'admin')}
        onSend={(form) => create.mutate(readText(form, 'name'))}
      >
        {(faultOf) => (
          <TextField
            label="Name"
            name="name"
            hint="Such as “support, production”"
            required
            maxLength={100}
            autoComplete="off"
            autoFocus
            fault={faultOf('name')}
          />
        )}
      </EntryForm>
      <CloseButton variant="quiet">Cancel</CloseButton>
    </Dialog>
  )
}
