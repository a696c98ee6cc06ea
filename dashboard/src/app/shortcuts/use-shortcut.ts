// Keyboard shortcuts of the page. Users of speech input or a switch can turn them off (WCAG 2.1.4).
import { useEffect, useEffectEvent } from 'react'
import { readPreference } from '../preferences.ts'
import { makeShortcutRegistry } from './registry.ts'

const registry = makeShortcutRegistry()

export const listShortcuts = registry.list

/** Binds `run` to the keys while the component is mounted. */
export function useShortcut(keys: string, label: string, run: () => void): void {
  const runLatest = useEffectEvent(run)
  useEffect(() => registry.add({ keys, label, run: () => runLatest() }), [keys, label])
}

/** Listens for keys. Used once per page, in the frame. */
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

/** Whether a key is not for shortcuts: it types text, belongs to another control or to the browser, or shortcuts are turned off. */
function isForOthers({ target, key, ctrlKey, metaKey, altKey, defaultPrevented }: KeyboardEvent): boolean {
  if (ctrlKey || metaKey || altKey || defaultPrevented || readPreference('shortcuts') === 'off') return true
  if (!(target instanceof HTMLElement)) return false
  if (target.closest('[role=menu], [role=listbox], [role=dialog]') !== null) return true
  // These use the space bar alone of the keys that are shortcuts.
  if (target.matches('[type=checkbox]')) return key === ' '
  if (key === ' ' && target.closest('button, summary, [role=button]') !== null) return true
  return target.closest('input, textarea, select, [contenteditable]') !== null
}
