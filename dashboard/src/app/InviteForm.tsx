import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api, dataOf, type Org } from '../api/client.ts'
import { ApiFault, faultOfField } from '../api/fault.ts'
import { invitesQuery } from '../settings/org-queries.ts'
import { Button, CopyLine, ErrorNote, Field, TextField } from '../ui/index.ts'
import { readText } from './form-text.ts'
import styles from './invite-form.module.css'
import { inviteLink } from './invite-token.ts'
import { explainMissing, listGivable, type Role, roleWords } from './roles.ts'

/** Creates an invite link and shows it once, since the service sends no mail. `org` is null until it is loaded. */
export function InviteForm({ org }: { readonly org: Org | null }) {
  const queries = useQueryClient()
  const missingRole = explainMissing(org?.role, 'admin')
  const isAllowed = org !== null && missingRole === undefined
  const open = useQuery({ ...invitesQuery(org?.id ?? ''), enabled: isAllowed })
  const [role, setRole] = useState<Role>('member')
  /** The address of an open invite, once the user was told that a new one ends it. */
  const [replaced, setReplaced] = useState<string | null>(null)
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
          if (invite.isPending || !isAllowed) return
          const element = event.currentTarget
          const email = readText(new FormData(element), 'email').trim()
          const earlier = open.data?.find((one) => one.email === email.toLowerCase())?.email ?? null
          if (earlier !== replaced) return setReplaced(earlier)
          const empty = (): void => {
            // An empty form cannot be sent a second time.
            element.reset()
            setRole('member')
            setReplaced(null)
          }
          invite.mutate({ email, as: role }, { onSuccess: empty })
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
            <select
              {...ids}
              className={styles.select}
              onChange={({ target }) => setRole(target.value as Role)}
              value={role}
            >
              {listGivable(org?.role ?? 'admin').map((one) => (
                <option key={one} value={one}>
                  {one}
                </option>
              ))}
            </select>
          )}
        </Field>
        <Button type="submit" unavailable={invite.isPending ? 'Creating…' : missingRole}>
          {replaced === null ? 'Create invite' : 'Replace the invite'}
        </Button>
        <p className={styles.note}>{roleWords[role]}</p>
        {replaced !== null && (
          <p className={styles.note} role="alert">
            An invite to {replaced} is open. A new one ends its link.
          </p>
        )}
      </form>
      {invite.error !== null && emailFault === null && <ErrorNote error={invite.error} />}
      {invite.data !== undefined && (
        <>
          <p>
            Send this link to {invite.data.email}. It is shown once, and is valid for 7 days and for this address only.
          </p>
          <CopyLine text={inviteLink(invite.data.token)} label="Invite link" />
        </>
      )}
    </>
  )
}
