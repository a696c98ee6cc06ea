import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { api, dataOf } from '../../api/client.ts'
import { EntryForm, EntryPage } from '../../app/EntryPage.tsx'
import { readText } from '../../app/form-text.ts'
import { meQuery } from '../../app/queries.ts'
import { SignOutButton } from '../../app/SignOutButton.tsx'
import { Link, TextField } from '../../ui/index.ts'

/** The page of a user who has no workspace, because the last one was deleted or because they never had one. */
export function HomePage() {
  const navigate = useNavigate()
  const queries = useQueryClient()
  const { data: me } = useQuery(meQuery)
  const org = me?.orgs.find(({ role }) => role === 'owner' || role === 'admin')
  const create = useMutation({
    mutationFn: (name: string) => dataOf(api.POST('/v1/workspaces', { body: { name, org_id: org?.id ?? null } })),
    onSuccess: async ({ id }) => {
      await queries.invalidateQueries({ queryKey: ['workspaces'] })
      await navigate({ to: '/w/$workspace_id/start', params: { workspace_id: id } })
    },
  })
  if (me !== undefined && org === undefined) {
    return (
      <EntryPage title="You have no workspace">
        <p>Only owners and admins of an organization create workspaces. Ask one of them, or ask for an invite.</p>
        <Leave />
      </EntryPage>
    )
  }
  return (
    <EntryPage title="You have no workspace">
      <p>A workspace holds the traces, rules and keys of your agents.</p>
      <EntryForm
        submit={{ label: 'Create workspace', sending: 'Creating…' }}
        error={create.error}
        isSending={create.isPending}
        onSend={(form) => create.mutate(readText(form, 'name'))}
      >
        {(faultOf) => <TextField label="Name" name="name" required maxLength={100} fault={faultOf('name')} />}
      </EntryForm>
      <Leave />
    </EntryPage>
  )
}

const Leave = () => (
  <>
    <p>
      <Link to="/account">Your account</Link>
    </p>
    <SignOutButton />
  </>
)
