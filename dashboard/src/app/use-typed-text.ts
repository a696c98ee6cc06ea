// A text of the URL that is typed: the URL holds it once the typing rests.
import { useEffect, useEffectEvent, useRef, useState } from 'react'

const restMs = 300

/** `given`: what the URL holds. `write` changes the URL, which may take a moment. */
export function useTypedText(
  given: string,
  write: (text: string) => void,
): [text: string, setText: (text: string) => void] {
  const [text, setText] = useState(given)
  const written = useRef<string | null>(null)
  const writeLatest = useEffectEvent(write)
  useEffect(() => {
    // What was written from here comes back when more has been typed already.
    if (written.current !== given) setText(given)
    written.current = null
  }, [given])
  useEffect(() => {
    if (text === given) return
    const timer = setTimeout(() => {
      written.current = text
      writeLatest(text)
    }, restMs)
    return () => clearTimeout(timer)
  }, [text, given])
  return [text, setText]
}
