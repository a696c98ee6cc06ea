// The dialog for a session that ended while the user filled in a form. They sign in again above the page, which stays as it is.
import { useQuery } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { Button, Dialog } from '../../ui/index.ts'
import { meQuery } from '../queries.ts'
import { SignInForm } from '../SignInForm.tsx'
import { setAsked, useAsked } from './asked.ts'

export const SessionDialog = () => (useAsked() ? <Asking /> : null)

function Asking() {
  const router = useRouter()
  // The cached user. No request is sent, since there is no session.
  const { data: me } = useQuery({ ...meQuery, enabled: false })
  const leave = (): void => {
    setAsked(false)
    void router.invalidate()
  }
  return (
    <Dialog title="Your session has ended" isOpen isDismissable={false} onClose={leave}>
      <p>Sign in again to continue. Your unsaved input on this page is kept.</p>
      {/* The dialog closes once the service confirms that the same user has signed in, here or in another tab. */}
      <SignInForm email={me?.user.email} />
      <Button variant="quiet" onClick={leave}>
        Leave this page
      </Button>
    </Dialog>
  )
}
