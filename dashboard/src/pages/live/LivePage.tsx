// The page of live spans: the spans that arrive now, and their rate.
import { getRouteApi, useSearch } from '@tanstack/react-router'
import { Pause, Play } from 'lucide-react'
import { useEffect, useMemo, useRef, useState } from 'react'
import { useShortcut } from '../../app/shortcuts/use-shortcut.ts'
import { ColumnChooser } from '../../events/ColumnChooser.tsx'
import { usualColumnsOf } from '../../events/choose-columns.ts'
import { EventFilters } from '../../events/EventFilters.tsx'
import { EventTable, type EventTableHandle } from '../../events/EventTable.tsx'
import { eventFilterNames, readEventSearch } from '../../events/filters.ts'
import { formatCount } from '../../format/index.ts'
import { Button, ErrorNote, Page, Skeleton } from '../../ui/index.ts'
import { describeIgnored, type Search } from '../../window/index.ts'
import { LiveState } from './LiveState.tsx'
import styles from './live.module.css'
import { Nothing } from './Nothing.tsx'
import { RateMeter } from './RateMeter.tsx'
import { useLiveFeed } from './use-live-feed.ts'
import { usePause } from './use-pause.ts'

const route = getRouteApi('/w/$workspace_id/live')

export function LivePage() {
  const { workspace_id: workspaceId } = route.useParams()
  const search: Search = useSearch({ strict: false })
  const { filters, cols = usualColumnsOf(filters.status), ignored } = useMemo(() => readEventSearch(search), [search])
  const { reason, isAsked, setAsked, setOnRow, setScrolled } = usePause()
  const { feed, fault, fillFault, ...live } = useLiveFeed(workspaceId, JSON.stringify(filters), reason !== null)
  const { isOpen, isFilled, retry } = live
  const shownFault = fault ?? fillFault
  const table = useRef<EventTableHandle>(null)
  const note = describeIgnored(ignored)
  const isNarrowed = eventFilterNames.some((name) => filters[name] !== undefined)
  const resume = (): void => {
    setAsked(false)
    setOnRow(false)
    table.current?.scrollToTop()
  }
  useShortcut('p', 'Pause or resume', () => (isAsked ? resume() : setAsked(true)))
  useShortcut('j', 'Next span', () => table.current?.move(1))
  useShortcut('k', 'Previous span', () => table.current?.move(-1))
  return (
    <Page
      actions={
        <>
          <Button onClick={() => (isAsked ? resume() : setAsked(true))} title="Pause or resume (p)">
            {isAsked ? <Play aria-hidden size={14} /> : <Pause aria-hidden size={14} />}
            {isAsked ? 'Resume' : 'Pause'}
          </Button>
          <ColumnChooser shown={cols} />
        </>
      }
      tabTitle={feed.waitingCount === 0 ? 'Live' : `(${formatCount(feed.waitingCount)}) Live`}
      title="Live"
    >
      {note === null ? null : <p className={styles.ignored}>{note}</p>}
      <EventFilters workspaceId={workspaceId} />
      <div className={styles.meters}>
        <RateMeter feed={feed} />
        <LiveState feed={feed} hasFault={fault !== null} isOpen={isOpen} onResume={resume} reason={reason} />
      </div>
      {shownFault === null ? null : <ErrorNote error={shownFault} onRetry={retry} />}
      {feed.shown.length === 0 ? (
        fillFault !== null ? null : isFilled ? (
          <Nothing isNarrowed={isNarrowed} workspaceId={workspaceId} />
        ) : (
          fault === null && <Skeleton height={320} />
        )
      ) : (
        <div
          className={styles.rows}
          onBlur={({ currentTarget, relatedTarget }) => setOnRow(currentTarget.contains(relatedTarget))}
          onFocus={({ target }) => setOnRow(target.closest('tbody') !== null)}
          onPointerLeave={() => setOnRow(false)}
          onPointerOver={({ target, pointerType }) =>
            setOnRow(pointerType === 'mouse' && target instanceof Element && target.closest('tbody') !== null)
          }
        >
          <EventTable
            count={feed.shown.length}
            items={feed.shown}
            keys={cols}
            label="Live spans"
            onScroll={(isAtTop) => setScrolled(!isAtTop)}
            ref={table}
          />
        </div>
      )}
      <Announcer failed={feed.failed} received={feed.received} />
    </Page>
  )
}

const announceMs = 5_000

/** Announces to screen readers how many spans arrived, every 5 seconds at most. */
function Announcer({ received, failed }: { readonly received: number; readonly failed: number }) {
  const now = useRef({ received, failed })
  now.current = { received, failed }
  const [text, setText] = useState('')
  useEffect(() => {
    let told = now.current
    const timer = setInterval(() => {
      const { current } = now
      if (current.received > told.received) {
        const errors = current.failed - told.failed
        setText(`${current.received - told.received} new spans${errors > 0 ? `, ${errors} failed` : ''}`)
      }
      told = current
    }, announceMs)
    return () => clearInterval(timer)
  }, [])
  return (
    <p className="visually-hidden" role="status">
      {text}
    </p>
  )
}
