// A drag on a chart sets the window of the page, and a double click takes the last drag back.
import { useCallback, useRef } from 'react'
import { usePageWindow } from '../app/page-window.tsx'
import type { Bounds, Target } from './time-window.ts'

type Drag = { readonly before: Target; readonly after: Bounds }

/** For the props `onSelect` and `onUndo` of the charts of one page. */
export function useChartWindow(): { readonly onSelect: (bounds: Bounds) => void; readonly onUndo: () => void } {
  const { window, setWindow } = usePageWindow()
  const { from, to, preset } = window
  const drags = useRef<Drag[]>([])
  const onSelect = useCallback(
    (after: Bounds) => {
      drags.current.push({ before: preset ?? { from, to }, after })
      setWindow(after)
    },
    [from, to, preset, setWindow],
  )
  const onUndo = useCallback(() => {
    const last = drags.current.pop()
    // Where the window has been changed in another way since, there is nothing to take back.
    if (last === undefined || preset !== null || last.after.from !== from || last.after.to !== to) drags.current = []
    else setWindow(last.before)
  }, [from, to, preset, setWindow])
  return { onSelect, onUndo }
}
