// The pages of visitors who are not signed in: one card, no frame.
import type { ReactNode } from 'react'
import { ApiFault, faultOfField } from '../api/fault.ts'
import { useCountdown } from '../ui/countdown.ts'
import { Button, ErrorNote, Page } from '../ui/index.ts'
import styles from './entry.module.css'

export function EntryPage({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <main className={styles.page}>
      <div className={styles.card}>
        <p className={styles.brand}>Tracewright</p>
        <Page title={title}>{children}</Page>
      </div>
    </main>
  )
}

/** A form that shows a fault once: at the field that caused it, or else below the fields. After Retry-After it stays disabled that long. */
export function EntryForm({
  submit,
  error,
  isSending,
  unavailable,
  readFault = faultOfField,
  onEdit,
  onSend,
  children,
}: {
  readonly submit: { readonly label: string; readonly sending: string; readonly variant?: 'primary' | 'danger' }
  readonly error: unknown
  readonly isSending: boolean
  /** Why this user cannot send the form. */
  readonly unavailable?: string | undefined
  /** For a request body that is not a plain object of the fields. */
  readonly readFault?: (fault: ApiFault | null, field: string) => string | null
  /** Called when a field changes. */
  readonly onEdit?: () => void
  readonly onSend: (form: FormData, element: HTMLFormElement) => void
  readonly children: (faultOf: (field: string) => string | null) => ReactNode
}) {
  const fault = error instanceof ApiFault ? error : null
  const waitS = useCountdown(fault, fault?.retryAfterS ?? null)
  // A fault that no field shows is shown below the fields.
  let isAtField = false
  const fields = children((field) => {
    const text = readFault(fault, field)
    isAtField ||= text !== null
    return text
  })
  const wait = waitS > 0 ? `Wait ${waitS} s` : undefined
  return (
    <form
      className={styles.form}
      onChange={onEdit}
      onSubmit={(event) => {
        event.preventDefault()
        const element = event.currentTarget
        if (!isSending && waitS === 0 && unavailable === undefined) onSend(new FormData(element), element)
      }}
    >
      {fields}
      {error !== null && !isAtField && <ErrorNote error={error} />}
      <Button
        type="submit"
        variant={submit.variant ?? 'primary'}
        unavailable={isSending ? submit.sending : (wait ?? unavailable)}
      >
        {isSending ? submit.sending : (wait ?? submit.label)}
      </Button>
    </form>
  )
}
