// The reason why the page is paused: the user pressed the button, points at a row, has scrolled away from the top, or shows another tab.
import { useEffect, useState } from 'react'

export type PauseReason = 'button' | 'row' | 'scroll' | 'hidden'

export const reasonTexts: Readonly<Record<PauseReason, string>> = {
  button: 'Paused',
  row: 'Paused while a row is pointed at',
  scroll: 'Paused while the list is scrolled',
  hidden: 'Paused while the tab is hidden',
}

export function usePause() {
  const [isAsked, setAsked] = useState(false)
  const [isOnRow, setOnRow] = useState(false)
  const [isScrolled, setScrolled] = useState(false)
  const [isHidden, setHidden] = useState(() => document.visibilityState === 'hidden')
  useEffect(() => {
    const look = (): void => setHidden(document.visibilityState === 'hidden')
    document.addEventListener('visibilitychange', look)
    return () => document.removeEventListener('visibilitychange', look)
  }, [])
  return { reason: chooseReason(isAsked, isHidden, isScrolled, isOnRow), isAsked, setAsked, setOnRow, setScrolled }
}

function chooseReason(isAsked: boolean, isHidden: boolean, isScrolled: boolean, isOnRow: boolean): PauseReason | null {
  if (isAsked) return 'button'
  if (isHidden) return 'hidden'
  if (isScrolled) return 'scroll'
  return isOnRow ? 'row' : null
}
