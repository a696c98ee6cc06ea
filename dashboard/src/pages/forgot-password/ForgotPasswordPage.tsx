// The page that requests a password reset link by mail. The link opens a page of the service, which works without the dashboard.
import { useMutation, useQuery } from '@tanstack/react-query'
import { api, dataOf } from '../../api/client.ts'
import { EntryForm, EntryPage } from '../../app/EntryPage.tsx'
import { readText } from '../../app/form-text.ts'
import { metaQuery } from '../../app/queries.ts'
import { EmailField, ErrorNote, Link } from '../../ui/index.ts'

export function ForgotPasswordPage() {
  const { data: meta, error, refetch } = useQuery(metaQuery)
  const ask = useMutation({
    mutationFn: (email: string) => dataOf(api.POST('/v1/auth/reset', { body: { email } })),
  })
  return (
    <EntryPage title="Forgot your password?">
      {error !== null && <ErrorNote error={error} onRetry={() => void refetch()} />}
      {meta?.mailer === false && (
        <p>
          This service sends no mail. Ask an owner of your organization for a reset link: they create it under Members
          in the settings.
        </p>
      )}
      {meta?.mailer === true && ask.isSuccess && (
        <p role="status">
          If the address has an account, a link is on its way to it. The link works once, within one hour.
        </p>
      )}
      {meta?.mailer === true && !ask.isSuccess && (
        <EntryForm
          submit={{ label: 'Send me a link', sending: 'Sending…' }}
          error={ask.error}
          isSending={ask.isPending}
          onSend={(form) => ask.mutate(readText(form, 'email'))}
        >
          {(faultOf) => <EmailField fault={faultOf('email')} />}
        </EntryForm>
      )}
      <p>
        <Link to="/sign-in">Back to signing in</Link>
      </p>
    </EntryPage>
  )
}
