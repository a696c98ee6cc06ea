import type { ReactNode } from 'react'
import { Button, CloseButton, Dialog, ErrorNote } from '../ui/index.ts'
import styles from './settings.module.css'

/** Asks for confirmation of an action that cannot be undone. */
export function ConfirmDialog({
  title,
  action,
  refusal = 'Cancel',
  isBusy = false,
  error = null,
  onConfirm,
  onClose,
  children,
}: {
  readonly title: string
  readonly action: string
  readonly refusal?: string
  readonly isBusy?: boolean
  readonly error?: unknown
  readonly onConfirm: () => void
  readonly onClose: () => void
  readonly children: ReactNode
}) {
  return (
    <Dialog title={title} isOpen isBusy={isBusy} onClose={onClose}>
      <p>{children}</p>
      {error !== null && <ErrorNote error={error} />}
      <div className={styles.row}>
        <Button variant="danger" unavailable={isBusy ? 'One moment…' : undefined} onClick={onConfirm}>
          {isBusy ? 'One moment…' : action}
        </Button>
        <CloseButton>{refusal}</CloseButton>
      </div>
    </Dialog>
  )
}
