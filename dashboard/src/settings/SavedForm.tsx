import type { UseMutationResult } from '@tanstack/react-query'
import { type ComponentProps, useState } from 'react'
import { EntryForm } from '../app/EntryPage.tsx'
import styles from './settings.module.css'

type Props = Omit<ComponentProps<typeof EntryForm>, 'submit' | 'error' | 'isSending' | 'onEdit'> & {
  readonly submit?: ComponentProps<typeof EntryForm>['submit']
  /** The mutation that stores what the form contains. */
  readonly change: Pick<UseMutationResult, 'error' | 'isPending' | 'isSuccess' | 'submittedAt'>
  readonly saved?: string
}

/** A form with a note below it that its content was stored. The note disappears with the next edit, since the form then differs again. */
export function SavedForm({ submit, change, saved = 'Saved.', ...form }: Props) {
  const [editedAtMs, setEditedAtMs] = useState(0)
  return (
    <>
      <EntryForm
        {...form}
        submit={submit ?? { label: 'Save', sending: 'Saving…' }}
        error={change.error}
        isSending={change.isPending}
        onEdit={() => setEditedAtMs(Date.now())}
      />
      <p role="status" className={styles.saved}>
        {change.isSuccess && editedAtMs <= change.submittedAt && saved}
      </p>
    </>
  )
}
