import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { api, dataOf, type Org, readToken, type Schemas, type SignUpBody, signUp } from '../../api/client.ts'
import { ApiFault, faultOfField } from '../../api/fault.ts'
import { EntryForm, EntryPage } from '../../app/EntryPage.tsx'
import { roleWords } from '../../app/roles.ts'
import { SignOutButton } from '../../app/SignOutButton.tsx'
import { EmailField, ErrorNote, Link, PasswordField, TextField } from '../../ui/index.ts'
import { readSignUp } from '../sign-up/read-sign-up.ts'

const route = getRouteApi('/invite')

type Invite = Schemas['InviteView']

export function InvitePage() {
  const token = route.useRouteContext({ select: ({ inviteToken }) => inviteToken })
  return token === null ? <NotOpen /> : <OpenInvite key={token} token={token} />
}

/** A signed-in user accepts the invite. Any other user signs up, which also accepts it, or signs in first. */
function OpenInvite({ token }: { readonly token: string }) {
  const [joined, setJoined] = useState<Org | null>(null)
  const { invite, error, refetch } = useInvite(token)
  const signedIn = useQuery({ queryKey: ['signed-in'], queryFn: async () => (await readToken()) !== null, gcTime: 0 })
  if (joined !== null) return <Joined org={joined} />
  if (error instanceof ApiFault && error.status === 404) return <NotValid />
  if (error !== null)
    return (
      <EntryPage title="Invite">
        <ErrorNote error={error} onRetry={refetch} />
      </EntryPage>
    )
  if (invite === null || signedIn.data === undefined) return <EntryPage title="Invite">{null}</EntryPage>
  const Form = signedIn.data ? Accept : Register
  return <Form invite={invite} token={token} onJoined={setJoined} />
}

function useInvite(token: string) {
  const [invite, setInvite] = useState<Invite | null>(null)
  const { data, error, refetch } = useQuery({
    queryKey: ['invite', token],
    queryFn: ({ signal }) => dataOf(api.POST('/v1/invites/lookup', { body: { token }, signal })),
    // Signing up clears all queries, and then the invite is used up.
    enabled: invite === null,
  })
  if (invite === null && data !== undefined) setInvite(data)
  return { invite, error: invite === null ? error : null, refetch: () => void refetch() }
}

/** After a reload: the token is only in memory. */
const NotOpen = () => (
  <EntryPage title="Open the link of your invite">
    <p>Invites are opened with the link that you were sent. After a reload of this page, open the link again.</p>
    <p>
      <Link to="/sign-in">Sign in</Link>
    </p>
  </EntryPage>
)

const NotValid = () => (
  <EntryPage title="This invite is not valid">
    <p>
      It was used, withdrawn or replaced by a newer link, or its 7 days are over. Ask the person who invited you for a
      new link.
    </p>
    <p>
      <Link to="/sign-in">Sign in</Link>
    </p>
  </EntryPage>
)

const Summary = ({ invite }: { readonly invite: Invite }) => (
  <p>
    {invite.invited_by} invited you to <strong>{invite.org_name}</strong> as <strong>{invite.role}</strong>:{' '}
    {roleWords[invite.role]}
  </p>
)

type Props = { readonly invite: Invite; readonly token: string; readonly onJoined: (org: Org) => void }

/** The service gives the same answer to a wrong address and to an invite that ended meanwhile. */
const isOfOther = (error: unknown): boolean => error instanceof ApiFault && error.status === 404

function Accept({ invite, token, onJoined }: Props) {
  const accept = useMutation({
    mutationFn: () => dataOf(api.POST('/v1/invites/accept', { body: { token } })),
    onSuccess: ({ org }) => onJoined(org),
  })
  return (
    <EntryPage title="Accept the invite">
      <Summary invite={invite} />
      {isOfOther(accept.error) && (
        <>
          <p role="alert">
            This invite is for another address than the one that you are signed in with, or it is no longer valid.
          </p>
          <SignOutButton />
        </>
      )}
      <EntryForm
        submit={{ label: 'Accept', sending: 'Accepting…' }}
        error={isOfOther(accept.error) ? null : accept.error}
        isSending={accept.isPending}
        onSend={() => accept.mutate()}
      >
        {() => null}
      </EntryForm>
    </EntryPage>
  )
}

function Register({ invite, token, onJoined }: Props) {
  const register = useMutation({
    mutationFn: (body: SignUpBody) => signUp({ ...body, invite_token: token }),
    onSuccess: ({ org }) => onJoined(org),
  })
  return (
    <EntryPage title="Join by invite">
      <Summary invite={invite} />
      <EntryForm
        submit={{ label: 'Sign up and join', sending: 'Joining…' }}
        error={register.error}
        isSending={register.isPending}
        readFault={(fault, field) =>
          field === 'email' && isOfOther(fault)
            ? 'The invite is for another address, or it is no longer valid.'
            : faultOfField(fault, field)
        }
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
        <Link to="/sign-in" search={{ next: '/invite' }}>
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
