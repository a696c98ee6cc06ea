// A table of any number of spans. Only the visible rows are in the DOM. Each row links to its span.
import { useVirtualizer } from '@tanstack/react-virtual'
import { memo, type Ref, useEffect, useImperativeHandle, useRef } from 'react'
import type { ColumnKey } from './choose-columns.ts'
import { columns, type SpanEvent } from './columns.tsx'
import styles from './events.module.css'

const rowPx = 28
const overscan = 12
/** The distance from the last loaded row, in rows, at which more rows are requested. */
const aheadRows = 20
/** The least width at which a name is readable. */
const leastNamePx = 160

export type EventTableHandle = {
  /** Moves the focus by one row from the row that had it last, or else to the first row. */
  readonly move: (by: -1 | 1) => void
  readonly scrollToTop: () => void
}

type Props = {
  readonly label: string
  readonly keys: readonly ColumnKey[]
  readonly items: readonly SpanEvent[]
  /** The total number of rows; null: not known. */
  readonly count: number | null
  readonly isStale?: boolean
  /** Called when the last loaded rows come into view. */
  readonly onEnd?: () => void
  readonly onScroll?: (isAtTop: boolean) => void
  readonly ref?: Ref<EventTableHandle>
}

export function EventTable({ label, keys, items, count, isStale = false, onEnd, onScroll, ref }: Props) {
  const scroller = useRef<HTMLDivElement>(null)
  const focused = useRef<string | null>(null)
  const virtual = useVirtualizer({
    count: items.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowPx,
    overscan,
    scrollPaddingStart: rowPx,
    getItemKey: (index) => items[index]?.id ?? index,
  })
  const rows = virtual.getVirtualItems()
  const last = rows.at(-1)?.index ?? -1
  useEffect(() => {
    if (last >= items.length - aheadRows) onEnd?.()
  }, [last, items.length, onEnd])
  useImperativeHandle(ref, () => ({
    move(by) {
      const at = items.findIndex(({ id }) => id === focused.current)
      const next = Math.min(items.length - 1, Math.max(0, at + by))
      focused.current = items[next]?.id ?? null
      virtual.scrollToIndex(next, { align: 'auto' })
      // The row is in the DOM after the next frame.
      requestAnimationFrame(() => requestAnimationFrame(() => focusRow(scroller.current, next)))
    },
    scrollToTop: () => scroller.current?.scrollTo({ top: 0 }),
  }))
  const top = rows[0]?.start ?? 0
  const bottom = virtual.getTotalSize() - (rows.at(-1)?.end ?? 0)
  const rest = keys.filter((key) => key !== 'name').reduce((sum, key) => sum + columns[key].width, 0)
  return (
    <div
      aria-label={label}
      className={`sideways ${styles.scroller}`}
      data-scroll-restoration-id={label}
      onScroll={({ currentTarget }) => onScroll?.(currentTarget.scrollTop < rowPx)}
      ref={scroller}
      role="region"
      tabIndex={0}
    >
      <table
        aria-rowcount={count === null ? -1 : count + 1}
        className={`${styles.table} ${isStale ? styles.stale : ''}`}
        style={{ minWidth: rest + leastNamePx }}
      >
        <colgroup>
          {keys.map((key) => (
            <col key={key} style={key === 'name' ? {} : { width: columns[key].width }} />
          ))}
        </colgroup>
        <thead>
          <tr aria-rowindex={1}>
            {keys.map((key) => (
              <th className={columns[key].isNumber === true ? styles.number : ''} key={key} scope="col">
                {columns[key].header}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {top > 0 ? <tr aria-hidden="true" style={{ height: top }} /> : null}
          {rows.map(({ index, key }) => {
            const event = items[index]
            return event === undefined ? null : (
              <EventRow event={event} index={index} key={key} keys={keys} onFocus={(id) => (focused.current = id)} />
            )
          })}
          {bottom > 0 ? <tr aria-hidden="true" style={{ height: bottom }} /> : null}
        </tbody>
      </table>
    </div>
  )
}

const focusRow = (scroller: HTMLElement | null, index: number): void =>
  scroller?.querySelector<HTMLElement>(`[data-row="${index}"] th a`)?.focus({ preventScroll: true })

type RowProps = {
  readonly event: SpanEvent
  readonly index: number
  readonly keys: readonly ColumnKey[]
  readonly onFocus: (id: string) => void
}

const EventRow = memo(
  function EventRow({ event, index, keys, onFocus }: RowProps) {
    return (
      <tr aria-rowindex={index + 2} data-row={index} data-status={event.status} onFocus={() => onFocus(event.id)}>
        {keys.map((key) => {
          const { isNumber = false, cell } = columns[key]
          const Cell = key === 'name' ? 'th' : 'td'
          return (
            <Cell className={isNumber ? styles.number : ''} key={key} scope={key === 'name' ? 'row' : undefined}>
              {cell(event)}
            </Cell>
          )
        })}
      </tr>
    )
  },
  (before, after) => before.event === after.event && before.index === after.index && before.keys === after.keys,
)
