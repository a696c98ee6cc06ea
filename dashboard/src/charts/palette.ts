// The colours of the theme as values for a canvas, which cannot use custom properties.
import { useSyncExternalStore } from 'react'
import { nameSlot, type Slot } from './colours.ts'

export type Palette = {
  readonly series: Readonly<Record<Slot, string>>
  readonly text: string
  readonly line: string
  readonly background: string
  readonly font: string
}

const slots: readonly Slot[] = [0, 1, 2, 3, 4, 5, 6]
const queries = ['(prefers-color-scheme: dark)', '(forced-colors: active)']

let palette: Palette | null = null

function readPalette(): Palette {
  const styles = getComputedStyle(document.documentElement)
  const isForced = matchMedia('(forced-colors: active)').matches
  const read = (name: string, forced: string): string => (isForced ? forced : styles.getPropertyValue(name).trim())
  // Also where the system forces its own colours: in one colour nobody could tell which line is which.
  const entries = slots.map((slot) => [slot, styles.getPropertyValue(nameSlot(slot)).trim()])
  return {
    series: Object.fromEntries(entries) as Record<Slot, string>,
    text: read('--muted', 'CanvasText'),
    line: read('--border', 'GrayText'),
    background: read('--bg', 'Canvas'),
    font: `11px ${styles.getPropertyValue('--font').trim() || 'sans-serif'}`,
  }
}

function subscribe(onChange: () => void): () => void {
  const change = (): void => {
    palette = null
    onChange()
  }
  const observer = new MutationObserver(change)
  observer.observe(document.documentElement, { attributes: true, attributeFilter: ['data-theme'] })
  const lists = queries.map((query) => matchMedia(query))
  for (const list of lists) list.addEventListener('change', change)
  return () => {
    observer.disconnect()
    for (const list of lists) list.removeEventListener('change', change)
  }
}

function getPalette(): Palette {
  palette ??= readPalette()
  return palette
}

/** Returns the palette, which changes with the theme, the system's colour scheme and forced colours. */
export const usePalette = (): Palette => useSyncExternalStore(subscribe, getPalette)
