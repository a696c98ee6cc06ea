import type { UseQueryResult } from '@tanstack/react-query'
import { type ReactNode, useId } from 'react'
import { ApiFault } from '../api/fault.ts'
import { ErrorNote } from './ErrorNote.tsx'
import { useLastData } from './last-data.ts'
import styles from './panel.module.css'
import { Skeleton, useSkeleton } from './Skeleton.tsx'

/** A part of a page that loads and fails independently. Loaded content stays visible, dimmed, while other content is requested. */
export function Panel<T>({
  title,
  query,
  height,
  isTitled = true,
  actions,
  empty,
  children,
}: {
  readonly title: string
  readonly query: Pick<UseQueryResult<T>, 'data' | 'error' | 'isPending' | 'isPlaceholderData' | 'refetch'> &
    Partial<Pick<UseQueryResult<T>, 'failureReason'>>
  /** The height of the content in pixels, which is reserved so that the layout does not shift. */
  readonly height: number
  /** False: the content shows the title itself. */
  readonly isTitled?: boolean
  readonly actions?: ReactNode
  /** Returns what to show for empty data; null if the data is not empty. */
  readonly empty?: (data: T) => ReactNode
  readonly children: (data: T) => ReactNode
}) {
  const id = useId()
  const { error, isPending, isPlaceholderData, failureReason, refetch } = query
  const data = useLastData(query.data)
  const isStale = isPlaceholderData || query.data === undefined
  const fault = error ?? (isAnnounced(failureReason) ? failureReason : null)
  const phase = useSkeleton(isPending)
  const retry = (): void => void refetch()
  const nothing = data === undefined ? null : (empty?.(data) ?? null)
  return (
    <section className={styles.panel} aria-labelledby={id} aria-busy={isPending || isPlaceholderData}>
      <header className={isTitled ? styles.header : 'visually-hidden'}>
        <h2 id={id}>{title}</h2>
        {actions}
      </header>
      {isPlaceholderData && <div className={styles.progress} />}
      {fault !== null && <ErrorNote error={fault} onRetry={retry} />}
      {phase === 'skeleton' && <Skeleton height={height} />}
      {phase === 'nothing' && <div style={{ height }} />}
      {phase === 'content' && data !== undefined && (
        // The sentence for empty data is shorter than the content, and would leave a gap.
        <div className={isStale ? styles.stale : ''} style={nothing === null ? { minHeight: height } : {}}>
          {nothing ?? children(data)}
        </div>
      )}
    </section>
  )
}

/** Whether a failed attempt has a Retry-After. Its fault is shown while the page waits for the next attempt. */
const isAnnounced = (reason: unknown): reason is ApiFault => reason instanceof ApiFault && reason.retryAfterS !== null
