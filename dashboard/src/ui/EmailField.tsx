import { TextField } from './Field.tsx'

/** The field for the user's own e-mail address, which the browser can fill in. */
export const EmailField = ({
  fault,
  defaultValue,
  autoFocus,
}: {
  readonly fault: string | null
  readonly autoFocus?: boolean
  readonly defaultValue?: string | undefined
}) => (
  <TextField
    label="E-mail"
    name="email"
    type="email"
    autoComplete="username"
    required
    maxLength={320}
    defaultValue={defaultValue}
    autoFocus={autoFocus}
    fault={fault}
  />
)
