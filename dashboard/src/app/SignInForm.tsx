import { useMutation } from '@tanstack/react-query'
import { signIn } from '../api/client.ts'
import { EmailField, PasswordField } from '../ui/index.ts'
import { EntryForm } from './EntryPage.tsx'
import { readText } from './form-text.ts'

/** The sign-in form. `email`: the address that it is filled in with. */
export function SignInForm({
  email,
  onEntered,
}: {
  readonly email?: string | undefined
  readonly onEntered?: () => void
}) {
  const enter = useMutation({
    mutationFn: (form: FormData) => signIn({ email: readText(form, 'email'), password: readText(form, 'password') }),
    onSuccess: () => onEntered?.(),
    // Removes the mutation from the cache at once, since it holds the password.
    gcTime: 0,
  })
  return (
    <EntryForm
      submit={{ label: 'Sign in', sending: 'Signing in…' }}
      error={enter.error}
      isSending={enter.isPending}
      onSend={(form) => enter.mutate(form)}
    >
      {(faultOf) => (
        <>
          <EmailField autoFocus={email === undefined} defaultValue={email} fault={faultOf('email')} />
          <PasswordField label="Password" fault={faultOf('password')} />
        </>
      )}
    </EntryForm>
  )
}
