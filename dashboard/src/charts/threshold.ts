// A level that a chart is read against, and scales of powers of ten.
import type uPlot from 'uplot'
import type { Palette } from './palette.ts'
import type { Value } from './units.ts'

export type Threshold = { readonly value: number; readonly label: string }

// Below a hundredth of where it begins, how little it is says nothing more, and it would leave the rest no room.
const leastOfLog = 0.01

/** Zero has no place on a scale of powers of ten. The readout and the table have the value itself. */
export const liftToLog = (value: Value): Value => (value === null ? null : Math.max(leastOfLog, value))

/** From a power of ten to another one, 1 and what is above it included. */
export const logRange = (least: number | null, most: number): [number, number] => [
  10 ** Math.floor(Math.log10(Math.min(0.5, Math.max(leastOfLog, least ?? 1)))),
  10 ** Math.ceil(Math.log10(Math.max(10, most) * 1.05)),
]

/** The threshold is always in the picture. */
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
  // Behind the label nothing else is drawn, so that it can be read over bars.
  const [x, height] = [left + 4 * devicePixelRatio, 13 * devicePixelRatio]
  ctx.fillStyle = palette.background
  ctx.fillRect(x, y - height - devicePixelRatio, ctx.measureText(threshold.label).width, height)
  ctx.fillStyle = palette.text
  ctx.fillText(threshold.label, x, y - 2 * devicePixelRatio)
  ctx.restore()
}
