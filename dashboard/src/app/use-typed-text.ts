// A text field whose value is kept in the URL, which is changed once the user pauses typing.
import { useEffect, useEffectEvent, useRef, useState } from 'react'

const restMs = 300

/**
 * `given`: the text in the URL. `write` changes the URL, which may take a moment; it gets the text without the blanks around it, which
 * come along when an id is copied.
 */
export function useTypedText(
  given: string,
  write: (text: string) => void,
): [text: string, setText: (text: string) => void] {
  const [text, setText] = useState(given)
  const written = useRef<string | null>(null)
  const writeLatest = useEffectEvent(write)
  useEffect(() => {
    // A text that this hook wrote can arrive after the user has typed more; it does not replace the newer text.
    if (written.current !== given) setText(given)
    written.current = null
  }, [given])
  useEffect(() => {
    if (text === given || text.trim() === given) return
    const timer = setTimeout(() => {
      written.current = text.trim()
      writeLatest(text.trim())
    }, restMs)
    return () => clearTimeout(timer)
  }, [text, given])
  return [text, setText]
}
