// Keys of the page. People who use speech or a switch can turn single keys off (WCAG 2.1.4).
import { useEffect, useEffectEvent } from 'react'
import { readPreference } from '../preferences.ts'
import { makeShortcutRegistry } from './registry.ts'

const registry = makeShortcutRegistry()

export const listShortcuts = registry.list

/** `run` is called while the component is shown. */
export function useShortcut(keys: string, label: string, run: () => void): void {
  const runLatest = useEffectEvent(run)
  useEffect(() => registry.add({ keys, label, run: () => runLatest() }), [keys, label])
}

/** Once a page, in the frame. */
export function useShortcutKeys(): void {
  useEffect(() => {
    const press = (event: KeyboardEvent): void => {
      if (isForOthers(event)) return
      const shortcut = registry.press(event.key, event.timeStamp)
      if (shortcut === null) return
      event.preventDefault()
      shortcut.run()
    }
    addEventListener('keydown', press)
    return () => removeEventListener('keydown', press)
  }, [])
}

/** Text is being typed, another control takes the key, or the browser does. */
function isForOthers({ target, ctrlKey, metaKey, altKey, defaultPrevented }: KeyboardEvent): boolean {
  if (ctrlKey || metaKey || altKey || defaultPrevented || readPreference('shortcuts') === 'off') return true
  return (
    target instanceof HTMLElement &&
    target.closest('input, textarea, select, [contenteditable], [role=menu], [role=listbox], [role=dialog]') !== null
  )
}
