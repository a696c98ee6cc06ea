// Colours of the theme for what is drawn by hand.
import { useSyncExternalStore } from 'react'

export const readToken = (name: string): string =>
  getComputedStyle(document.documentElement).getPropertyValue(name).trim()

/** A token of the form #rrggbb as one word of the pixels of a canvas, opaque. */
export function readColour(name: string): number {
  const rgb = Number.parseInt(readToken(name).slice(1), 16)
  const [red, green, blue] = [(rgb >> 16) & 255, (rgb >> 8) & 255, rgb & 255]
  return ((255 << 24) | (blue << 16) | (green << 8) | red) >>> 0
}

function subscribe(listener: () => void): () => void {
  const observer = new MutationObserver(listener)
  observer.observe(document.documentElement, { attributes: true, attributeFilter: ['data-theme'] })
  return () => observer.disconnect()
}

/** The name of the theme: what is drawn by hand is drawn anew when it changes. */
export const useTheme = (): string | null =>
  useSyncExternalStore(subscribe, () => document.documentElement.getAttribute('data-theme'))
