import { CircleAlert } from 'lucide-react'
import { ApiFault } from '../api/fault.ts'
import { Button } from './Button.tsx'
import { CopyButton } from './CopyButton.tsx'
import { useCountdown } from './countdown.ts'
import styles from './error-note.module.css'

/** A failure: the message of the service, the request id to search the logs for, and a button to retry. */
export function ErrorNote({
  error,
  onRetry,
}: {
  readonly error: unknown
  readonly onRetry?: (() => void) | undefined
}) {
  const fault = error instanceof ApiFault ? error : null
  const text = fault === null ? `This page failed: ${String(error)}` : describe(fault)
  const waitS = useCountdown(fault, fault?.retryAfterS ?? null)
  return (
    <div role="alert" className={styles.note}>
      <p className={styles.text}>
        <CircleAlert size={14} aria-hidden="true" />
        <span>{text}</span>
        {waitS > 0 && <span className={styles.wait}>Try again in {waitS} s.</span>}
      </p>
      <p className={styles.foot}>
        {onRetry !== undefined && <Button onClick={onRetry}>Retry</Button>}
        {fault?.requestId != null && (
          <>
            {!text.includes(fault.requestId) && (
              <span>
                Request <code>{fault.requestId}</code>
              </span>
            )}
            <CopyButton text={fault.requestId} label="Copy the request id" />
          </>
        )}
      </p>
    </div>
  )
}

type Asked = { readonly error: unknown; refetch(): Promise<unknown> }

/** The first failure of several queries, with a button that retries all that failed. Nothing if none failed. */
export function QueryErrors({ queries }: { readonly queries: readonly Asked[] }) {
  const failed = queries.filter(({ error }) => error !== null)
  const [first] = failed
  if (first === undefined) return null
  return <ErrorNote error={first.error} onRetry={() => void Promise.all(failed.map((one) => one.refetch()))} />
}

function describe({ detail, status }: ApiFault): string {
  const sentence = /[.!?]$/.test(detail) ? detail : `${detail}.`
  return status === 403 ? `${sentence} Ask an owner or admin of the organization.` : sentence
}
