// A drag on a chart sets the window of the page, and a double click undoes the last drag.
import { useCallback, useRef } from 'react'
import { usePageWindow } from '../app/page-window.tsx'
import type { Bounds, Target } from './time-window.ts'

type Drag = { readonly before: Target; readonly after: Bounds }

/** Returns the props `onSelect` and `onUndo` for the charts of a page. */
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
    // If the window has been changed in another way since, there is nothing to undo.
    if (last === undefined || preset !== null || last.after.from !== from || last.after.to !== to) drags.current = []
    else setWindow(last.before)
  }, [from, to, preset, setWindow])
  return { onSelect, onUndo }
}
