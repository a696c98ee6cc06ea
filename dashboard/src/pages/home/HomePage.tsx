import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { api, dataOf } from '../../api/client.ts'
import { ApiFault, faultOfField } from '../../api/fault.ts'
import { meQuery } from '../../app/queries.ts'
import { SignOutButton } from '../../app/SignOutButton.tsx'
import { Button, ErrorNote, Page, TextField } from '../../ui/index.ts'

/** For people whose last workspace was deleted, or who were never given one. */
export function HomePage() {
  const navigate = useNavigate()
  const queries = useQueryClient()
  const me = useQuery(meQuery)
  const org = me.data?.orgs.find(({ role }) => role === 'owner' || role === 'admin')
  const create = useMutation({
    mutationFn: (name: string) => dataOf(api.POST('/v1/workspaces', { body: { name, org_id: org?.id ?? null } })),
    onSuccess: async ({ id }) => {
      await queries.invalidateQueries({ queryKey: ['workspaces'] })
      await navigate({ to: '/w/$workspace_id/start', params: { workspace_id: id } })
    },
  })
  const fault = create.error instanceof ApiFault ? create.error : null
  const nameFault = faultOfField(fault, 'name')
  return (
    <Page title="You have no workspace" actions={<SignOutButton />}>
      <form
        action={(form) => create.mutate(String(form.get('name')))}
        style={{ display: 'grid', gap: 16, maxWidth: 420 }}
      >
        <p>A workspace holds the traces, rules and keys of your agents.</p>
        <TextField label="Name" name="name" required maxLength={100} fault={nameFault} />
        {create.error !== null && nameFault === null && <ErrorNote error={create.error} />}
        <Button
          type="submit"
          variant="primary"
          unavailable={me.data !== undefined && org === undefined ? 'Only owners and admins create one' : undefined}
        >
          Create workspace
        </Button>
      </form>
    </Page>
  )
}
