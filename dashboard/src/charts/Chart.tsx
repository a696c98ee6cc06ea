// A chart that is accessible without its picture: a caption, a one-sentence summary, a keyboard cursor with announcements, and a table.
import { type KeyboardEvent, lazy, Suspense, useCallback, useId, useMemo, useState } from 'react'
import { formatBucket } from '../format/index.ts'
import { type Bounds, findCut, findEnd, moveCursor, selectBuckets } from './buckets.ts'
import styles from './chart.module.css'
import { DataTable } from './DataTable.tsx'
import type { Form, Mark } from './plot-options.ts'
import { Readout } from './Readout.tsx'
import { readSeries, type Series } from './series.ts'
import type { Threshold } from './threshold.ts'
import { formatShort, type Unit } from './units.ts'
import { useAnnouncement } from './use-announcement.ts'

const Plot = lazy(() => import('./Plot.tsx'))

export type ChartProps = {
  readonly title: string
  /** One sentence that says what the picture shows (`describeSeries`). */
  readonly summary: string
  readonly unit: Unit
  /** Starts of the buckets, in milliseconds since 1970. */
  readonly x: readonly number[]
  readonly intervalMs: number
  readonly series: readonly Series[]
  readonly zone: string
  readonly nowMs: number
  /** The window of the figures, which may begin and end within a bucket. */
  readonly bounds?: Bounds
  /** Bars are stacked. */
  readonly form?: Form
  /** Charts with the same key share their cursor. */
  readonly syncKey?: string
  readonly height?: number
  /** Vertical lines with a label. */
  readonly marks?: readonly Mark[]
  /** A dashed horizontal line. */
  readonly threshold?: Threshold | null
  /** A logarithmic scale; for lines only. */
  readonly isLog?: boolean
  /** Called after a drag, and on Enter with the buckets at the keyboard cursor; Shift with the arrow keys selects several. */
  readonly onSelect?: (bounds: Bounds) => void
  /** Called on a double click. */
  readonly onUndo?: () => void
}

// How long after its end the last bucket still fills: exporters send in batches, and the service settles traces later.
const fillingMs = 15_000
const noMarks: readonly Mark[] = []

export function Chart(props: ChartProps) {
  const { title, summary, unit, x, intervalMs, series, zone, nowMs, form = 'lines', syncKey, height = 180 } = props
  const { marks = noMarks, threshold = null, isLog = false, bounds, onSelect, onUndo } = props
  const ids = { title: useId(), summary: useId(), keys: useId() }
  // `byKey` moves the plot's cursor. `at` is its bucket as the plot reports it, whether a key or a pointer moved it.
  const [at, setAt] = useState<number | null>(null)
  const [byKey, setByKey] = useState<number | null>(null)
  const [anchor, setAnchor] = useState<number | null>(null)
  const [announcement, announce] = useAnnouncement()

  const last = x.length - 1
  const isFilling = last >= 0 && findEnd(x, last, intervalMs, zone) > nowMs - fillingMs
  const unsettledFromMs = isFilling ? (x[last] ?? null) : null
  const cut = bounds === undefined ? [] : findCut(x, intervalMs, zone, bounds)
  // As text, since the clock and the bounds of a live window move more often than the buckets that they cut: the plot is drawn again only
  // when its picture changes.
  const incompleteKey = [...new Set([...cut, ...(unsettledFromMs === null ? [] : [unsettledFromMs])])].join()
  const incomplete = useMemo(() => (incompleteKey === '' ? [] : incompleteKey.split(',').map(Number)), [incompleteKey])
  const plotted = useMemo(
    () => ({ unit, x, intervalMs, series, form, zone, incomplete, marks, threshold, isLog }),
    [unit, x, intervalMs, series, form, zone, incomplete, marks, threshold, isLog],
  )

  const nameBucket = useCallback(
    (nth: number): string => {
      const start = x[nth] ?? 0
      const text = formatBucket(start, findEnd(x, nth, intervalMs, zone) - start, zone, nowMs)
      if (start === unsettledFromMs) return `${text}, not complete yet`
      return incomplete.includes(start) ? `${text}, only its part in the window` : text
    },
    [x, intervalMs, zone, nowMs, unsettledFromMs, incomplete],
  )
  const describe = (nth: number): string => {
    const values = series.map((one) => {
      const { value, unpriced } = readSeries(one, unit, nth)
      return `${one.label} ${formatShort(unit, value, unpriced)}`
    })
    return `${nameBucket(nth)}: ${values.join(', ')}`
  }

  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key === 'Escape' && at !== null) {
      setAt(null)
      setByKey(null)
      setAnchor(null)
      event.stopPropagation()
      return
    }
    if (event.key === 'Enter' && at !== null && onSelect !== undefined) {
      const bounds = selectBuckets(x, intervalMs, zone, [x[anchor ?? at] ?? 0, x[at] ?? 0])
      if (bounds !== null) onSelect(bounds)
      return
    }
    const next = event.ctrlKey || event.metaKey || event.altKey ? null : moveCursor(event.key, at, x.length)
    if (next === null) return
    event.preventDefault()
    setAnchor(event.shiftKey ? (anchor ?? at) : null)
    setAt(next)
    setByKey(next)
    announce(event.shiftKey && (anchor ?? at) !== null ? `Selected up to ${describe(next)}` : describe(next))
  }

  if (x.length === 0) {
    return (
      <figure className={styles.chart} aria-labelledby={ids.title}>
        <figcaption id={ids.title} className={styles.title}>
          {title}
        </figcaption>
        <p className={styles.summary} style={{ minHeight: height }}>
          {summary}
        </p>
      </figure>
    )
  }
  return (
    <figure className={styles.chart} aria-labelledby={ids.title} aria-describedby={ids.summary}>
      <figcaption className={styles.caption}>
        <span id={ids.title} className={styles.title}>
          {title}
        </span>
        <span id={ids.summary} className={styles.summary}>
          {summary}
        </span>
      </figcaption>
      <Readout
        when={at === null ? null : nameBucket(at)}
        at={at}
        range={
          anchor === null || at === null
            ? null
            : `${nameBucket(Math.min(anchor, at))} to ${nameBucket(Math.max(anchor, at))}`
        }
        unit={unit}
        series={series}
        isDashed={form === 'lines'}
      />
      {/* With this role, screen readers pass the arrow keys to the chart. */}
      <div
        role="application"
        aria-roledescription="chart"
        aria-label={title}
        aria-describedby={ids.keys}
        tabIndex={0}
        className={styles.plot}
        style={{ height }}
        onKeyDown={onKeyDown}
      >
        <Suspense fallback={null}>
          <Plot
            plotted={plotted}
            syncKey={syncKey ?? null}
            cursor={byKey}
            height={height}
            onCursor={setAt}
            onSelect={(bounds) => onSelect?.(bounds)}
            onUndo={() => onUndo?.()}
          />
        </Suspense>
      </div>
      <p id={ids.keys} className={styles.hidden}>
        Left and right arrow keys read the values one bucket at a time, Home and End go to the first and the last.
        {onSelect === undefined
          ? ''
          : ' Shift with the arrows selects buckets, and Enter shows them as the window of the page.'}
      </p>
      <p role="status" className={styles.hidden}>
        {announcement}
      </p>
      <DataTable title={title} unit={unit} x={x} series={series} nameBucket={nameBucket} />
    </figure>
  )
}
