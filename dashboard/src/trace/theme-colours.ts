// The colours of the theme for drawing on a canvas.
import { useSyncExternalStore } from 'react'

export const readToken = (name: string): string =>
  getComputedStyle(document.documentElement).getPropertyValue(name).trim()

/** Returns a token of the form #rrggbb as one 32-bit pixel of a canvas, opaque. */
export function readColour(name: string): number {
  const rgb = Number.parseInt(readToken(name).slice(1), 16)
  const [red, green, blue] = [(rgb >> 16) & 255, (rgb >> 8) & 255, rgb & 255]
  return ((255 << 24) | (blue << 16) | (green << 8) | red) >>> 0
}

/** Returns black or white, whichever is readable on a colour of the form #rrggbb, by the relative luminance of WCAG. */
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

/** Returns the name of the theme. A canvas is drawn anew when it changes. */
export const useTheme = (): string | null =>
  useSyncExternalStore(subscribe, () => document.documentElement.getAttribute('data-theme'))
