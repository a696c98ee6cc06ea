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

/** Black or white, whichever can be read on a colour of the form #rrggbb: by its luminance as WCAG defines it. */
export function readableOn(colour: string): string {
  const rgb = Number.parseInt(colour.slice(1), 16)
  const [red, green, blue] = [(rgb >> 16) & 255, (rgb >> 8) & 255, rgb & 255].map((part) => {
    const share = part / 255
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  }) as [number, number, number]
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue > 0.179 ? '#000000' : '#ffffff'
}

function subscribe(listener: () => void): () => void {
  const observer = new MutationObserver(listener)
  observer.observe(document.documentElement, { attributes: true, attributeFilter: ['data-theme'] })
  return () => observer.disconnect()
}

/** The name of the theme: what is drawn by hand is drawn anew when it changes. */
export const useTheme = (): string | null =>
  useSyncExternalStore(subscribe, () => document.documentElement.getAttribute('data-theme'))
