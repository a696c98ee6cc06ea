// The waterfall: tree and bars as one grid of virtual rows. The grid itself has the focus, and the row that keys act on is its
// active descendant: a row that is scrolled out of view is not in the DOM and cannot have the focus.
import { useVirtualizer } from '@tanstack/react-virtual'
import { type CSSProperties, useEffect, useMemo, useRef, useState } from 'react'
import { formatDuration } from '../../format/index.ts'
import { type Axis, placeOf, ticksOf, type Zoom } from '../axis.ts'
import { useSize } from '../use-size.ts'
import { ColumnHandle } from './ColumnHandle.tsx'
import { Row, rowId } from './Row.tsx'
import { makeBarOf, type RowModel } from './row-model.ts'
import { useNameWidth } from './use-name-width.ts'
import styles from './waterfall.module.css'

const rowPx = 28
const overscan = 8
/** The width reserved for a label of the axis. */
const labelPx = 88

type Props = {
  readonly model: RowModel
  readonly rows: Int32Array
  /** The row that keys act on. */
  readonly activeRow: number
  readonly onSelect: (node: number) => void
  readonly onToggle: (node: number, isDeep: boolean) => void
  readonly onHover: (node: number | null) => void
}

export function Waterfall({ model, rows, activeRow, onSelect, onToggle, onHover }: Props) {
  const scroller = useRef<HTMLDivElement>(null)
  const [nameWidth, setNameWidth] = useNameWidth()
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowPx,
    overscan,
    // The header is above the rows and stays in view when they are scrolled.
    scrollMargin: rowPx,
    scrollPaddingStart: rowPx,
  })
  useEffect(() => {
    if (activeRow >= 0) virtual.scrollToIndex(activeRow, { align: 'auto' })
  }, [activeRow, virtual])
  const barOf = useMemo(() => makeBarOf(model), [model])
  const items = virtual.getVirtualItems()
  const slots = useSlots(items.length)
  const activeNode = rows[activeRow]
  const isShown = items.some(({ index }) => index === activeRow)
  return (
    <div className={styles.waterfall} style={{ '--name-width': `${nameWidth}px` } as CSSProperties}>
      <div
        aria-activedescendant={isShown && activeNode !== undefined ? rowId(activeNode) : undefined}
        aria-label="Spans"
        aria-rowcount={rows.length + 1}
        className={styles.scroller}
        data-trace-grid
        ref={scroller}
        role="treegrid"
        tabIndex={0}
      >
        <div aria-rowindex={1} className={styles.head} role="row">
          <div className={styles.name} role="columnheader">
            Span
            <ColumnHandle onResize={setNameWidth} width={nameWidth} />
          </div>
          <div className={`${styles.figure} ${styles.secondary}`} role="columnheader">
            Tokens
          </div>
          <div className={`${styles.figure} ${styles.secondary}`} role="columnheader">
            Cost
          </div>
          <div className={styles.figure} role="columnheader">
            Duration
          </div>
          <AxisHead model={model} />
        </div>
        <div className={styles.rows} role="rowgroup" style={{ height: virtual.getTotalSize() }}>
          {items.map(({ index, start }) => {
            const node = rows[index] as number
            return (
              <Row
                barOf={barOf}
                isSelected={index === activeRow}
                key={index % slots}
                model={model}
                node={node}
                onHover={onHover}
                onSelect={onSelect}
                onToggle={onToggle}
                row={index}
                top={start - rowPx}
              />
            )
          })}
        </div>
      </div>
    </div>
  )
}

/**
 * Returns the largest number of rows rendered so far. The elements of a row that is scrolled out of view are reused for another row:
 * changing their text costs less than creating new ones.
 */
function useSlots(shown: number): number {
  const [slots, setSlots] = useState(shown)
  if (shown > slots) setSlots(shown)
  return Math.max(1, shown, slots)
}

function AxisHead({ model: { axis, zoom, measure } }: { readonly model: RowModel }) {
  const [box, { width }] = useSize<HTMLDivElement>()
  if (measure !== 'duration')
    return (
      <div className={styles.lane} role="columnheader">
        {measure === 'cost' ? 'Share of the cost' : 'Share of the tokens'}
      </div>
    )
  const originMs = axis.timesMs[0] as number
  const seen = zoom.to - zoom.from
  return (
    <div aria-label="Time since the start" className={styles.lane} ref={box} role="columnheader">
      {shownTicks(axis, zoom, Math.max(1, Math.floor(width / labelPx))).map((ms) => (
        <span
          className={styles.tick}
          key={ms}
          style={{ left: `${((placeOf(axis, originMs + ms) - zoom.from) / seen) * 100}%` }}
        >
          {formatDuration(ms)}
        </span>
      ))}
    </div>
  )
}

/** Returns the ticks without those at the right end, whose labels would be cut off. */
const shownTicks = (axis: Axis, zoom: Zoom, labels: number): number[] =>
  ticksOf(axis, zoom, labels).filter(
    (ms) => (placeOf(axis, (axis.timesMs[0] as number) + ms) - zoom.from) / (zoom.to - zoom.from) < 1 - 0.5 / labels,
  )
