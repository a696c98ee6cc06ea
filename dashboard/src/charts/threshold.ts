// The threshold line of a chart, and logarithmic scales.
import type uPlot from 'uplot'
import type { Palette } from './palette.ts'
import type { Value } from './units.ts'

export type Threshold = { readonly value: number; readonly label: string }

// The lowest value of a logarithmic scale: a hundredth of the initial value. Smaller values mean no more, and would leave the others no
// room.
const leastOfLog = 0.01

/** Raises a value to the lowest of a logarithmic scale, which cannot show zero. The readout and the table show the value itself. */
export const liftToLog = (value: Value): Value => (value === null ? null : Math.max(leastOfLog, value))

/** Returns a range between two powers of ten that includes 1 and `most`. */
export const logRange = (least: number | null, most: number): [number, number] => [
  10 ** Math.floor(Math.log10(Math.min(0.5, Math.max(leastOfLog, least ?? 1)))),
  10 ** Math.ceil(Math.log10(Math.max(10, most) * 1.05)),
]

/** Returns the highest value that the chart must show, so that the threshold is always visible. */
export const withThreshold = (most: number | null, threshold: Threshold | null): number =>
  Math.max(most ?? 0, threshold === null ? 0 : threshold.value * 1.2)

export function drawThreshold(plot: uPlot, threshold: Threshold | null, palette: Palette): void {
  if (threshold === null) return
  const { left, width } = plot.bbox
  const y = Math.round(plot.valToPos(threshold.value, 'y', true)) + 0.5
  const { ctx } = plot
  ctx.save()
  ctx.strokeStyle = palette.text
  ctx.font = palette.font.replace('11px', `${11 * devicePixelRatio}px`)
  ctx.textAlign = 'left'
  ctx.textBaseline = 'bottom'
  ctx.setLineDash([6 * devicePixelRatio, 4 * devicePixelRatio])
  ctx.beginPath()
  ctx.moveTo(left, y)
  ctx.lineTo(left + width, y)
  ctx.stroke()
  // The label has a background of its own, so that it can be read over bars.
  const [x, height] = [left + 4 * devicePixelRatio, 13 * devicePixelRatio]
  ctx.fillStyle = palette.background
  ctx.fillRect(x, y - height - devicePixelRatio, ctx.measureText(threshold.label).width, height)
  ctx.fillStyle = palette.text
  ctx.fillText(threshold.label, x, y - 2 * devicePixelRatio)
  ctx.restore()
}
