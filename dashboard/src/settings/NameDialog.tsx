import { type ReactNode, useState } from 'react'
import { EntryForm } from '../app/EntryPage.tsx'
import { CloseButton, Dialog, TextField } from '../ui/index.ts'

/** Confirms a deletion. To prevent accidents, the user has to type the name of the object. */
export function NameDialog({
  title,
  name,
  label,
  action,
  isBusy,
  error,
  onConfirm,
  onClose,
  children,
}: {
  readonly title: string
  readonly name: string
  readonly label: string
  readonly action: string
  readonly isBusy: boolean
  readonly error: unknown
  readonly onConfirm: () => void
  readonly onClose: () => void
  readonly children: ReactNode
}) {
  const [typed, setTyped] = useState('')
  return (
    <Dialog title={title} isOpen isBusy={isBusy} onClose={onClose}>
      <p>{children}</p>
      <EntryForm
        submit={{ label: action, sending: 'Deleting…', variant: 'danger' }}
        error={error}
        isSending={isBusy}
        unavailable={typed.trim() === name ? undefined : `Type “${name}” first`}
        onSend={onConfirm}
      >
        {() => (
          <TextField
            label={`${label}: ${name}`}
            autoComplete="off"
            autoFocus
            value={typed}
            onChange={({ target }) => setTyped(target.value)}
          />
        )}
      </EntryForm>
      <CloseButton variant="quiet">Keep it</CloseButton>
    </Dialog>
  )
}
