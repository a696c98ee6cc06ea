// The session has ended while somebody filled in a form: they sign in again above the page, which stays as it is.
import { useMutation, useQuery } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { signIn } from '../../api/client.ts'
import { Button, Dialog, PasswordField, TextField } from '../../ui/index.ts'
import { EntryForm } from '../EntryPage.tsx'
import { readText } from '../form-text.ts'
import { meQuery } from '../queries.ts'
import { setAsked, useAsked } from './asked.ts'

export const SessionDialog = () => (useAsked() ? <Asking /> : null)

function Asking() {
  const router = useRouter()
  // As it was known before: nobody is signed in to be asked about.
  const { data: me } = useQuery({ ...meQuery, enabled: false })
  // The dialog closes once it is known that the same person has signed in, here or in another tab.
  const enter = useMutation({
    mutationFn: (form: FormData) => signIn({ email: readText(form, 'email'), password: readText(form, 'password') }),
    gcTime: 0,
  })
  const leave = (): void => {
    setAsked(false)
    void router.invalidate()
  }
  return (
    <Dialog title="Your session has ended" isOpen isDismissable={false} onClose={leave}>
      <p>Sign in again to go on. What you have typed on this page stays.</p>
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
              defaultValue={me?.user.email ?? ''}
              fault={faultOf('email')}
            />
            <PasswordField label="Password" fault={faultOf('password')} />
          </>
        )}
      </EntryForm>
      <Button variant="quiet" onClick={leave}>
        Leave this page
      </Button>
    </Dialog>
  )
}
