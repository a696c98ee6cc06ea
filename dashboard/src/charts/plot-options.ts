// The options of uPlot for one chart: axes in the page's zone, lines or stacked bars, a drag that selects buckets.
import uPlot from 'uplot'
import { type Bounds, findBucket, findEnd, selectBuckets } from './buckets.ts'
import { dashOf } from './colours.ts'
import { mergeBars } from './columns.ts'
import type { Palette } from './palette.ts'
import { type Series, stack } from './series.ts'
import { drawThreshold, liftToLog, logRange, type Threshold, withThreshold } from './threshold.ts'
import { makeTicks } from './ticks.ts'
import { formatAxis, type Unit } from './units.ts'

export type Form = 'lines' | 'bars'

export type Plotted = {
  readonly unit: Unit
  /** Starts of the buckets, in milliseconds since 1970. */
  readonly x: readonly number[]
  readonly intervalMs: number
  readonly series: readonly Series[]
  readonly form: Form
  readonly zone: string
  /** The starts of the buckets that still fill, or lie only partly in the window. */
  readonly incomplete: readonly number[]
  readonly marks: readonly Mark[]
  readonly threshold: Threshold | null
  /** A logarithmic scale: for lines without negative values. */
  readonly isLog: boolean
}

/** A marked moment. The page explains it beside the chart. */
export type Mark = {
  readonly ms: number
  /** A number or a letter. */
  readonly label: string
}

export type Reactions = {
  onCursor(at: number | null): void
  onSelect(bounds: Bounds): void
  onUndo(): void
}

const labelWidth = 56
/** The space behind the end of the time axis. */
const endPx = 8
const axisWidth = 64
const leastDrag = 4

/**
 * Returns the data of the plot. Stacked bars are ordered from the highest sum down, since each is drawn over those before it. A bucket
 * whose total is 0 has no bar.
 */
export function makeData({ x, series, form, isLog }: Plotted): uPlot.AlignedData {
  const values = series.map((one) => (isLog ? one.values.map(liftToLog) : [...one.values]))
  if (form === 'lines') return [[...x], ...values]
  const sums = stack(values)
  const tops = sums.at(-1) ?? []
  return [[...x], ...sums.map((row) => row.map((sum, at) => (tops[at] === 0 ? null : sum))).reverse()]
}

export function makeOptions(
  read: () => Plotted,
  {
    palette,
    size,
    syncKey,
    reactions,
  }: {
    readonly palette: Palette
    readonly size: { readonly width: number; readonly height: number }
    readonly syncKey: string | null
    readonly reactions: () => Reactions
  },
): uPlot.Options {
  return {
    ...size,
    ms: 1,
    padding: [8, endPx, 0, 0],
    legend: { show: false },
    cursor: {
      y: false,
      drag: { x: true, y: false, setScale: false },
      points: { show: read().form === 'lines', size: 7 },
      ...(syncKey === null ? {} : { sync: { key: syncKey, setSeries: false } }),
      bind: { dblclick: () => () => undo(reactions()) },
    },
    scales: {
      x: { time: false, range: () => readRange(read()) },
      y: makeValueScale(read),
    },
    axes: [makeTimeAxis(read, palette), makeValueAxis(read, palette)],
    series: [{}, ...makeSeries(read(), palette)],
    hooks: {
      setCursor: [(plot) => reactions().onCursor(readCursor(plot, read().x))],
      setSelect: [(plot) => select(plot, read(), reactions())],
      draw: [
        (plot) => fadeIncomplete(plot, read(), palette),
        (plot) => drawMarks(plot, read(), palette),
        (plot) => drawThreshold(plot, read().threshold, palette),
      ],
    },
  }
}

const makeValueScale = (read: () => Plotted): uPlot.Scale =>
  read().isLog
    ? { distr: 3, range: (_, least, most) => logRange(least, withThreshold(most, read().threshold)) }
    : { range: (_, least, most) => rangeValues(least ?? 0, withThreshold(most, read().threshold)) }

function undo(reactions: Reactions): null {
  reactions.onUndo()
  return null
}

/** Returns a range that includes zero. If all values are negative, it ends at zero. */
function rangeValues(least: number, most: number): [number, number] {
  if (most > 0) return [Math.min(0, least * 1.05), most * 1.05]
  return least < 0 ? [least * 1.05, 0] : [0, 1]
}

const readRange = ({ x, intervalMs, zone }: Plotted): [number, number] => [
  x[0] ?? 0,
  findEnd(x, Math.max(0, x.length - 1), intervalMs, zone),
]

const look = ({ text, line, font }: Palette): Pick<uPlot.Axis, 'stroke' | 'font' | 'grid' | 'ticks'> => ({
  stroke: text,
  font,
  grid: { stroke: line, width: 1 },
  ticks: { show: false },
})

function makeTimeAxis(read: () => Plotted, palette: Palette): uPlot.Axis {
  let labels = new Map<number, string>()
  return {
    ...look(palette),
    size: 28,
    splits: (plot, _axis, fromMs, toMs) => {
      const widthPx = plot.bbox.width / devicePixelRatio
      const ticks = makeTicks(fromMs, toMs, read().zone, Math.floor(widthPx / labelWidth))
      // The label of a tick near the end would be cut off.
      const isWhole = (ms: number): boolean => ((toMs - ms) / (toMs - fromMs)) * widthPx + endPx >= labelWidth / 2
      labels = new Map(ticks.map(({ ms, label }) => [ms, isWhole(ms) ? label : '']))
      return ticks.map(({ ms }) => ms)
    },
    values: (_, splits) => splits.map((ms) => labels.get(ms) ?? ''),
  }
}

// The width is fixed, so that the plots of a page are aligned and do not shift when their numbers change.
const makeValueAxis = (read: () => Plotted, palette: Palette): uPlot.Axis => ({
  ...look(palette),
  size: axisWidth,
  // On a logarithmic scale, lines between the powers of ten have no label: their value is null.
  values: (_, splits) => splits.map((value) => (value === null ? '' : formatAxis(read().unit, value))),
})

function makeSeries({ series, form }: Plotted, palette: Palette): uPlot.Series[] {
  if (form === 'lines') {
    return series.map(({ slot }, nth) => {
      const dash = dashOf(nth)
      const line = { stroke: palette.series[slot], width: 1.5, points: { show: true, size: 4, filter: findLonePoints } }
      return dash === null ? line : { ...line, dash: [...dash] }
    })
  }
  return series
    .map(({ slot }) => ({ fill: palette.series[slot], width: 0, paths: drawBars, points: { show: false } }))
    .reverse()
}

// A bar begins where its bucket begins, and is at least one pixel wide.
const drawWideBars = uPlot.paths.bars?.({ size: [0.85, 48, 1], align: 1 })
/** In CSS pixels. Below this width uPlot's bars overlap, and filling such a path takes ten times as long. */
const leastBucketWidth = 2

const drawBars: uPlot.Series.PathBuilder = (plot, nth, from, to) => {
  if (drawWideBars === undefined) throw new Error('this build of uPlot has no bars')
  const bucketWidth = plot.bbox.width / uPlot.pxRatio / (to - from + 1)
  return bucketWidth < leastBucketWidth ? drawColumns(plot, nth) : drawWideBars(plot, nth, from, to)
}

function drawColumns(plot: uPlot, nth: number): uPlot.Series.Paths {
  const fill = new Path2D()
  const width = uPlot.pxRatio
  const [toX, place] = [makePlacer(plot, 'x'), makePlacer(plot, 'y')]
  const toY = (value: number): number => Math.round(place(value))
  const xs = Array.from(plot.data[0], toX)
  const ys = Array.from(plot.data[nth] ?? [], (value) => (value == null ? null : toY(value)))
  for (const { left, top, bottom } of mergeBars(xs, ys, toY(0), width)) fill.rect(left, top, width, bottom - top)
  return { fill }
}

/** Returns the place of a value on a linear scale, in pixels of the canvas; uPlot's own function reads the scale again for each value. */
function makePlacer(plot: uPlot, axis: 'x' | 'y'): (value: number) => number {
  const { min, max } = plot.scales[axis] ?? {}
  const [least, most] = [min ?? 0, max ?? 1]
  const from = plot.valToPos(least, axis, true)
  const perUnit = (plot.valToPos(most, axis, true) - from) / (most - least)
  return (value) => from + (value - least) * perUnit
}

/** Returns the values between two gaps, which need a point because no line shows them. */
const findLonePoints: NonNullable<uPlot.Series.Points['filter']> = (plot, nth) => {
  const values = [...(plot.data[nth] ?? [])]
  return values.flatMap((value, at) => (value != null && values[at - 1] == null && values[at + 1] == null ? [at] : []))
}

function readCursor(plot: uPlot, x: readonly number[]): number | null {
  const left = plot.cursor.left ?? -1
  return left < 0 ? null : findBucket(x, plot.posToVal(left, 'x'))
}

function select(plot: uPlot, { x, intervalMs, zone }: Plotted, reactions: Reactions): void {
  const { left, width } = plot.select
  if (width === 0) return
  plot.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false)
  if (width < leastDrag) return
  // A drag that ends at the start of a bucket does not include that bucket.
  const bounds = selectBuckets(x, intervalMs, zone, [plot.posToVal(left, 'x'), plot.posToVal(left + width, 'x') - 1])
  if (bounds !== null) reactions.onSelect(bounds)
}

/** Fades the buckets whose values are not complete, since low values would look like a rise or a drop. */
function fadeIncomplete(plot: uPlot, { x, intervalMs, zone, incomplete }: Plotted, palette: Palette): void {
  const { left, top, width, height } = plot.bbox
  plot.ctx.save()
  plot.ctx.globalAlpha = 0.55
  plot.ctx.fillStyle = palette.background
  for (const start of incomplete) {
    const endMs = findEnd(x, x.indexOf(start), intervalMs, zone)
    const from = Math.max(left, plot.valToPos(start, 'x', true))
    const to = Math.min(left + width, plot.valToPos(endMs, 'x', true))
    plot.ctx.fillRect(from, top, to - from, height)
  }
  plot.ctx.restore()
}

function drawMarks(plot: uPlot, { marks }: Plotted, palette: Palette): void {
  const { left, top, width, height } = plot.bbox
  plot.ctx.save()
  plot.ctx.strokeStyle = palette.text
  plot.ctx.fillStyle = palette.text
  plot.ctx.font = palette.font.replace('11px', `${11 * devicePixelRatio}px`)
  plot.ctx.textBaseline = 'top'
  plot.ctx.setLineDash([3 * devicePixelRatio, 3 * devicePixelRatio])
  for (const { ms, label } of marks) {
    const x = Math.round(plot.valToPos(ms, 'x', true)) + 0.5
    if (x < left || x > left + width) continue
    plot.ctx.beginPath()
    plot.ctx.moveTo(x, top)
    plot.ctx.lineTo(x, top + height)
    plot.ctx.stroke()
    // At the right edge the label is to the left of its line.
    const isLast = x > left + width - 16 * devicePixelRatio
    plot.ctx.textAlign = isLast ? 'right' : 'left'
    plot.ctx.fillText(label, x + (isLast ? -4 : 4) * devicePixelRatio, top)
  }
  plot.ctx.restore()
}
