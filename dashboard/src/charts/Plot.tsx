// The canvas of a chart. Loaded when a page shows its first chart, since uPlot is needed nowhere else.
import { useEffect, useRef } from 'react'
import uPlot from 'uplot'
import 'uplot/dist/uPlot.min.css'
import { usePalette } from './palette.ts'
import { makeData, makeOptions, type Plotted, type Reactions } from './plot-options.ts'

type Props = Reactions & {
  readonly plotted: Plotted
  readonly syncKey: string | null
  /** The bucket under the cursor, where a key put it. */
  readonly cursor: number | null
  readonly height: number
}

export default function Plot({ plotted, syncKey, cursor, height, ...reactions }: Props) {
  const palette = usePalette()
  const box = useRef<HTMLDivElement>(null)
  const plot = useRef<uPlot | null>(null)
  // What uPlot's hooks read: they outlive a render.
  const latest = useRef({ plotted, reactions })
  latest.current = { plotted, reactions }
  // Axes are laid out with a new plot alone, and their labels are of one zone and unit.
  const shape = `${plotted.form} ${plotted.isLog} ${plotted.unit} ${plotted.zone} ${plotted.series.map(({ key, slot }) => `${key}:${slot}`).join()}`

  useEffect(() => {
    const host = box.current
    if (host === null) return undefined
    const made = new uPlot(
      makeOptions(() => latest.current.plotted, {
        palette,
        size: { width: host.clientWidth, height },
        syncKey,
        reactions: () => latest.current.reactions,
      }),
      makeData(latest.current.plotted),
      host,
    )
    plot.current = made
    const observer = new ResizeObserver(() => {
      if (host.clientWidth !== made.width) made.setSize({ width: host.clientWidth, height })
    })
    observer.observe(host)
    return () => {
      observer.disconnect()
      made.destroy()
      plot.current = null
    }
  }, [palette, shape, syncKey, height])

  useEffect(() => {
    plot.current?.setData(makeData(plotted))
  }, [plotted])

  useEffect(() => {
    const start = cursor === null ? undefined : latest.current.plotted.x[cursor]
    const made = plot.current
    if (made === null || start === undefined) return
    made.setCursor({ left: made.valToPos(start, 'x') + 0.5, top: 0 })
  }, [cursor])

  return <div ref={box} style={{ height }} />
}
