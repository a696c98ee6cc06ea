import { useQuery } from '@tanstack/react-query'
import { useRouter, useSearch } from '@tanstack/react-router'
import { EntryPage } from '../../app/EntryPage.tsx'
import { readNext } from '../../app/entered.ts'
import { metaQuery } from '../../app/queries.ts'
import { SignInForm } from '../../app/SignInForm.tsx'
import { Link } from '../../ui/index.ts'
import type { Search } from '../../window/index.ts'

export function SignInPage() {
  const router = useRouter()
  const { next }: Search = useSearch({ strict: false })
  const { data: meta } = useQuery(metaQuery)
  return (
    <EntryPage title="Sign in">
      <SignInForm onEntered={() => router.history.push(readNext(next) ?? '/')} />
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
