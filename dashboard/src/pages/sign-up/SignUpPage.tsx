import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { type SignUpBody, signUp } from '../../api/client.ts'
import { EntryForm, EntryPage } from '../../app/EntryPage.tsx'
import { metaQuery, workspacesQuery } from '../../app/queries.ts'
import { EmailField, Link, PasswordField, TextField } from '../../ui/index.ts'
import { readSignUp } from './read-sign-up.ts'

export function SignUpPage() {
  const navigate = useNavigate()
  const queries = useQueryClient()
  const { data: meta } = useQuery(metaQuery)
  const enter = useMutation({
    mutationFn: (body: SignUpBody) => signUp(body),
    onSuccess: async () => {
      const [first] = await queries.fetchQuery(workspacesQuery)
      if (first === undefined) await navigate({ to: '/' })
      else await navigate({ to: '/w/$workspace_id/start', params: { workspace_id: first.id } })
    },
  })
  if (meta?.signup_open === false) {
    return (
      <EntryPage title="Sign up">
        <p>New accounts require an invite. Ask an owner or admin for one, and open the link that you receive.</p>
        <p>
          <Link to="/sign-in">Sign in</Link>
        </p>
      </EntryPage>
    )
  }
  return (
    <EntryPage title="Sign up">
      <EntryForm
        submit={{ label: 'Sign up', sending: 'Signing up…' }}
        error={enter.error}
        isSending={enter.isPending}
        onSend={(form) => enter.mutate(readSignUp(form))}
      >
        {(faultOf) => (
          <>
            <TextField
              label="Organization"
              name="org_name"
              autoComplete="organization"
              required
              maxLength={100}
              hint="You can rename it later."
              fault={faultOf('org_name')}
            />
            <EmailField fault={faultOf('email')} />
            <PasswordField label="Password" hint="At least 12 characters." isNew fault={faultOf('password')} />
          </>
        )}
      </EntryForm>
      <p>
        Already registered? <Link to="/sign-in">Sign in</Link>
      </p>
    </EntryPage>
  )
}
