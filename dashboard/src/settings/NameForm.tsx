import type { ComponentProps } from 'react'
import { readText } from '../app/form-text.ts'
import { TextField } from '../ui/index.ts'
import { SavedForm } from './SavedForm.tsx'

type Props = Pick<ComponentProps<typeof SavedForm>, 'change'> & {
  readonly name: string
  /** Why the user may not change the name; undefined if they may. */
  readonly missingRole: string | undefined
  readonly onRename: (name: string) => void
}

/** The form with the name of an organization or of a workspace. */
export const NameForm = ({ change, name, missingRole, onRename }: Props) => (
  <SavedForm change={change} unavailable={missingRole} onSend={(form) => onRename(readText(form, 'name'))}>
    {(faultOf) => (
      <TextField
        label="Name"
        name="name"
        required
        maxLength={100}
        autoComplete="off"
        defaultValue={name}
        readOnly={missingRole !== undefined}
        fault={faultOf('name')}
      />
    )}
  </SavedForm>
)
