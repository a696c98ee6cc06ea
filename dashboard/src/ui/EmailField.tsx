import { TextField } from './Field.tsx'

/** The address of the person themselves, which the browser fills in. */
export const EmailField = ({
  fault,
  defaultValue,
}: {
  readonly fault: string | null
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
    fault={fault}
  />
)
