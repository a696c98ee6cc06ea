// The list of all spans of a window that match the filters.
import { getRouteApi } from '@tanstack/react-router'
import { useCallback, useRef } from 'react'
import { usePageWindow } from '../../app/page-window.tsx'
import { useShortcut } from '../../app/shortcuts/use-shortcut.ts'
import { ColumnChooser } from '../../events/ColumnChooser.tsx'
import { usualColumnsOf } from '../../events/choose-columns.ts'
import { EventFilters } from '../../events/EventFilters.tsx'
import { EventTable, type EventTableHandle } from '../../events/EventTable.tsx'
import styles from '../../events/events.module.css'
import { eventFilterNames } from '../../events/filters.ts'
import { formatCount } from '../../format/index.ts'
import { AsApi } from '../../list/AsApi.tsx'
import { describeEnd, Fresh } from '../../list/Fresh.tsx'
import { NoRows } from '../../list/NoRows.tsx'
import { Button, Page, QueryErrors, Skeleton, useSkeleton } from '../../ui/index.ts'
import { describeIgnored } from '../../window/index.ts'
import { useEventList } from './use-event-list.ts'

const route = getRouteApi('/w/$workspace_id/events')

export function EventsPage() {
  const { workspace_id: workspaceId } = route.useParams()
  const list = useEventList(workspaceId)
  const { query, items, pin, filters, cols = usualColumnsOf(filters.status) } = list
  const { window } = usePageWindow()
  const table = useRef<EventTableHandle>(null)
  const phase = useSkeleton(query.isPending)
  const ignored = describeIgnored([...window.ignored, ...list.ignored])
  const { hasNextPage, isFetchingNextPage, isFetchNextPageError, fetchNextPage } = query
  const more = useCallback(() => {
    if (hasNextPage && !isFetchingNextPage && !isFetchNextPageError) void fetchNextPage()
  }, [hasNextPage, isFetchingNextPage, isFetchNextPageError, fetchNextPage])
  useShortcut('j', 'Next span', () => table.current?.move(1))
  useShortcut('k', 'Previous span', () => table.current?.move(-1))
  return (
    <Page
      actions={
        <>
          <ColumnChooser shown={cols} />
          <AsApi path="events" query={{ ...filters, from_time: pin.from, to_time: pin.to }} workspaceId={workspaceId} />
        </>
      }
      title="Events"
    >
      {ignored === null ? null : <p className={styles.ignored}>{ignored}</p>}
      <EventFilters workspaceId={workspaceId} />
      <QueryErrors queries={[query, list.fresh]} />
      <Fresh isEmpty={items.length === 0} news={list.news} onShow={list.renew} />
      {phase === 'skeleton' ? <Skeleton height={400} /> : null}
      {phase === 'content' && query.data !== undefined && items.length === 0 && !hasNextPage ? (
        <NoRows
          filterNames={eventFilterNames}
          isFiltered={eventFilterNames.some((name) => filters[name] !== undefined)}
          noun="span"
          workspaceId={workspaceId}
        />
      ) : null}
      {phase !== 'content' || query.data === undefined || (items.length === 0 && !hasNextPage) ? null : (
        <div aria-busy={query.isPlaceholderData}>
          <EventTable
            count={hasNextPage ? null : items.length}
            isStale={query.isPlaceholderData}
            items={items}
            keys={cols}
            label="Events"
            onEnd={more}
            ref={table}
          />
          <p className={styles.end}>
            {hasNextPage ? (
              <>
                <Button onClick={() => void fetchNextPage()}>
                  {isFetchingNextPage ? 'Loading more' : 'Load more'}
                </Button>{' '}
                {formatCount(items.length)} loaded.
              </>
            ) : (
              describeEnd(items.length, 'span', list.news)
            )}
          </p>
        </div>
      )}
    </Page>
  )
}
