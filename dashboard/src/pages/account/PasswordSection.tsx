// The form that changes the password, which ends all other sessions of the account.
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { api, dataOf } from '../../api/client.ts'
import { faultOfPassword } from '../../api/fault.ts'
import { readText } from '../../app/form-text.ts'
import { SavedForm } from '../../settings/SavedForm.tsx'
import styles from '../../settings/settings.module.css'
import { PasswordField } from '../../ui/index.ts'

export function PasswordSection({ email }: { readonly email: string }) {
  const queries = useQueryClient()
  const change = useMutation({
    mutationFn: (form: FormData) =>
      dataOf(
        api.POST('/v1/auth/password', {
          body: {
            current_password: readText(form, 'current_password'),
            new_password: readText(form, 'new_password'),
          },
        }),
      ),
    onSuccess: async () => await queries.invalidateQueries({ queryKey: ['sessions'] }),
    gcTime: 0,
  })
  return (
    <section className={styles.form} aria-labelledby="password">
      <h2 id="password">Password</h2>
      <SavedForm
        submit={{ label: 'Change the password', sending: 'Changing…' }}
        change={change}
        saved="The password was changed. All other sessions have ended."
        readFault={faultOfPassword}
        // The fields are empty again after each change.
        onSend={(form, element) => change.mutate(form, { onSuccess: () => element.reset() })}
      >
        {(faultOf) => (
          <>
            {/* Identifies the account for the password manager of the browser. */}
            <input type="email" name="username" autoComplete="username" value={email} readOnly hidden />
            <PasswordField label="Current password" name="current_password" fault={faultOf('current_password')} />
            <PasswordField
              label="New password"
              name="new_password"
              hint="At least 12 characters. All other sessions end."
              isNew
              fault={faultOf('new_password')}
            />
          </>
        )}
      </SavedForm>
    </section>
  )
}
