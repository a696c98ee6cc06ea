import { useQuery } from '@tanstack/react-query'
import { useRouter, useSearch } from '@tanstack/react-router'
import { hasSessionEnded } from '../../api/client.ts'
import { EntryPage } from '../../app/EntryPage.tsx'
import { deletedReason, readNext } from '../../app/entered.ts'
import { metaQuery } from '../../app/queries.ts'
import { SignInForm } from '../../app/SignInForm.tsx'
import { Link } from '../../ui/index.ts'
import type { Search } from '../../window/index.ts'

export function SignInPage() {
  const router = useRouter()
  const { next, reason }: Search = useSearch({ strict: false })
  const { data: meta } = useQuery(metaQuery)
  return (
    <EntryPage title="Sign in">
      {reason === deletedReason ? (
        <p role="status">Your account was deleted.</p>
      ) : hasSessionEnded() ? (
        <p role="status">
          Your session has ended: it was ended elsewhere, the password was changed, or it was not used for too long.
        </p>
      ) : null}
      <SignInForm onEntered={() => router.history.push(readNext(next) ?? '/')} />
      <p>
        <Link to="/forgot-password">Forgot your password?</Link>
      </p>
      {meta?.signup_open === true && (
        <p>
          No account yet? <Link to="/sign-up">Sign up</Link>
        </p>
      )}
      {meta?.signup_open === false && <p>New accounts require an invite. Ask an owner or admin for one.</p>}
    </EntryPage>
  )
}
