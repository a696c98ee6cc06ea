// The preferences that a user has set in this browser.
import { useSyncExternalStore } from 'react'

const prefix = 'tracewright.'
const listeners = new Set<() => void>()

export type Preference = 'theme' | 'zone' | 'workspace' | 'shortcuts' | 'rail'

export const readPreference = (name: Preference): string | null => localStorage.getItem(prefix + name)

export function writePreference(name: Preference, value: string | null): void {
  if (value === null) localStorage.removeItem(prefix + name)
  else localStorage.setItem(prefix + name, value)
  // The script that sets the theme before the first paint also handles this event.
  if (name === 'theme') dispatchEvent(new Event('tracewright-theme'))
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  addEventListener('storage', listener)
  return () => {
    listeners.delete(listener)
    removeEventListener('storage', listener)
  }
}

export const usePreference = (name: Preference): string | null =>
  useSyncExternalStore(subscribe, () => readPreference(name))
