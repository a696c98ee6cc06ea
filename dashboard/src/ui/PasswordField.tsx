import { Eye, EyeOff } from 'lucide-react'
import { useState } from 'react'
import { Button } from './Button.tsx'
import { Field } from './Field.tsx'
import styles from './field.module.css'

/** A password field. The password can be pasted, filled in by the browser, and shown. */
export function PasswordField({
  label,
  hint,
  fault,
  name = 'password',
  isNew = false,
}: {
  readonly label: string
  readonly hint?: string
  readonly fault?: string | null
  readonly name?: string
  readonly isNew?: boolean
}) {
  const [isShown, setShown] = useState(false)
  const action = isShown ? 'Hide the password' : 'Show the password'
  return (
    <Field label={label} hint={hint} fault={fault}>
      {(ids) => (
        <div className={styles.row}>
          <input
            {...ids}
            className={styles.input}
            name={name}
            type={isShown ? 'text' : 'password'}
            autoComplete={isNew ? 'new-password' : 'current-password'}
            required
            maxLength={128}
            {...(isNew ? { minLength: 12 } : {})}
          />
          <Button variant="quiet" aria-label={action} title={action} onClick={() => setShown(!isShown)}>
            {isShown ? <EyeOff size={16} aria-hidden="true" /> : <Eye size={16} aria-hidden="true" />}
          </Button>
        </div>
      )}
    </Field>
  )
}
