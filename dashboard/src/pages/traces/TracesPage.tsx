// The list of the traces of a window, with a chart, filters, and a panel for one trace.
import { getRouteApi } from '@tanstack/react-router'
import { useEffect, useEffectEvent, useRef } from 'react'
import { usePageWindow } from '../../app/page-window.tsx'
import { useShortcut } from '../../app/shortcuts/use-shortcut.ts'
import { formatCount } from '../../format/index.ts'
import { AsApi } from '../../list/AsApi.tsx'
import { describeEnd, Fresh } from '../../list/Fresh.tsx'
import { useLastSeen } from '../../list/LastSeen.tsx'
import { LookFurther } from '../../list/LookFurther.tsx'
import { NoRows } from '../../list/NoRows.tsx'
import { useChangeSearch } from '../../trace/use-change-search.ts'
import { Button, Page, QueryErrors, Skeleton, useSkeleton } from '../../ui/index.ts'
import { describeIgnored } from '../../window/index.ts'
import { activeFilters, filterNames, filterQuery, readTraceFilters } from './list-search.ts'
import { TraceFilters } from './TraceFilters.tsx'
import { TraceHistogram } from './TraceHistogram.tsx'
import { TracePeek } from './TracePeek.tsx'
import { TraceTable } from './TraceTable.tsx'
import styles from './traces.module.css'
import { useTraceList } from './use-trace-list.ts'

const route = getRouteApi('/w/$workspace_id/traces')

export function TracesPage() {
  const { workspace_id: workspaceId } = route.useParams()
  const list = useTraceList(workspaceId)
  const { data: newest } = useLastSeen(workspaceId)
  const { query, items, search, pin } = list
  const { window } = usePageWindow()
  const change = useChangeSearch({ isStep: false })
  const table = useRef<HTMLDivElement>(null)
  const phase = useSkeleton(query.isPending)
  const ignored = describeIgnored([...window.ignored, ...readTraceFilters(search).ignored])
  const { peekedId } = list
  const peeked = items.findIndex(({ trace_id }) => trace_id === peekedId)
  const peek = (traceId: string | null): void => change({ peek: traceId })
  useRowKeys({ list, table, peeked, peek })
  const isLookedThrough = phase === 'content' && query.data !== undefined && items.length === 0
  return (
    <Page
      actions={
        <AsApi
          path="traces"
          query={{ ...filterQuery(search), from_time: pin.from, to_time: pin.to }}
          workspaceId={workspaceId}
        />
      }
      title="Traces"
    >
      {ignored === null ? null : <p className={styles.ignored}>{ignored}</p>}
      {newest === null ? null : <TraceHistogram workspaceId={workspaceId} />}
      <TraceFilters workspaceId={workspaceId} />
      <QueryErrors queries={[query, list.fresh]} />
      <Fresh isEmpty={items.length === 0} news={list.news} onShow={list.renew} />
      {phase === 'skeleton' ? <Skeleton height={400} /> : null}
      {isLookedThrough && query.hasNextPage ? (
        <LookFurther isLooking={query.isFetchingNextPage} onLook={() => void list.loadMore()}>
          None of the traces that were looked at so far matches. There are earlier ones in this window.
        </LookFurther>
      ) : null}
      {isLookedThrough && !query.hasNextPage ? (
        <NoRows
          filterNames={filterNames}
          isFiltered={activeFilters(search).length > 0}
          noun="trace"
          workspaceId={workspaceId}
        />
      ) : null}
      {phase !== 'content' || items.length === 0 ? null : (
        <div className={styles.columns}>
          <div aria-busy={query.isPlaceholderData} className={styles.list} ref={table}>
            <TraceTable
              isStale={query.isPlaceholderData}
              items={items}
              onPeek={peek}
              peeked={peekedId}
              search={search}
            />
            <More list={list} />
          </div>
          {peekedId === null ? null : (
            <TracePeek
              key={peekedId}
              onClose={() => peek(null)}
              search={search}
              traceId={peekedId}
              workspaceId={workspaceId}
            />
          )}
        </div>
      )}
    </Page>
  )
}

function More({ list: { query, items, news, loadMore } }: { readonly list: ReturnType<typeof useTraceList> }) {
  if (!query.hasNextPage) return <p className={styles.end}>{describeEnd(items.length, 'trace', news)}</p>
  return (
    <p className={styles.end}>
      <Button onClick={() => void loadMore()}>{query.isFetchingNextPage ? 'Loading more' : 'Load more'}</Button>{' '}
      {formatCount(items.length)} shown.
    </p>
  )
}

type RowKeys = {
  readonly list: ReturnType<typeof useTraceList>
  readonly table: React.RefObject<HTMLDivElement | null>
  readonly peeked: number
  readonly peek: (traceId: string | null) => void
}

/** J and K move the focus, and an open peek with it, from row to row. At the end of the loaded rows, the next page loads. */
function useRowKeys({ list, table, peeked, peek }: RowKeys): void {
  // The index of the row that gets the focus next: key presses can arrive faster than the focus moves.
  const coming = useRef<number | null>(null)
  const focused = (): number => coming.current ?? rowLinks(table.current).indexOf(document.activeElement as HTMLElement)
  const follow = (): void => {
    const row = coming.current === null ? undefined : rowLinks(table.current)[coming.current]
    if (row === undefined) return
    coming.current = null
    row.focus()
  }
  const followLatest = useEffectEvent(follow)
  useEffect(() => {
    followLatest()
    // The index refers to the previous rows.
    coming.current = null
  }, [list.items])
  const move = async (by: -1 | 1): Promise<void> => {
    const at = focused() === -1 ? peeked : focused()
    const items = at + by < list.items.length ? list.items : await list.loadMore()
    const next = Math.min(items.length - 1, Math.max(0, at + by))
    coming.current = next
    if (list.peekedId !== null) peek(items[next]?.trace_id ?? null)
    // A page that has just loaded may not be rendered yet; the effect above then moves the focus.
    follow()
  }
  useShortcut('j', 'Next trace', () => void move(1))
  useShortcut('k', 'Previous trace', () => void move(-1))
  useShortcut(' ', 'Preview the trace', () => {
    const traceId = list.items[Math.max(0, focused())]?.trace_id ?? null
    peek(peeked !== -1 && list.items[peeked]?.trace_id === traceId ? null : traceId)
  })
  useShortcut('Escape', 'Close the preview', () => {
    if (list.peekedId === null) return
    peek(null)
    rowLinks(table.current)[peeked]?.focus()
  })
}

const rowLinks = (table: HTMLElement | null): HTMLElement[] => [
  ...(table?.querySelectorAll<HTMLElement>('[data-row-link] a') ?? []),
]
