// Whether the dialog that asks the user to sign in again is open.
import { useSyncExternalStore } from 'react'

const listeners = new Set<() => void>()
let asked = false

export const isAsked = (): boolean => asked

export function setAsked(next: boolean): void {
  asked = next
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export const useAsked = (): boolean => useSyncExternalStore(subscribe, isAsked)
