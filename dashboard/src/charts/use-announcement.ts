// Announcements to screen readers that wait until the user pauses: of ten key presses in a row, only the last is announced.
import { useCallback, useEffect, useRef, useState } from 'react'

const restMs = 250

/** Returns the text of a live region, and a function that sets it after `restMs`. */
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
