import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { api, dataOf, type Org, readToken, type SignUpBody, signUp } from '../../api/client.ts'
import { EntryForm, EntryPage } from '../../app/EntryPage.tsx'
import { EmailField, Link, PasswordField, TextField } from '../../ui/index.ts'
import { readSignUp } from '../sign-up/read-sign-up.ts'

const route = getRouteApi('/invite/$token')

/** A signed-in user accepts the invite. Any other user signs up, which also accepts it, or signs in first. */
export function InvitePage() {
  const { token } = route.useParams()
  const [joined, setJoined] = useState<Org | null>(null)
  const signedIn = useQuery({ queryKey: ['signed-in'], queryFn: async () => (await readToken()) !== null, gcTime: 0 })
  if (joined !== null) return <Joined org={joined} />
  if (signedIn.data === undefined) return <EntryPage title="Invite">{null}</EntryPage>
  return signedIn.data ? <Accept token={token} onJoined={setJoined} /> : <Register token={token} onJoined={setJoined} />
}

type Props = { readonly token: string; readonly onJoined: (org: Org) => void }

function Accept({ token, onJoined }: Props) {
  const accept = useMutation({
    mutationFn: () => dataOf(api.POST('/v1/invites/accept', { body: { token } })),
    onSuccess: ({ org }) => onJoined(org),
  })
  return (
    <EntryPage title="Accept the invite">
      <p>You were invited to an organization. It is for the address that you are signed in with.</p>
      <EntryForm
        submit={{ label: 'Accept', sending: 'Accepting…' }}
        error={accept.error}
        isSending={accept.isPending}
        onSend={() => accept.mutate()}
      >
        {() => null}
      </EntryForm>
    </EntryPage>
  )
}

function Register({ token, onJoined }: Props) {
  const register = useMutation({
    mutationFn: (body: SignUpBody) => signUp({ ...body, invite_token: token }),
    onSuccess: ({ org }) => onJoined(org),
  })
  return (
    <EntryPage title="Join by invite">
      <p>Use the e-mail address of the invite.</p>
      <EntryForm
        submit={{ label: 'Sign up and join', sending: 'Joining…' }}
        error={register.error}
        isSending={register.isPending}
        onSend={(form) => register.mutate(readSignUp(form))}
      >
        {(faultOf) => (
          <>
            <EmailField fault={faultOf('email')} />
            <TextField label="Name" name="name" autoComplete="name" maxLength={100} fault={faultOf('name')} />
            <PasswordField label="Password" hint="At least 12 characters." isNew fault={faultOf('password')} />
          </>
        )}
      </EntryForm>
      <p>
        Already registered?{' '}
        <Link to="/sign-in" search={{ next: `/invite/${token}` }}>
          Sign in
        </Link>{' '}
        and accept.
      </p>
    </EntryPage>
  )
}

function Joined({ org }: { readonly org: Org }) {
  const navigate = useNavigate()
  const queries = useQueryClient()
  return (
    <EntryPage title={`You joined ${org.name}`}>
      <p>
        Your role is <strong>{org.role}</strong>.
      </p>
      <EntryForm
        submit={{ label: 'Open a workspace', sending: 'Opening…' }}
        error={null}
        isSending={false}
        onSend={() => {
          queries.clear()
          void navigate({ to: '/' })
        }}
      >
        {() => null}
      </EntryForm>
    </EntryPage>
  )
}
