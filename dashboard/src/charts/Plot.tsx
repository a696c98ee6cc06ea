// The canvas of a chart, drawn by uPlot. Loaded with the first chart of a page, since nothing else needs uPlot.
import { useEffect, useRef } from 'react'
import uPlot from 'uplot'
import 'uplot/dist/uPlot.min.css'
import { usePalette } from './palette.ts'
import { makeData, makeOptions, type Plotted, type Reactions } from './plot-options.ts'

type Props = Reactions & {
  readonly plotted: Plotted
  readonly syncKey: string | null
  /** The index of the bucket to which a key moved the cursor; null: no key did. */
  readonly cursor: number | null
  readonly height: number
}

export default function Plot({ plotted, syncKey, cursor, height, ...reactions }: Props) {
  const palette = usePalette()
  const box = useRef<HTMLDivElement>(null)
  const plot = useRef<uPlot | null>(null)
  // uPlot's hooks outlive a render, so they read the latest props from this ref.
  const latest = useRef({ plotted, reactions })
  latest.current = { plotted, reactions }
  // A change of any of these needs a new plot: uPlot lays out axes only on creation, and their labels depend on zone and unit.
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
