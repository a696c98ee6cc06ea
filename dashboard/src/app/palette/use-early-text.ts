import { useEffect, useEffectEvent } from 'react'

/**
 * Collects text that the user types between Ctrl-K and the focus of the field. While `isWaiting`, keys go to `change` and not to the
 * page, where letters are shortcuts.
 */
export function useEarlyText(
  isWaiting: boolean,
  change: (next: (text: string) => string) => void,
  close: () => void,
): void {
  const take = useEffectEvent((event: KeyboardEvent): void => {
    const { key, ctrlKey, metaKey, altKey } = event
    if (ctrlKey || metaKey || altKey) return
    event.preventDefault()
    event.stopImmediatePropagation()
    if (key === 'Escape') return close()
    if (key === 'Backspace') return change((text) => text.slice(0, -1))
    // Keys without a character have longer names: Enter, Tab, F1.
    if (/^.$/u.test(key)) change((text) => text + key)
  })
  useEffect(() => {
    if (!isWaiting) return
    const press = (event: KeyboardEvent): void => take(event)
    addEventListener('keydown', press, { capture: true })
    return () => removeEventListener('keydown', press, { capture: true })
  }, [isWaiting])
}
