import type { SpanEvent } from '../../events/columns.tsx'
import { formatCount } from '../../format/index.ts'
import { Badge, Button } from '../../ui/index.ts'
import type { Feed } from './feed.ts'
import styles from './live.module.css'
import { type PauseReason, reasonTexts } from './use-pause.ts'

type Props = {
  readonly feed: Feed<SpanEvent>
  readonly reason: PauseReason | null
  readonly isOpen: boolean
  readonly hasFault: boolean
  readonly onResume: () => void
}

/** Shows whether the list is live or paused, and how many spans it does not show. */
export function LiveState({ feed, reason, isOpen, hasFault, onResume }: Props) {
  const { waitingCount, skipped } = feed
  const state = hasFault ? 'Disconnected' : isOpen ? 'Live' : 'Connecting'
  return (
    <div className={styles.state}>
      {reason === null ? (
        <Badge tone={hasFault ? 'danger' : isOpen ? 'good' : 'plain'}>{state}</Badge>
      ) : (
        <Badge tone="warning">{reasonTexts[reason]}</Badge>
      )}
      {reason === null ? null : (
        <>
          <span className={styles.waiting}>{formatCount(waitingCount)} waiting</span>
          <Button onClick={onResume}>Show the newest</Button>
        </>
      )}
      {skipped === 0 ? null : (
        <span
          className={styles.skipped}
          title="More spans arrived than this list shows, or than the service lists in order. The page Events lists all of them."
        >
          {formatCount(skipped)} skipped
        </span>
      )}
    </div>
  )
}
