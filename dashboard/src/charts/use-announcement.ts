// Announcements to screen readers that wait until the keys rest: of ten presses only the last is read.
import { useCallback, useEffect, useRef, useState } from 'react'

const restMs = 250

/** The text of a live region, and the function that sets it soon. */
export function useAnnouncement(): readonly [string, (text: string) => void] {
  const [text, setText] = useState('')
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => () => clearTimeout(timer.current), [])
  const announce = useCallback((next: string) => {
    clearTimeout(timer.current)
    timer.current = setTimeout(() => setText(next), restMs)
  }, [])
  return [text, announce]
}
