import { useMutation, useQuery } from '@tanstack/react-query'
import { useRouter, useSearch } from '@tanstack/react-router'
import { signIn } from '../../api/client.ts'
import { EntryForm, EntryPage } from '../../app/EntryPage.tsx'
import { readNext } from '../../app/entered.ts'
import { readText } from '../../app/form-text.ts'
import { metaQuery } from '../../app/queries.ts'
import { Link, PasswordField, TextField } from '../../ui/index.ts'
import type { Search } from '../../window/index.ts'

export function SignInPage() {
  const router = useRouter()
  const { next }: Search = useSearch({ strict: false })
  const { data: meta } = useQuery(metaQuery)
  const enter = useMutation({
    mutationFn: (form: FormData) => signIn({ email: readText(form, 'email'), password: readText(form, 'password') }),
    onSuccess: () => router.history.push(readNext(next) ?? '/'),
  })
  return (
    <EntryPage title="Sign in">
      <EntryForm
        submit={{ label: 'Sign in', sending: 'Signing in…' }}
        error={enter.error}
        isSending={enter.isPending}
        onSend={enter.mutate}
      >
        {(faultOf) => (
          <>
            <TextField
              label="E-mail"
              name="email"
              type="email"
              autoComplete="username"
              required
              maxLength={320}
              fault={faultOf('email')}
            />
            <PasswordField label="Password" fault={faultOf('password')} />
          </>
        )}
      </EntryForm>
      <p>
        <Link to="/forgot-password">Forgot your password?</Link>
      </p>
      {meta?.signup_open === true && (
        <p>
          No account yet? <Link to="/sign-up">Sign up</Link>
        </p>
      )}
      {meta?.signup_open === false && <p>New accounts need an invite here. Ask an owner or admin for one.</p>}
    </EntryPage>
  )
}
