import { type RefObject, useRef } from 'react'
import { useShortcut } from './use-shortcut.ts'

/** Binds `/` to the first field of the filters, and returns the ref of the element that contains them. */
export function useFilterKey<E extends HTMLElement = HTMLElement>(): RefObject<E | null> {
  const bar = useRef<E>(null)
  useShortcut('/', 'Go to the filters', () => bar.current?.querySelector<HTMLElement>('input, select')?.focus())
  return bar
}
