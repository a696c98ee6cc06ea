// The whole trace in one strip, on which a drag zooms. It is hidden from screen readers: the rows below it show the same.
import { type PointerEvent, useEffect, useRef, useState } from 'react'
import { wholeAxis, zoomBetween } from './axis.ts'
import { drawMinimap, ink } from './minimap.ts'
import { readColour, useTheme } from './theme-colours.ts'
import styles from './trace.module.css'
import { useSize } from './use-size.ts'
import type { TraceState } from './use-trace-state.ts'

const height = 48
/** A shorter drag is a click, which shows the whole trace again. */
const leastDragPx = 4

const colours: readonly [paint: number, name: string][] = [
  [ink.span, '--series-other'],
  [ink.error, '--danger'],
  [ink.match, '--warning'],
]

export function Minimap({ state }: { readonly state: TraceState }) {
  const { model, matches, setZoom } = state
  const { tree, axis, zoom } = model
  const canvas = useRef<HTMLCanvasElement>(null)
  const [box, { width }] = useSize<HTMLDivElement>()
  const [drag, setDrag] = useState<{ readonly from: number; readonly to: number } | null>(null)
  const theme = useTheme()

  useEffect(() => {
    const context = canvas.current?.getContext('2d') ?? null
    if (context === null || width === 0) return
    const pixels = drawMinimap(tree, axis, matches, { width, height })
    const image = context.createImageData(width, height)
    const words = new Uint32Array(image.data.buffer)
    const paints = new Map(colours.map(([paint, name]) => [paint, readColour(name)]))
    for (const [at, pixel] of pixels.entries()) if (pixel !== ink.none) words[at] = paints.get(pixel) ?? 0
    context.putImageData(image, 0, 0)
  }, [tree, axis, matches, width, theme])

  const placeOf = (event: PointerEvent): number => {
    const { left, width: all } = event.currentTarget.getBoundingClientRect()
    return Math.min(1, Math.max(0, (event.clientX - left) / all))
  }
  const end = (): void => {
    if (drag === null) return
    const isDrag = Math.abs(drag.to - drag.from) * width >= leastDragPx
    setZoom(isDrag ? zoomBetween(drag.from, drag.to) : wholeAxis)
    setDrag(null)
  }
  const seen = drag === null ? zoom : zoomBetween(drag.from, drag.to)
  return (
    <div
      aria-hidden
      className={styles.minimap}
      onPointerDown={(event) => {
        event.currentTarget.setPointerCapture(event.pointerId)
        setDrag({ from: placeOf(event), to: placeOf(event) })
      }}
      onPointerMove={(event) => {
        if (drag !== null) setDrag({ from: drag.from, to: placeOf(event) })
      }}
      onPointerUp={end}
      ref={box}
      title="Drag to zoom, click to show all"
    >
      <canvas height={height} ref={canvas} width={width} />
      <span className={styles.shade} style={{ left: 0, width: `${seen.from * 100}%` }} />
      <span className={styles.shade} style={{ left: `${seen.to * 100}%`, right: 0 }} />
    </div>
  )
}
