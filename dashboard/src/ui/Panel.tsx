import type { UseQueryResult } from '@tanstack/react-query'
import { type ReactNode, useId } from 'react'
import { ApiFault } from '../api/fault.ts'
import { ErrorNote } from './ErrorNote.tsx'
import { useLastData } from './last-data.ts'
import styles from './panel.module.css'
import { Skeleton, useSkeleton } from './Skeleton.tsx'

/** A part of a page that loads and fails alone. What is there already stays, dimmed, while it is asked for anew. */
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
  /** Of the content, in pixels: nothing moves when it arrives. */
  readonly height: number
  /** False: the content shows the title itself. */
  readonly isTitled?: boolean
  readonly actions?: ReactNode
  /** What to say where there is nothing to show; null where there is. */
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
        <div className={isStale ? styles.stale : ''} style={{ minHeight: height }}>
          {empty?.(data) ?? children(data)}
        </div>
      )}
    </section>
  )
}

/** The service said when to come back: that is told while the page waits to ask again. */
const isAnnounced = (reason: unknown): reason is ApiFault => reason instanceof ApiFault && reason.retryAfterS !== null
