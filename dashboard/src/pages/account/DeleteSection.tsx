// The section that deletes the account. It lists what this means for each organization.
import { useMutation, useQueries, useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { api, dataOf, type Org, signOut, type User } from '../../api/client.ts'
import { faultOfPassword } from '../../api/fault.ts'
import { EntryForm } from '../../app/EntryPage.tsx'
import { deletedReason } from '../../app/entered.ts'
import { readText } from '../../app/form-text.ts'
import { workspacesQuery } from '../../app/queries.ts'
import { membersQuery } from '../../settings/org-queries.ts'
import styles from '../../settings/settings.module.css'
import { Button, CloseButton, Dialog, Link, PasswordField, QueryErrors } from '../../ui/index.ts'
import { isLastOwner, tellConsequence } from './consequence.ts'

type Me = { readonly user: User; readonly orgs: readonly Org[] }

export function DeleteSection({ me }: { readonly me: Me | null }) {
  const [isAsking, setAsking] = useState(false)
  return (
    <section className={styles.form} aria-labelledby="delete-account">
      <h2 id="delete-account">Delete the account</h2>
      <p className={styles.lead}>
        Your address, name and password are removed, and all of your sessions end. An organization without other members
        is deleted too. The audit log keeps the id of your account.
      </p>
      <p>
        <Button variant="danger" unavailable={me === null ? 'Loading…' : undefined} onClick={() => setAsking(true)}>
          Delete my account
        </Button>
      </p>
      {isAsking && me !== null && <DeleteDialog me={me} onClose={() => setAsking(false)} />}
    </section>
  )
}

function DeleteDialog({ me, onClose }: { readonly me: Me; readonly onClose: () => void }) {
  const navigate = useNavigate()
  const members = useQueries({ queries: me.orgs.map(({ id }) => membersQuery(id)) })
  const refused = me.orgs.filter(({ role }, at) => isLastOwner(role, members[at]?.data ?? []))
  const remove = useMutation({
    mutationFn: async (password: string) => {
      await dataOf(api.DELETE('/v1/auth/me', { body: { current_password: password } }))
      // Left first: the page of the account would lead to signing in and back to itself.
      await navigate({ to: '/sign-in', search: { reason: deletedReason } })
      // The session has ended already. This call removes its cookie.
      await signOut()
    },
    gcTime: 0,
  })
  return (
    <Dialog title={`Delete the account ${me.user.email}?`} isOpen isBusy={remove.isPending} onClose={onClose}>
      <ul>
        {me.orgs.map((org) => (
          <Consequence key={org.id} org={org} />
        ))}
      </ul>
      {refused.map(({ id, name }) => (
        <p key={id}>
          <Link to="/o/$org_id/settings/members" params={{ org_id: id }}>
            Members of {name}
          </Link>
        </p>
      ))}
      {refused.length === 0 && (
        <>
          <p>This cannot be undone.</p>
          <EntryForm
            submit={{ label: 'Delete my account permanently', sending: 'Deleting…', variant: 'danger' }}
            error={remove.error}
            isSending={remove.isPending}
            readFault={faultOfPassword}
            onSend={(form) => remove.mutate(readText(form, 'password'))}
          >
            {(faultOf) => <PasswordField label="Your password" fault={faultOf('current_password')} />}
          </EntryForm>
        </>
      )}
      <CloseButton variant="quiet">Keep it</CloseButton>
    </Dialog>
  )
}

function Consequence({ org }: { readonly org: Org }) {
  const members = useQuery(membersQuery(org.id))
  const workspaces = useQuery(workspacesQuery)
  const names = workspaces.data?.filter(({ org_id: id }) => id === org.id).map(({ name }) => name)
  const isKnown = members.data !== undefined && names !== undefined
  return (
    <li>
      <strong>{org.name}</strong>:{' '}
      {isKnown ? tellConsequence(org.role, members.data, names) : 'loading what this means…'}
      {!isKnown && <QueryErrors queries={[members, workspaces]} />}
    </li>
  )
}
