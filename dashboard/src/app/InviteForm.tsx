import { useMutation, useQueryClient } from '@tanstack/react-query'
import { api, dataOf, type Org } from '../api/client.ts'
import { ApiFault, faultOfField } from '../api/fault.ts'
import { Button, CopyLine, ErrorNote, Field, TextField } from '../ui/index.ts'
import { readText } from './form-text.ts'
import styles from './invite-form.module.css'
import { explainMissing, type Role, ranks } from './roles.ts'

/** Creates an invite link and shows it once, since the service sends no mail. `org` is null until it is loaded. */
export function InviteForm({ org }: { readonly org: Org | null }) {
  const queries = useQueryClient()
  const missingRole = explainMissing(org?.role, 'admin')
  const invite = useMutation({
    mutationFn: ({ email, as }: { readonly email: string; readonly as: Role }) =>
      dataOf(
        api.POST('/v1/orgs/{org_id}/invites', {
          params: { path: { org_id: org?.id ?? '' } },
          body: { email, role: as },
        }),
      ),
    onSuccess: () => queries.invalidateQueries({ queryKey: ['invites', org?.id] }),
    gcTime: 0,
  })
  const fault = invite.error instanceof ApiFault ? invite.error : null
  const emailFault = faultOfField(fault, 'email')
  return (
    <>
      <form
        className={styles.form}
        onSubmit={(event) => {
          event.preventDefault()
          const form = new FormData(event.currentTarget)
          const as = ranks.find((one) => one === readText(form, 'role')) ?? 'member'
          if (!invite.isPending && org !== null && missingRole === undefined) {
            invite.mutate({ email: readText(form, 'email'), as })
          }
        }}
      >
        <TextField
          label="E-mail"
          name="email"
          type="email"
          autoComplete="off"
          required
          maxLength={320}
          fault={emailFault}
        />
        <Field label="Role">
          {(ids) => (
            <select {...ids} name="role" defaultValue="member" className={styles.select}>
              {ranks
                .filter((one) => one !== 'owner' || org?.role === 'owner')
                .map((one) => (
                  <option key={one} value={one}>
                    {one}
                  </option>
                ))}
            </select>
          )}
        </Field>
        <Button type="submit" unavailable={invite.isPending ? 'Creating…' : missingRole}>
          Create invite
        </Button>
      </form>
      {invite.error !== null && emailFault === null && <ErrorNote error={invite.error} />}
      {invite.data !== undefined && (
        <>
          <p>
            Send this link to {invite.data.email}. It is shown once, and is valid for 7 days and for this address only.
          </p>
          <CopyLine text={`${location.origin}/invite/${invite.data.token}`} label="Invite link" />
        </>
      )}
    </>
  )
}
